#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures a fine-tuning run on one GPU: random weights and random tokens, the settings below.

Needs torch, transformers, and peft for adapters. The last line is for `sizesheet record --log FILE`:

    python3 measure.py | tee run.jsonl
    sizesheet record --log run.jsonl --catalog ours
"""

import json
import statistics
import time

import torch
import transformers
from transformers import Trainer, TrainerCallback, TrainingArguments

RUN = json.loads(r"""@RUN@""")

STEPS = 8  # optimizer steps; the first is not counted in the speed


def config():
    """The model's config: from the Hub, which needs a token for a gated model."""
    return transformers.AutoConfig.from_pretrained(RUN["repository"])


def load_model():
    """The model on the GPU, with adapters where the method trains them."""
    weights = torch.float32 if RUN["fp32_weights"] else torch.bfloat16
    with torch.device("cuda"):
        model = transformers.AutoModelForCausalLM.from_config(
            config(), torch_dtype=weights, attn_implementation=RUN["attention"]
        )
    model.config.use_cache = False
    if RUN["kind"] == "full":
        return model
    import peft

    adapters = peft.LoraConfig(
        r=RUN["rank"],
        target_modules=RUN["targets"],
        lora_dropout=0.0,
        task_type="CAUSAL_LM",
    )
    model.enable_input_require_grads()
    return peft.get_peft_model(model, adapters)


class RandomTokens(torch.utils.data.Dataset):
    """Sequences of one length, as packed data are."""

    def __init__(self, vocabulary, count):
        self.tokens = torch.randint(0, vocabulary, (count, RUN["seq_len"]))

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, index):
        return {"input_ids": self.tokens[index], "labels": self.tokens[index]}


class Clock(TrainerCallback):
    """Seconds of each optimizer step, and what nvidia-smi would show at its end."""

    def __init__(self):
        self.seconds = []
        self.device_bytes = 0

    def on_step_begin(self, *arguments, **named):
        torch.cuda.synchronize()
        self.begin = time.perf_counter()

    def on_step_end(self, *arguments, **named):
        torch.cuda.synchronize()
        self.seconds.append(time.perf_counter() - self.begin)
        free, total = torch.cuda.mem_get_info()
        self.device_bytes = max(self.device_bytes, total - free)


def main():
    model = load_model()
    sequences = RUN["micro_batch"] * RUN["grad_accum"]
    clock = Clock()
    arguments = TrainingArguments(
        output_dir="measure-out",
        per_device_train_batch_size=RUN["micro_batch"],
        gradient_accumulation_steps=RUN["grad_accum"],
        gradient_checkpointing=RUN["recompute"],
        gradient_checkpointing_kwargs={"use_reentrant": False},
        bf16=RUN["autocast"],
        optim=RUN["optim"],
        max_steps=STEPS,
        save_strategy="no",
        logging_strategy="no",
        report_to=[],
    )
    data = RandomTokens(model.config.vocab_size, STEPS * sequences)
    Trainer(model=model, args=arguments, train_dataset=data, callbacks=[clock]).train()
    seconds = statistics.median(clock.seconds[1:])
    print(
        json.dumps(
            {
                "request": RUN["request"],
                "gpu": torch.cuda.get_device_name(),
                "torch": torch.__version__,
                "transformers": transformers.__version__,
                "step_seconds": [round(one, 4) for one in clock.seconds],
                "allocated_bytes": torch.cuda.max_memory_allocated(),
                "reserved_bytes": torch.cuda.max_memory_reserved(),
                "device_bytes": clock.device_bytes,
                "tokens_per_second_per_gpu": round(sequences * RUN["seq_len"] / seconds, 1),
            }
        )
    )


if __name__ == "__main__":
    main()
