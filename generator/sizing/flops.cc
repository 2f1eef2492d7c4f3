// SPDX-License-Identifier: Apache-2.0
#include "sizing/flops.h"

#include <algorithm>
#include <map>
#include <string>

namespace sizesheet {
namespace {

struct ForwardFlops {
  double matmul = 0;  ///< projections and head
  double mixing = 0;  ///< attention scores and values, Mamba-2 scans
  double head = 0;
};

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

ForwardFlops forward_flops(const Job& job) {
  const Architecture& model = *job.model;
  ForwardFlops flops;
  flops.head = 2.0 * static_cast<double>(model.vocab) * static_cast<double>(model.hidden);
  flops.matmul = 2.0 * active_matmul_parameters(model);
  const double positions = attended_positions(model, static_cast<double>(job.seq_len));
  for (const BlockRun& run : model.runs) {
    const double count = static_cast<double>(run.count);
    if (run.block.attention) {
      flops.mixing += count * 2.0 * positions * mixing_width(*run.block.attention);
    }
    if (run.block.mamba) flops.mixing += count * scan_flops(*run.block.mamba);
  }
  return flops;
}

double recomputed(const Job& job, const ForwardFlops& forward) {
  switch (job.recompute) {
    case Recompute::kFull:
    case Recompute::kSublayer:
      return forward.matmul - forward.head + forward.mixing;
    case Recompute::kSelective:
      return 0.5 * (forward.matmul - forward.head);
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

}  // namespace

double active_matmul_parameters(const Architecture& model) {
  double active = static_cast<double>(model.vocab) * static_cast<double>(model.hidden);
  for (const BlockRun& run : model.runs) {
    const SplitCounts split = split_parameters(model, run.block);
    double block = static_cast<double>(split.matrix);
    if (run.block.moe) {
      const Moe& moe = *run.block.moe;
      const double hidden = static_cast<double>(model.hidden);
      block += static_cast<double>(split.expert) * static_cast<double>(moe.experts_per_token) /
               static_cast<double>(moe.experts);
      block += hidden * static_cast<double>(moe.experts + 2 * moe.latent_size);
    }
    active += static_cast<double>(run.count) * block;
  }
  return active;
}

TokenFlops flops_per_token(const Job& job) {
  const ForwardFlops forward = forward_flops(job);
  TokenFlops flops;
  if (job.full()) {
    flops.model = 3 * (forward.matmul + forward.mixing);
  } else {
    flops.model = 2 * forward.matmul + 3 * forward.mixing + 6 * adapter_parameters(job);
  }
  flops.hardware = flops.model + recomputed(job, forward);
  return flops;
}

}  // namespace sizesheet
