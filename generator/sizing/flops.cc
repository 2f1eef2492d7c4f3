// SPDX-License-Identifier: Apache-2.0
#include "sizing/flops.h"

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

ForwardFlops forward_flops(const Job& job) {
  const Architecture& model = *job.model;
  ForwardFlops flops;
  flops.head = 2.0 * static_cast<double>(model.vocab) * static_cast<double>(model.hidden);
  flops.matmul = 2.0 * active_matmul_parameters(model);
  for (const BlockRun& run : model.runs) {
    const double count = static_cast<double>(run.count);
    if (run.block.attention) {
      flops.mixing +=
          count * 2.0 * static_cast<double>(job.seq_len) * mixing_width(*run.block.attention);
    }
    if (run.block.mamba) flops.mixing += count * scan_flops(*run.block.mamba);
  }
  return flops;
}

double recomputed(const Job& job, const ForwardFlops& forward) {
  switch (job.recompute) {
    case Recompute::kFull:
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
