// SPDX-License-Identifier: Apache-2.0
#include "sizing/flops.h"

#include <algorithm>
#include <map>
#include <string>

namespace sizesheet {
namespace {

/// Width of scores and values together, halved: a * head_dim, for latent attention the mean of
/// both.
double mixing_width(const Attention& attention) {
  const double heads = static_cast<double>(attention.heads);
  if (!attention.latent) return heads * static_cast<double>(attention.head_dim);
  const LatentAttention& mla = *attention.latent;
  return heads * static_cast<double>(mla.nope_dim + mla.rope_dim + mla.value_dim) / 2;
}

/// The state-space dual form: within chunks, chunk states, and the short convolution.
double scan_flops(const Mamba& mamba) {
  const double chunk = static_cast<double>(mamba.chunk);
  const double inner = static_cast<double>(mamba.heads * mamba.head_dim);
  const double states = static_cast<double>(mamba.groups * mamba.state);
  return chunk * states + chunk * inner + 4 * inner * static_cast<double>(mamba.state) +
         2 * static_cast<double>(mamba.conv_kernel) * (inner + 2 * states);
}

/// Share of the attention layers that look back no further than the model's window.
double windowed_share(const Architecture& model) {
  static const std::map<std::string, double> kShares = {
      {"mistral", 1},           {"mixtral", 1},   {"phi3", 1},
      {"starcoder2", 1},        {"gemma2", 0.5},  {"gemma3", 5.0 / 6},
      {"gemma3_text", 5.0 / 6}, {"gpt_oss", 0.5}, {"cohere2", 0.75}};
  const auto share = kShares.find(model.model_type);
  return model.sliding_window && share != kShares.end() ? share->second : 0;
}

/// Positions a token attends to on average, twice: s under a causal mask, less with a window.
double attended_positions(const Architecture& model, double s) {
  const double share = windowed_share(model);
  const double window = std::min(s, static_cast<double>(model.sliding_window.value_or(0)));
  return (1 - share) * s + share * (2 * window - window * window / s);
}

double recomputed(const Job& job, const ForwardFlops& forward) {
  switch (job.recompute) {
    case Recompute::kFull:
    case Recompute::kSublayer:
      return forward.dense + forward.expert + forward.mixing();
    case Recompute::kSelective:
      return 0.5 * (forward.dense + forward.expert);
    default:
      return 0;
  }
}

/// Adapters as one token meets them: of the experts', one set.
double adapter_parameters(const Job& job) {
  AdapterSpec spec = job.adapters;
  if (spec.experts == "per-expert") spec.experts = "shared";
  return static_cast<double>(count_adapters(*job.model, spec).total());
}

/// Projections of one block that one token meets, by the kind of product they are.
struct BlockProjections {
  double dense = 0;
  double expert = 0;
};

BlockProjections projections_of(const Architecture& model, const Block& block) {
  const SplitCounts split = split_parameters(model, block);
  BlockProjections found{static_cast<double>(split.matrix), 0};
  if (!block.moe) return found;
  const Moe& moe = *block.moe;
  found.expert = static_cast<double>(split.expert) * static_cast<double>(moe.experts_per_token) /
                 static_cast<double>(moe.experts);
  found.dense +=
      static_cast<double>(model.hidden) * static_cast<double>(moe.experts + 2 * moe.latent_size);
  return found;
}

}  // namespace

double active_matmul_parameters(const Architecture& model) {
  double active = static_cast<double>(model.vocab) * static_cast<double>(model.hidden);
  for (const BlockRun& run : model.runs) {
    const BlockProjections block = projections_of(model, run.block);
    active += static_cast<double>(run.count) * (block.dense + block.expert);
  }
  return active;
}

ForwardFlops forward_flops(const Job& job) {
  const Architecture& model = *job.model;
  ForwardFlops flops;
  flops.head = 2.0 * static_cast<double>(model.vocab) * static_cast<double>(model.hidden);
  const double positions = attended_positions(model, static_cast<double>(job.seq_len));
  for (const BlockRun& run : model.runs) {
    const double count = static_cast<double>(run.count);
    const BlockProjections block = projections_of(model, run.block);
    flops.dense += 2 * count * block.dense;
    flops.expert += 2 * count * block.expert;
    if (run.block.attention) {
      flops.attention += count * 2.0 * positions * mixing_width(*run.block.attention);
    }
    if (run.block.mamba) flops.scan += count * scan_flops(*run.block.mamba);
  }
  if (!job.full()) flops.adapters = 2 * adapter_parameters(job);
  return flops;
}

TokenFlops flops_per_token(const Job& job) {
  const ForwardFlops forward = forward_flops(job);
  TokenFlops flops;
  if (job.full()) {
    flops.model = 3 * (forward.matmul() + forward.mixing());
  } else {
    flops.model = 2 * forward.matmul() + 3 * (forward.mixing() + forward.adapters);
  }
  flops.hardware = flops.model + recomputed(job, forward);
  return flops;
}

}  // namespace sizesheet
