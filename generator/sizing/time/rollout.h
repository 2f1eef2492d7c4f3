// SPDX-License-Identifier: Apache-2.0
// The clock of reinforcement learning: one step of decoding, the completions of one engine, and a
// step of the whole run, in which training keeps the engine's own clocks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "catalog/facts/gpu.h"
#include "catalog/published/measured.h"
#include "sizing/job/job.h"
#include "sizing/memory/generation.h"
#include "sizing/time/throughput.h"

namespace sizesheet {

struct EngineConstants;
struct LengthSpread;

// ---- One engine.

/// An engine that decodes: what a step takes of one of its ranks, and the rates of the card.
struct Decoder {
  DecodeWork work;
  double hidden = 0;
  std::int64_t tp = 1;
  double bytes_per_second = 0;  ///< of the card's memory
  double peak_flops = 0;        ///< dense, 16 bits, FLOP/s
  double bus_bytes_per_second = 0;
  bool eager = false;
  const EngineConstants* constants = nullptr;
};

/// Seconds in which each of `batch` sequences gets its next token, `context` tokens behind it on
/// average: the longer of what the device takes and what its host does.
double decode_seconds(const Decoder& decoder, double batch, double context);

/// Completions in the order in which an engine meets them: `sorted_lengths` in whole tokens, spread
/// by reversing the bits of their ranks, which a scheduler cannot tell from chance.
std::vector<std::int64_t> arriving_lengths(const LengthSpread& spread, std::int64_t count);

/// What one engine is given in a step.
struct EngineLoad {
  double prompts = 0;
  double prompt_tokens = 0;  ///< of one prompt, read once for its whole group
  std::int64_t slots = 1;    ///< sequences at once
};

struct Generation {
  double decode = 0;
  double prefill = 0;
  std::int64_t decode_steps = 0;
  std::int64_t slots = 0;

  double seconds() const { return decode + prefill; }
};

/// First come, first served over the slots. Between two endings the batch stays the same and is
/// priced at its middle context.
Generation generate(const Decoder& decoder, const EngineLoad& load,
                    const std::vector<std::int64_t>& completions);

// ---- The run.

/// The job's engine on its card; its GPU has a speed.
Decoder decoder_of(const Job& job, const Gpu& gpu);

/// The completions of one step on one of the job's engines; nothing where its GPU has no speed.
Generation generation_of(const Job& job, const Gpu& gpu);

/// The speed of a run, of the whole step where it generates; `throughput` of one that does not.
/// nullopt as there, and where the prompts of a step are not known.
std::optional<Throughput> run_speed(const Job& job, const Gpu& gpu,
                                    const Intervals* intervals = nullptr);
/// The same of a job that generates, once its generation is known.
std::optional<Throughput> run_speed(const Job& job, const Gpu& gpu, const Generation& generation,
                                    const Intervals* intervals);

}  // namespace sizesheet
