// SPDX-License-Identifier: Apache-2.0
#include "sizing/time/eager_step.h"

#include <algorithm>

#include "catalog/facts/engine_constants.h"
#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/memory/sublayers.h"
#include "sizing/model/parameters.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// Forward, and backward: bytes per token and element, or calls per layer.
struct Passes {
  double forward = 0;
  double backward = 0;

  Passes& operator+=(const Passes& more) {
    forward += more.forward;
    backward += more.backward;
    return *this;
  }
  Passes operator*(double factor) const { return {forward * factor, backward * factor}; }
};

/// What decides which variant of a layer's operations runs.
struct Variant {
  bool wide = false;  ///< the residual stream is fp32
  bool trained = false;
  bool gemma = false;    ///< norms multiply by 1 + weight, in fp32
  bool gpt_oss = false;  ///< experts clamp, and attention has sinks
};

Variant variant_of(const Job& job) {
  return {job.trains_under_autocast() || job.kbit_prep, job.full(),
          job.model->model_type.starts_with("gemma"), job.model->model_type == "gpt_oss"};
}

// ---- Bytes per token.

/// One norm of the stream, per element: cast, square, mean, scale, cast back, weight.
Passes norm_bytes(const Job& job, const Variant& is) {
  if (job.model->layer_norm) return is.wide ? Passes{8, 14} : Passes{4, 10};  // one kernel
  if (is.gemma) {
    return is.wide ? Passes{35, 115} : Passes{39, is.trained ? 103.0 : 87.0};
  }
  return is.wide ? Passes{26, is.trained ? 108.0 : 88.0} : Passes{34, is.trained ? 90.0 : 82.0};
}

/// Norms of queries and keys, per element: their input has 16 bits in either case.
Passes inner_norm_bytes(const Variant& is) {
  if (is.gemma) return {40, is.trained ? 104.0 : 88.0};
  return is.wide ? Passes{46, 115} : Passes{35, is.trained ? 91.0 : 83.0};
}

/// Residual sums and what goes into and comes out of sublayers, per element of the stream.
Passes stream_bytes(const Block& block, const Variant& is) {
  Passes bytes = is.wide ? Passes{is.gemma ? 46.0 : 54.0, is.gemma ? 34.0 : 70.0} : Passes{16, 34};
  if (!block.moe) return bytes;
  const double visits = as_double(block.moe->experts_per_token);
  // Tokens are sorted by expert, and the experts' results are weighted and summed.
  bytes += {6 + (is.gpt_oss ? 24 : 16) * visits, 10 + 32 * visits};
  return bytes;
}

/// Rotary embedding, heads in their order, and casts: elements of queries, and of keys and values
/// together.
Passes attention_bytes(const Job& job, const Attention& attention, const Variant& is) {
  double query = as_double(attention.heads * attention.head_dim);
  double keys = as_double(attention.kv_heads * attention.head_dim);
  if (attention.latent) {
    query = as_double(attention.heads * (attention.latent->nope_dim + attention.latent->rope_dim));
    keys = query;
  }
  const Passes of_query = is.wide ? Passes{40, 62} : is.gpt_oss ? Passes{26, 28} : Passes{24, 36};
  const Passes of_keys = is.wide ? Passes{36, 58} : is.gpt_oss ? Passes{18, 24} : Passes{20, 32};
  Passes bytes = of_query * query;
  bytes += of_keys * keys;
  if (attention.qk_norm != "none") {
    const Passes normed = inner_norm_bytes(is);
    bytes += normed * query;
    bytes += Passes{normed.forward - 4, normed.backward} * keys;
  }
  if (job.attention == AttentionKernel::kEager) {
    const double scores = as_double(attention.heads * job.seq_len);
    bytes += (is.gpt_oss ? Passes{22, 32} : Passes{28, 28}) * scores;
  }
  return bytes;
}

/// Inner width of what mixes tokens without attention: gates, convolution and activation.
double mixer_width(const Block& block) {
  double width = 0;
  if (block.mamba) width += 2 * as_double(block.mamba->heads * block.mamba->head_dim);
  if (block.linear) {
    width += as_double(2 * block.linear->key_width() + 2 * block.linear->value_width());
  }
  return width;
}

/// The activation of an MLP, and of each expert that a token visits: per element of its width.
Passes feed_forward_bytes(const Block& block, const Variant& is) {
  Passes bytes;
  const Passes gated{10, 18};
  if (block.mlp) bytes += gated * as_double(block.mlp->width);
  if (block.moe) {
    const double width = as_double(block.moe->experts_per_token * block.moe->expert_width);
    bytes += (is.gpt_oss ? Passes{48, 86} : Passes{10, 26}) * width;
    bytes += gated * as_double(block.moe->shared_width);
  }
  return bytes;
}

/// Per token of one block.
Passes block_bytes(const Job& job, const Block& block, const Variant& is) {
  const double hidden = as_double(job.model->hidden) / sequence_split(job);
  Passes bytes = norm_bytes(job, is) * (as_double(block.norms) * hidden);
  bytes += stream_bytes(block, is) * hidden;
  const double split = 1 / as_double(job.layout.tp);
  if (block.attention) bytes += attention_bytes(job, *block.attention, is) * split;
  bytes += Passes{10, 18} * (mixer_width(block) * split);
  if (block.convolution) bytes += Passes{10, 18} * (3 * hidden * split);
  bytes += feed_forward_bytes(block, is) * split;
  return bytes;
}

/// An adapter's branch: its input is cast to the number type of its weights and back by autocast,
/// dropped out, and its result scaled and added.
Passes branch_bytes(const Job& job, const Linear& linear) {
  const double in = as_double(linear.in);
  const double out = as_double(linear.out);
  const bool cast =
      job.adapter_dtype == AdapterDtype::kFp32Autocast && (!job.quantised() || job.kbit_prep);
  const bool fp32 = job.adapter_dtype == AdapterDtype::kFp32;
  Passes bytes = cast ? Passes{14 * in + 12 * out, 22 * in + 8 * out}
                      : Passes{2 * in + 12 * out, 6 * in + 8 * out};
  if (fp32) {
    const double each = job.constants->value("throughput.adapter_fp32_bytes");
    bytes += {each * (in + out), each * (in + out)};
  }
  if (job.dropout > 0) bytes += Passes{5, 5} * ((cast || fp32 ? 9.0 / 5 : 1) * in);
  return bytes;
}

// ---- Calls of the host per layer.

/// Kernels and views that the host issues, and tensors that the graph saves.
struct Calls {
  Passes launches;
  Passes views;
  double saved = 0;

  Calls& operator+=(const Calls& more) {
    launches += more.launches;
    views += more.views;
    saved += more.saved;
    return *this;
  }
  Calls times(double factor) const { return {launches * factor, views * factor, saved * factor}; }
};

double count_of_norms(const Block& block) {
  const bool inner = block.attention && block.attention->qk_norm != "none";
  return as_double(block.norms) + (inner ? 2 : 0);
}

Calls norm_calls(const Job& job, const Variant& is) {
  if (job.model->layer_norm) return {{1, 2}, {0, 2}, 3};
  Calls calls{{8, 14}, {0, 7}, 5};
  if (is.gemma) calls.launches.forward += 2;
  if (is.trained) calls += {{0, is.gemma ? 3.0 : 2.0}, {0, 4}, 1};
  return calls;
}

/// Of one block, projections and all, without adapters.
Calls block_calls(const Job& job, const Block& block, const Variant& is) {
  Calls calls{{22, 32}, {35, 52}, 17};
  calls += norm_calls(job, is).times(count_of_norms(block));
  if (is.trained) calls += {{0, 7}, {0, 42}, 7};
  if (block.attention && block.attention->qkv_bias && is.trained) calls += {{0, 3}, {0, 9}, 0};
  if (job.trains_under_autocast()) calls += {{10, 16}, {0, 0}, 0};
  if (block.moe) {
    calls += is.gpt_oss ? Calls{{31, 32}, {7, 22}, 19} : Calls{{21, 25}, {6, 16}, 12};
    if (job.looped_experts) {
      const EngineConstants& constants = *job.constants;
      const double each = constants.value(
          job.experts_together ? ConstantName("throughput.kernels_per_fallback_expert")
                               : ConstantName("throughput.kernels_per_expert"));
      const double kernels = each * as_double(block.moe->experts) / as_double(job.layout.ep);
      calls.launches += {kernels, 1.5 * kernels};
    }
  }
  if (job.attention == AttentionKernel::kEager) calls += {{9, 18}, {24, 24}, 4};
  if (job.quantised()) {
    const double unpack = job.constants->value("throughput.kernels_per_quantised_layer");
    calls.launches += {unpack, unpack};
  }
  return calls;
}

/// What one adapted projection adds.
constexpr Calls kWrapperCalls{{8, 10}, {6, 21}, 5};

// ---- Sums over the blocks.

/// Of all blocks: bytes per token, calls, and adapted projections.
struct Sums {
  Passes bytes;
  Passes branches;
  Calls calls;
  double wrappers = 0;
  double layers = 0;
};

Sums sums_of(const Job& job) {
  const Variant is = variant_of(job);
  Sums sums;
  for (const BlockRun& run : job.model->runs) {
    const double count = as_double(run.count);
    sums.layers += count;
    sums.bytes += block_bytes(job, run.block, is) * count;
    sums.calls += block_calls(job, run.block, is).times(count);
    if (job.full()) continue;
    for (const Linear& linear : linears(*job.model, run.block)) {
      if (linear.expert || !job.adapters.targets.contains(linear.name)) continue;
      sums.branches += branch_bytes(job, linear) * (count / as_double(job.layout.tp));
      sums.wrappers += count;
    }
  }
  sums.calls += kWrapperCalls.times(sums.wrappers);
  return sums;
}

/// Of the blocks' forward, how often backward runs it again.
double again_of(const Job& job) {
  return job.recompute == Recompute::kSelective ? 0.5 : job.repeated_share();
}

/// Autocast copies fp32 weights to 16 bits in every forward, and their gradients back; the
/// embedding's gradient is dense, and a tied one is added to the head's.
double weight_bytes(const Job& job, double again) {
  if (!job.full()) return 0;
  const double matrix = as_double(job.model->vocab * job.model->hidden);
  double bytes = matrix * job.state.weight * (job.model->tied_head ? 4 : 1);
  if (job.trains_under_autocast()) {
    constexpr double kCast = 6;
    const double blocks = over_blocks(*job.model, [&](const Block& block) {
      const SplitCounts split = split_parameters(*job.model, block);
      return as_double(split.matrix + split.expert);
    });
    bytes += kCast * (blocks * (2 + again) + 2 * matrix);
  }
  return bytes / as_double(job.layout.tp * job.layout.pp);
}

double host_seconds(const Job& job, const Sums& sums, double again) {
  const EngineConstants& constants = *job.constants;
  // transformers 5 runs more Python per layer than earlier ones, and its checkpoints stop at each
  // saved tensor, where the reentrant ones of before do not.
  const bool heavy = job.runs_transformers_5();
  const double share = heavy ? 1 : constants.value("host.earlier_share");
  const double launch = share * constants.value("host.launch_us");
  const double view = constants.value("host.view_share");
  const double forward = launch * (sums.calls.launches.forward + view * sums.calls.views.forward) +
                         share * constants.value("host.wrapper_us") * sums.wrappers;
  const bool hooked = heavy && !job.layout.fsdp_reentrant;
  const double hooks = hooked ? constants.value("host.hook_us") : 0;
  const double backward =
      launch * (sums.calls.launches.backward + view * sums.calls.views.backward);
  const double rebuilt = again * (forward + hooks * sums.calls.saved);
  return 1e-6 * (forward * (1 + job.ungraded_passes()) + rebuilt + backward);
}

double logit_bytes(const Job& job) {
  constexpr double kCapped = 30;
  const double each =
      job.constants->value("eager.logit_bytes") + (job.model->logit_cap > 0 ? kCapped : 0);
  return job.tokens_per_rank() * as_double(1 + job.model->kept_predictions()) *
         as_double(job.model->head_outputs()) * each;
}

}  // namespace

EagerStep eager_step(const Job& job) {
  const Sums sums = sums_of(job);
  const double again = again_of(job);
  const double forwards = 1 + again + job.ungraded_passes();
  const double stages = as_double(job.layout.pp);
  const double tokens = job.tokens_per_rank() / stages;
  const double policy = job.training ? job.training->policy_passes() : 0;
  EagerStep step;
  step.layer_bytes =
      tokens * (sums.bytes.forward * forwards + sums.bytes.backward) + weight_bytes(job, again);
  step.adapter_bytes =
      tokens * (sums.branches.forward * (1 + again + policy) + sums.branches.backward);
  step.logit_bytes = logit_bytes(job) / (stages * as_double(job.layout.tp));
  step.launches = (sums.calls.launches.forward * forwards + sums.calls.launches.backward) / stages;
  step.host_seconds = host_seconds(job, sums, again) / stages;
  return step;
}

}  // namespace sizesheet
