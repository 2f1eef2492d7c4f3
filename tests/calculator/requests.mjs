// SPDX-License-Identifier: Apache-2.0
// Requests drawn from all that a catalog names and the contract allows, and some that it refuses: the same ones for the
// same seed.

const MODELS_TO_A_CONFIG = 12;

/** mulberry32: small, and the same everywhere. */
function drawn(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const BREAKS = [
  (line) => line.slice(0, -1),
  (line) => line.replace(":", ":NaN,"),
  (line) => line.replace('"model"', '"modell"'),
  (line) => line.replace("{", '{"id":"twice","id":"x",'),
  (line) => line.replace(/"seq_len":\d+/, '"seq_len":1.5'),
  (line) => line.replace(/"seq_len":\d+/, '"seq_len":-1'),
  (line) => line.replace(/"gpu":"[^"]*"/, '"gpu":"h\\u202e100\u200dé"'),
  (line) => `[${line}]`,
  (line) => line.replace("{", '{"kernels":{"attention":"flahs"},'),
  (line) => line.replace(/"tokens":\d+/, '"tokens":1e99'),
];

export class Requests {
  constructor(files, seed) {
    this.next_ = drawn(seed);
    const ids = (folder) =>
      Object.keys(files)
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1, -".json".length));
    this.models = ids("models");
    this.gpus = ids("gpus");
    this.methods = ids("methods");
    this.stacks = ids("stacks");
  }

  any(list) {
    return list[Math.floor(this.next_() * list.length)];
  }

  oneIn(times) {
    return this.next_() * times < 1;
  }

  config() {
    const heads = this.any([8, 16, 32, 64]);
    return {
      model_type: this.any(["llama", "qwen2", "mistral"]),
      hidden_size: heads * this.any([64, 128]),
      intermediate_size: this.any([2816, 8192, 14336]),
      num_hidden_layers: 1 + Math.floor(this.next_() * 80),
      num_attention_heads: heads,
      num_key_value_heads: this.any([1, 2, 4, 8]),
      vocab_size: this.any([32000, 128256, 151936]),
      tie_word_embeddings: this.oneIn(2),
    };
  }

  method() {
    if (!this.oneIn(4)) return this.any(this.methods);
    const kind = this.any(["lora", "qlora", "dora", "full"]);
    return kind === "full" ? { kind } : { kind, rank: 1 + Math.floor(this.next_() * 256) };
  }

  layout() {
    const dimensions = { dp: this.any([1, 2, 3, 8]), tp: this.any([1, 2, 4]), pp: this.any([1, 2]) };
    if (this.oneIn(2)) return { gpus: this.any([1, 2, 4, 7, 8, 16, 64]) };
    return { ...dimensions, shard: this.any(["none", "zero1", "zero2", "zero3"]) };
  }

  request(index) {
    const request = {
      id: `r${index}`,
      model: this.oneIn(MODELS_TO_A_CONFIG) ? this.config() : this.any(this.models),
      method: this.method(),
      workload: {
        seq_len: 1 + Math.floor(2 ** (this.next_() * 18)),
        tokens: Math.floor(10 ** (4 + this.next_() * 7)),
      },
    };
    if (!this.oneIn(20)) request.gpu = this.any(this.gpus);
    if (!this.oneIn(4)) request.stack = this.any(this.stacks);
    if (this.oneIn(3)) request.layout = this.layout();
    if (!this.oneIn(3)) request.objective = this.any(["memory", "time", "money"]);
    if (!this.oneIn(3)) {
      const parts = ["memory", "money", "frontier", "own", "terms", "words"];
      request.answer = parts.filter(() => this.oneIn(2)).concat("memory");
    }
    if (this.oneIn(5)) request.deadline_hours = Math.round(2 ** (this.next_() * 10) * 8) / 8;
    if (this.oneIn(6)) request.limits = true;
    if (this.oneIn(6)) request.vary = ["recompute"];
    if (this.oneIn(6)) request.max_gpus = this.any([1, 8, 64]);
    if (this.oneIn(4)) {
      const batching = this.any(["packed", "padded", "grouped", "padding-free", "fixed"]);
      Object.assign(request.workload, { batching, length_cv: this.any([0, 0.3, 0.8, 1.7]) });
      request.workload.mean_length = Math.ceil(request.workload.seq_len * this.any([0.1, 0.4, 0.9]));
    }
    if (this.oneIn(5)) request.workload.micro_batch = this.any([1, 2, 3, 8]);
    if (this.oneIn(6)) request.workload.global_batch = this.any([8, 64, 100]);
    if (this.oneIn(8)) request.optimizer = this.any(["adamw-8bit", "lion", "muon", "sgd", "adafactor"]);
    if (this.oneIn(8)) request.headroom = this.any([0, 0.05, 0.3]);
    return request;
  }

  line(index) {
    const text = JSON.stringify(this.request(index));
    return this.oneIn(25) ? this.any(BREAKS)(text) : text;
  }
}
