# SPDX-License-Identifier: Apache-2.0
"""Puts hostile texts and numbers, one at a time, under every key of a request to `estimate` and of a question to `cost`:
each line is answered, with a refusal that names the key or with figures that are figures.
    python3 hostile_requests.py PROGRAM CATALOG [--accepted]
"""

import argparse
import copy
import json
import pathlib
import subprocess
import tempfile

from hostile_values import CONTROL, NUMBERS, TEXTS
from places import every_place, put
from small_catalog import make_small_catalog

CONFIG = {'model_type': 'llama', 'hidden_size': 2048, 'intermediate_size': 8192, 'num_hidden_layers': 16,
          'num_attention_heads': 32, 'num_key_value_heads': 8, 'head_dim': 64, 'vocab_size': 128256, 'hidden_act': 'silu',
          'max_position_embeddings': 131072, 'tie_word_embeddings': True, 'attention_bias': False, 'mlp_bias': False}
WORKLOAD = {'seq_len': 4096, 'micro_batch': 1, 'grad_accum': 1, 'tokens': 50000000, 'packed': True}
LORA = {'kind': 'lora', 'rank': 16, 'targets': 'all-linear', 'experts': 'none', 'adapter_dtype': 'fp32-autocast',
        'dropout': 0.05, 'fused_projections': 'none', 'base': 'bf16', 'modules_to_save': ['lm_head']}
QLORA = {'kind': 'qlora', 'rank': 16, 'targets': ['q_proj', 'v_proj'], 'base': 'nf4', 'double_quant': True, 'kbit_prep': False,
         'quantize_experts': True}
KERNELS = {'recompute': 'full', 'attention': 'flash', 'loss': 'hf-amp', 'ops': 'eager', 'precision': 'bf16'}
LAYOUT = {'gpus': 8, 'dp': 8, 'tp': 1, 'pp': 1, 'cp': 1, 'ep': 1, 'etp': 1, 'vpp': 1, 'sequence_parallel': True,
          'shard': 'zero3', 'offload': 'none', 'shard_group': 0, 'root_unsharded': True, 'reduce_dtype': 'fp32',
          'gather_units': 2, 'bucket_elements': 0, 'expert_imbalance': 1.0}
OVERHEADS = {'context_gib': 0.55, 'communicator_gib': 0.6, 'all_to_all_gib': 0, 'library_bytes': 40000000,
             'other_processes_gib': 0, 'dynamic_share': 0.1, 'static_share': 0.02}
REQUESTS = [
    {'model': 'llama-3.2-3b', 'gpu': 'h100-sxm', 'stack': 'hf-trl', 'method': LORA, 'state': 'peft-fp32',
     'optimizer': 'adamw', 'optimizer_foreach': False, 'headroom': 0.1, 'max_gpus': 64, 'workload': WORKLOAD,
     'kernels': KERNELS, 'layout': LAYOUT, 'overheads': OVERHEADS},
    {'model': 'llama-3.2-3b', 'gpu': 'h100-sxm', 'stack': 'hf-trl', 'method': QLORA,
     'workload': {'seq_len': 4096, 'examples': 1000, 'mean_length': 512.5, 'epochs': 3}},
    {'model': CONFIG, 'gpu': 'h100-sxm', 'stack': 'hf-trl', 'method': {'kind': 'full'},
     'state': {'weight': 2, 'gradient': 2, 'master': 0, 'moments': 8, 'lazy': True}, 'workload': WORKLOAD},
    {'model': CONFIG, 'stack': 'hf-trl', 'method': {'kind': 'full'}, 'layout': {'gpus': 2, 'dp': 2}},
    {'model': dict(CONFIG, model_type='mixtral', num_local_experts=8, num_experts_per_tok=2, tie_word_embeddings=False),
     'gpu': 'h100-sxm', 'stack': 'hf-trl', 'method': {'kind': 'full'}, 'workload': WORKLOAD},
]
QUESTION = {'id': 'a', 'gpus': 64, 'gpus_per_node': 8, 'capex_usd_per_node': 250000, 'residual_share': 0.1, 'life_years': 5,
            'cost_of_capital': 0.08, 'node_kw': 10.2, 'idle_power_share': 0.35, 'pue': 1.3, 'usd_per_kwh': 0.08,
            'colo_usd_per_kw_month': 150, 'support_share_per_year': 0.08, 'staff_usd_per_year': 1000, 'utilisation': 0.7,
            'rent_usd_per_gpu_hour': 3.82, 'capital_method': 'recovery-factor', 'hours_per_month': 730,
            'network_usd_per_gpu': 100, 'licence_usd_per_gpu_year': 10, 'cabling_share': 0.1, 'hours_per_run': 12,
            'staff_fte_per_node': 0.1, 'usd_per_fte_year': 1000}
QUESTIONS = [QUESTION, {**{key: value for key, value in QUESTION.items() if key != 'residual_share'}, 'residual_share': 0,
                        'value_decay_oom_per_year': 0.14}]
MAY_BE_NEGATIVE = {'savings_usd_over_life', 'npv_usd', 'capital'}
LARGEST = 1e19  # bytes of a job that nobody can run, still short of 2^64


def wrong_figures(value, place=''):
    if isinstance(value, dict):
        return [wrong for key, part in value.items() if key != 'id' for wrong in wrong_figures(part, f'{place}/{key}')]
    if isinstance(value, list):
        return [wrong for part in value for wrong in wrong_figures(part, place)]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return []
    negative = value < 0 and place.split('/')[-1] not in MAY_BE_NEGATIVE
    return [f'{place} {value}'] if negative or abs(value) > LARGEST else []


def no_constant(name):
    raise ValueError(f'{name} in JSON')


def wrong_answer(line, case):
    try:
        answer = json.loads(line, parse_constant=no_constant)
    except ValueError as error:
        return f'{error}: {line[:100]}'
    if answer['ok']:
        return '; '.join(wrong_figures(answer)[:3])
    error = answer['error']
    names = [str(key) for key in case[0] if isinstance(key, str)]
    if 'internal error' in error or CONTROL.search(error) or len(error) > 3000:
        return f'no clear message: {error[:300]!r}'
    return '' if any(name in error for name in names[-2:]) else f'names no key: {error[:300]!r}'


def cases_of(documents):
    """(place, what it is called, request) with one hostile value."""
    for index, document in enumerate(documents):
        for place, _ in every_place(document):
            for what, hostile in {**TEXTS, **NUMBERS, 'an object': {}, 'a number in a list': [1e308]}.items():
                changed = copy.deepcopy(document)
                put(changed, place, hostile)
                yield place, f'{what} in request {index}', changed


def ask(command, documents, accepted):
    cases = list(cases_of(documents))
    lines = ''.join(json.dumps(document) + '\n' for _, _, document in cases)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=900)
    answers = done.stdout.splitlines()
    wrong = [] if done.returncode == 1 and len(answers) == len(cases) and not done.stderr else [
        f'{command[1]}: exit {done.returncode}, {len(answers)} answers to {len(cases)} lines, {done.stderr[:200]}']
    taken = 0
    for case, line in zip(cases, answers):
        told = f"{command[1]} /{'/'.join(map(str, case[0]))} with {case[1]}"
        fault = wrong_answer(line, case)
        if fault:
            wrong.append(f'{told}: {fault}')
        elif '"ok":true' in line:
            taken += 1
            if accepted:
                print(f'ACCEPTED {told}')
    return len(cases), taken, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program', type=pathlib.Path)
    parser.add_argument('catalog', type=pathlib.Path)
    parser.add_argument('--accepted', action='store_true', help='list what was answered with figures')
    options = parser.parse_args()
    program = str(options.program.resolve())
    with tempfile.TemporaryDirectory() as folder:
        catalog = str(make_small_catalog(options.catalog, pathlib.Path(folder) / 'catalog'))
        parts = [ask([program, 'estimate', '--catalog', catalog], REQUESTS, options.accepted),
                 ask([program, 'cost'], QUESTIONS, options.accepted)]
    wrong = [line for part in parts for line in part[2]]
    for line in wrong:
        print(f'FAILED {line}')
    print(json.dumps({'hostile requests': sum(part[0] for part in parts), 'answered': sum(part[1] for part in parts),
                      'failed': len(wrong)}))
    return 1 if wrong else 0


if __name__ == '__main__':
    raise SystemExit(main())
