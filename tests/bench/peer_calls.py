# SPDX-License-Identifier: Apache-2.0
"""Asks a peer, from a checkout of its repository, what `sizesheet estimate` is asked: reads lines of requests on stdin.
    python3 peer_calls.py lines PEER CHECKOUT CATALOG   answers each with a line
    python3 peer_calls.py time PEER CHECKOUT CATALOG    prints the processor time of a call in seconds, the median of five rounds
It starts with no more than a peer needs. A peer is given the numbers of the catalog's model, and its published total."""

import functools
import json
import pathlib
import re
import sys
import time
import types

GIB = 1 << 30


class DeepSpeed:
    """Its two functions alone: the modules around them import torch, which a formula does not need."""

    def __init__(self, checkout):
        self.functions = {}
        for file in ('stage3.py', 'stage_1_and_2.py'):
            whole = (checkout / 'deepspeed/runtime/zero' / file).read_text()
            exec(re.search(r'^def estimate_zero\d_model_states_mem_needs\(.*?(?=^\S)', whole, re.MULTILINE | re.DOTALL)[0], self.functions)

    def prepared(self, request, model):
        stage, gpus = request['layout']['shard'][-1], request['layout']['gpus']
        largest = max(model['vocab_size'], model['intermediate_size']) * model['hidden_size']
        layer = {'largest_layer_params': largest} if stage == '3' else {}
        return self.functions[f'estimate_zero{stage}_model_states_mem_needs'], dict(
            total_params=model['total'], num_gpus_per_node=8, num_nodes=gpus // 8, cpu_offload=False, **layer)

    def call(self, function, arguments):
        return {'bytes': function(**arguments)[1]}


class Ftune:
    def __init__(self, checkout):
        sys.path.insert(0, str(checkout / 'src'))
        import ftuneai
        from ftuneai.core import cost, memory
        from ftuneai.core import time as clock
        self.of, self.memory, self.clock, self.cost = ftuneai, memory, clock, cost
        self.gpu = ftuneai.get_gpu('H100-80GB')

    @functools.cache
    def spec(self, name, *numbers):
        return self.of.ModelSpec(name, *numbers)

    def prepared(self, request, model):
        load = request['workload']
        return (self.spec(request['model'], model['total'], model['hidden_size'], model['num_hidden_layers'], model['num_attention_heads'],
                          model['num_key_value_heads'], model['intermediate_size'], model['vocab_size'], model['max_position_embeddings']),
                dict(method=self.of.FineTuneMethod.FULL, batch_size=load['micro_batch'], seq_length=load['seq_len'],
                     gradient_checkpointing=request['kernels']['recompute'] == 'full', flash_attention=True,
                     sharding=self.of.ShardingStrategy('zero_' + request['layout']['shard'][-1]), num_gpus=request['layout']['gpus']),
                load['tokens'] // load['seq_len'])

    def call(self, spec, settings, samples):
        config = self.of.TrainingConfig(**settings)
        bill = self.memory.MemoryEstimator(spec, config).estimate()
        hours = self.clock.TimeEstimator(spec, config).estimate(self.gpu, samples, epochs=1, num_gpus=config.num_gpus).total_hours
        prices = self.cost.CostEstimator().compare_all([self.gpu.name], {self.gpu.name: hours}, config.num_gpus)
        return {'bytes': round(bill.total_gb * GIB), 'parts': vars(bill), 'hours': hours,
                'dollars': [vars(one) for one in prices.estimates], 'cheapest': prices.cheapest}


class LlmAnalysis:
    def __init__(self, checkout):
        sys.modules['fire'] = types.ModuleType('fire')  # its command line, which nobody asks for here
        sys.path.insert(0, str(checkout))
        import logging
        logging.disable(logging.ERROR)
        from llm_analysis import analysis, config
        self.analysis, self.config = analysis, config
        self.gpu, self.types = config.get_gpu_config_by_name('h100-sxm-80gb'), config.get_dtype_config_by_name('w16a16e16')

    @functools.cache
    def on(self, gpus, name, *numbers):
        return self.analysis.LLMAnalysis(self.config.ModelConfig(name, *numbers, mlp_gated_linear_units=True), self.gpu, self.types,
                                         self.config.ParallelismConfig(dp_size=gpus))

    def prepared(self, request, model):
        load, levels = request['workload'], self.analysis.ActivationRecomputation
        return (self.on(request['layout']['gpus'], request['model'], model['num_hidden_layers'], model['num_attention_heads'],
                        model['hidden_size'], model['vocab_size'], model['max_position_embeddings'], model['num_key_value_heads'],
                        None, model['intermediate_size']),
                dict(batch_size_per_gpu=load['micro_batch'], seq_len=load['seq_len'], total_num_tokens=load['tokens'],
                     activation_recomputation=levels.FULL if request['kernels']['recompute'] == 'full' else levels.NONE,
                     ds_zero=self.analysis.DSZeRO(int(request['layout']['shard'][-1]))))

    def call(self, analysis, settings):
        found = analysis.training(**settings)
        parts = {key: value for key, value in found.items() if 'memory' in key and isinstance(value, (int, float))}
        return {'bytes': round(found['estimated_peak_memory_per_gpu']), 'parts': parts, 'hours': found['total_training_latency'] / 3600}


PEERS = {'DeepSpeed': DeepSpeed, 'ftune': Ftune, 'llm-analysis': LlmAnalysis}


def main(what, peer, checkout, catalog):
    peer = PEERS[peer](pathlib.Path(checkout))

    @functools.cache
    def model(name):
        entry = json.loads(pathlib.Path(catalog, 'models', f'{name}.json').read_text())
        return {**entry, 'total': entry['published'][0]['value']}

    requests = map(json.loads, sys.stdin)
    if what == 'lines':
        for request in requests:
            print(json.dumps({'id': request['id'], **peer.call(*peer.prepared(request, model(request['model'])))}))
        return
    asked = [peer.prepared(request, model(request['model'])) for request in requests]
    rounds = []
    for _ in range(5):
        start = time.process_time()
        for arguments in asked:
            peer.call(*arguments)
        rounds.append((time.process_time() - start) / len(asked))
    print(sorted(rounds)[2])


if __name__ == '__main__':
    main(*sys.argv[1:])
