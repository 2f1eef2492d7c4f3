# SPDX-License-Identifier: Apache-2.0
"""Runs the script that `measure-script` prints, on stand-ins for torch, transformers and peft that note what they are asked, and
gives its last line to `record`.
    python3 measure_script.py PROGRAM
"""

import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import types

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())

# (words, what TrainingArguments and the model are asked)
CASES = (
    (('llama-3.1-8b', 'lora', '1xh100', '--seq', '2k', '--micro-batch', '2'),
     {'per_device_train_batch_size': 2, 'gradient_accumulation_steps': 16, 'gradient_checkpointing': True, 'bf16': True,
      'optim': 'adamw_torch_fused', 'dtype': 'bfloat16', 'attention': 'sdpa', 'rank': 16, 'targets': 7}),
    (('qwen2.5-1.5b', 'full', '1xh200', '--seq', '1k', '--micro-batch', '4', '--request',
      '{"kernels": {"recompute": "none"}, "optimizer": "adafactor"}'),
     {'per_device_train_batch_size': 4, 'gradient_checkpointing': False, 'optim': 'adafactor', 'dtype': 'float32',
      'attention': 'sdpa'}),
)


class StandIns:
    """Modules that behave as far as the script looks, and remember what they were asked."""

    def __init__(self):
        self.asked = {}

    def torch(self):
        cuda = types.SimpleNamespace(synchronize=lambda: None, mem_get_info=lambda: (40 << 30, 80 << 30),
                                     get_device_name=lambda: 'NVIDIA H100', max_memory_allocated=lambda: 30 << 30,
                                     max_memory_reserved=lambda: 33 << 30)
        data = types.SimpleNamespace(Dataset=object)
        return {'float32': 'float32', 'bfloat16': 'bfloat16', '__version__': '0', 'cuda': cuda,
                'device': lambda name: contextlib.nullcontext(), 'utils': types.SimpleNamespace(data=data),
                'randint': lambda low, high, shape: [[low] * 1 for _ in range(shape[0])]}

    def transformers(self):
        model = types.SimpleNamespace(config=types.SimpleNamespace(vocab_size=100), enable_input_require_grads=lambda: None)

        def from_config(config, torch_dtype, attn_implementation):
            self.asked.update(repository=config, dtype=torch_dtype, attention=attn_implementation)
            return model

        def arguments(**named):
            self.asked.update(named)
            return types.SimpleNamespace(**named)

        class Trainer:
            def __init__(self, model, args, train_dataset, callbacks):
                self.steps, self.callbacks = args.max_steps, callbacks
                assert len(train_dataset) == args.max_steps * args.per_device_train_batch_size * args.gradient_accumulation_steps

            def train(self):
                for _ in range(self.steps):
                    for one in self.callbacks:
                        one.on_step_begin()
                        one.on_step_end()

        return {'AutoConfig': types.SimpleNamespace(from_pretrained=lambda name: name), '__version__': '0',
                'AutoModelForCausalLM': types.SimpleNamespace(from_config=from_config), 'Trainer': Trainer,
                'TrainerCallback': object, 'TrainingArguments': arguments}

    def peft(self):
        def lora(r, target_modules, lora_dropout, task_type):
            self.asked.update(rank=r, targets=len(target_modules))

        return {'LoraConfig': lora, 'get_peft_model': lambda model, adapters: model}

    def install(self):
        for name in ('torch', 'transformers', 'peft'):
            module = types.ModuleType(name)
            vars(module).update(getattr(self, name)())
            sys.modules[name] = module


def check(words, expected):
    script = subprocess.run([PROGRAM, 'measure-script', *words], capture_output=True, text=True, check=True).stdout
    stand_ins = StandIns()
    stand_ins.install()
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(script, 'measure.py', 'exec'), {'__name__': '__main__'})  # pylint: disable=exec-used
    for key, value in expected.items():
        assert stand_ins.asked.get(key) == value, f'{words}: {key} is {stand_ins.asked.get(key)!r}, not {value!r}'
    line = json.loads(said.getvalue().splitlines()[-1])
    assert line['device_bytes'] == 40 << 30 and line['allocated_bytes'] == 30 << 30, line
    line['tokens_per_second_per_gpu'] = 5000  # stand-ins take no time
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / 'run.jsonl'
        log.write_text(json.dumps(line) + '\n')
        kept = subprocess.run([PROGRAM, 'record', '--log', log, '--catalog', pathlib.Path(folder) / 'ours', '--json'],
                              capture_output=True, text=True, check=False)
        assert kept.returncode == 0, kept.stderr
        assert json.loads(kept.stdout)['measured']['tokens_per_second_per_gpu'] == 5000, kept.stdout


for one in CASES:
    check(*one)
print(f'{len(CASES)} scripts ran on stand-ins')
