// SPDX-License-Identifier: Apache-2.0
#include "sizing/time/step_work.h"

#include <algorithm>

#include "catalog/facts/engine_constants.h"
#include "catalog/models/architecture.h"
#include "catalog/models/tower.h"
#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/sublayers.h"
#include "sizing/memory/tower.h"
#include "sizing/model/parameters.h"
#include "sizing/model/tower_counts.h"
#include "sizing/time/eager_step.h"
#include "sizing/time/forward_flops.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

double recomputed(const Job& job, const ForwardFlops& forward) {
  switch (job.recompute) {
    case Recompute::kFull:
    case Recompute::kSublayer:
      return (forward.dense + forward.expert + forward.mixing() + forward.scoring) *
             job.repeated_share();
    case Recompute::kSelective:
      return 0.5 * (forward.dense + forward.expert);
    default:
      return 0;
  }
}

/// Extra forward passes over the whole block that backward runs: 1, ½ under selective
/// recomputation.
double repeated_forward(const Job& job) {
  return job.recompute == Recompute::kSelective ? 0.5 : job.repeated_share();
}

/// The same of what module recomputation names too.
double repeated(const Job& job, const char* module) {
  return job.recompute_modules.contains(module) ? 1 : job.repeated_share();
}

/// Forward FLOP per token of the dense feed-forward projections.
double mlp_flops(const Job& job) {
  return over_blocks(*job.model, [&](const Block& block) {
    double flops = 0;
    if (!block.mlp) return flops;
    for (const Linear& linear : linears(*job.model, block, Sublayer::kMlp)) {
      flops += 2 * as_double(linear.parameters());
    }
    return flops;
  });
}

TokenFlops per_token(const Job& job, const ForwardFlops& forward) {
  TokenFlops flops;
  if (job.full()) {
    flops.model = 3 * (forward.matmul() + forward.mixing()) + forward.scoring;
  } else {
    flops.model =
        2 * forward.matmul() + 3 * (forward.mixing() + forward.adapters) + forward.scoring;
  }
  if (job.training) {
    flops.model += job.ungraded_passes() * (forward.matmul() + forward.mixing() + forward.scoring) +
                   job.training->policy_passes() * forward.adapters;
  }
  flops.hardware = flops.model + recomputed(job, forward);
  flops.forward = forward.matmul() + forward.mixing() + forward.scoring + forward.adapters;
  return flops;
}

/// A forward pass without gradient over so many tokens, adapters aside.
void add_forward(double tokens, const ForwardFlops& forward, StepWork& work) {
  work.matmul_flops += tokens * (forward.dense + forward.head);
  work.expert_flops += tokens * forward.expert;
  work.attention_flops += tokens * (forward.attention + forward.scoring);
  work.scan_flops += tokens * forward.scan;
}

void add_flops(const Job& job, double tokens, StepWork& work) {
  const ForwardFlops forward = forward_flops(job);
  work.per_token = per_token(job, forward);
  const double again = repeated_forward(job);
  const double passes = job.full() ? 3 : 2;
  const double mlp = job.recompute_modules.contains("mlp") ? mlp_flops(job) : 0;
  work.matmul_flops =
      tokens * (forward.dense * (passes + again) + mlp +
                forward.head * (job.head_trains() ? 3 : 2) + forward.adapters * (3 + again));
  work.expert_flops = tokens * forward.expert * (passes + std::max(repeated(job, "moe"), again));
  // Backward of a flash kernel does five products where forward does two; a plain one four.
  const bool plain = job.attention == AttentionKernel::kEager;
  const double backward = plain ? 2 : 2.5;
  const double attention_again = repeated(job, "core_attn");
  const double attention = plain ? forward.plain_attention : forward.attention;
  work.attention_flops = tokens * (attention * (1 + backward + attention_again) +
                                   forward.scoring * (1 + attention_again));
  work.scan_flops = tokens * forward.scan * (3 + job.repeated_share());
  if (!job.training) return;
  add_forward(tokens * job.ungraded_passes(), forward, work);
  work.matmul_flops += tokens * job.training->policy_passes() * forward.adapters;
}

/// Times that kernels of a block run: forward, backward, forward again with recomputation, and
/// without gradient.
double passes_of(const Job& job) { return 2 + job.repeated_share() + job.ungraded_passes(); }

/// The job without recomputation either: what its elementwise kernels move does not depend on which
/// of the tensors are kept. K-bit preparation stays, for it widens them.
Job keeping_all(const Job& job) {
  Job all = trained_in_16_bits(job);
  all.recompute = Recompute::kNone;
  all.recompute_modules.clear();
  all.recompute_layers = 0;
  return all;
}

/// Inputs and outputs per token of a block's quantised projections, those of a routed expert once
/// for each that the token visits.
double quantised_features(const Job& job, const Block& block) {
  double features = 0;
  for (const Linear& linear : linears(*job.model, block)) {
    if (linear.name == Projection::kRouter || (linear.expert && !job.quantize_experts)) continue;
    const double visits = linear.expert ? as_double(block.moe->experts_per_token) : 1;
    features += visits * as_double(linear.in + linear.out);
  }
  return features;
}

/// Bytes per token that the blocks of a job write when they keep everything.
double saved_bytes(const Job& all) {
  return over_blocks(*all.model, [&](const Block& block) {
    return block_activations<double>(all, block, 0).saved;
  });
}

/// How often the traffic of kept tensors passes through memory.
double traffic_passes(const Job& job) {
  return job.constants->value(job.fused_ops ? ConstantName("throughput.fused_passes")
                                            : ConstantName("throughput.eager_passes"));
}

/// The pass of the model whose answers are learned: forward only, in 16 bits.
void add_teacher(const Job& job, double tokens, StepWork& work) {
  if (!job.training || !job.training->teacher) return;
  Job teacher = keeping_all(job);
  teacher.model = job.training->teacher;
  teacher.training.reset();
  const ForwardFlops forward = forward_flops(teacher);
  add_forward(tokens, forward, work);
  work.per_token.model += forward.matmul() + forward.mixing() + forward.scoring;
  work.per_token.hardware += forward.matmul() + forward.mixing() + forward.scoring;
  work.layer_bytes += job.tokens_per_rank() / as_double(job.layout.pp) * saved_bytes(teacher) *
                      traffic_passes(job) / 3;
}

/// What the first stage's ranks do on images: forward alone where the tower is frozen. Attention
/// looks at all patches of an image, where that of words looks at half of what a sequence has.
void add_tower(const Job& job, StepWork& work) {
  if (!job.vision || job.vision->images == 0) return;
  const Tower& tower = *job.model->tower;
  const Job layers = keeping_all(tower_job(job));
  ForwardFlops forward = forward_flops(layers);
  forward.attention *= 2;
  const bool whole = job.vision->training == TowerTraining::kWhole;
  const double again = whole ? repeated_forward(job) : 0;
  const double patches = patches_per_rank(job);
  const double projector =
      2 * as_double(tower.projector_parameters) / as_double(tower.merge_size * tower.merge_size);
  const double embedding = 2 * as_double(patch_parameters(tower));
  const double passes = whole ? 3 : 1;
  const double projector_passes = job.vision->training == TowerTraining::kFrozen ? 1 : 3;
  work.matmul_flops += patches * (forward.dense * (passes + again) + embedding * (whole ? 2 : 1) +
                                  projector * projector_passes);
  work.attention_flops += patches * forward.attention * (whole ? 3.5 + again : 1);
  work.layer_bytes += patches * saved_bytes(layers) * traffic_passes(job) * (passes + again) / 3;
  work.kernels += as_double(tower.num_hidden_layers) *
                  job.constants->value("throughput.kernels_per_layer") * (whole ? 2.5 + again : 1);
  const double per_token = job.vision->patches() / as_double(job.seq_len);
  const double model = (forward.dense + forward.attention) * passes + projector * projector_passes +
                       embedding * (whole ? 2 : 1);
  work.per_token.model += per_token * model;
  work.per_token.hardware += per_token * (model + again * (forward.dense + forward.attention));
  work.per_token.forward += per_token * (forward.dense + forward.attention + projector + embedding);
}

/// Casts and copies beside the blocks' own operations.
void add_casts(const Job& job, double stages, StepWork& work) {
  // After k-bit preparation 4-bit layers get fp32 and answer in it.
  const double cast =
      job.kbit_prep
          ? over_blocks(*job.model,
                        [&](const Block& block) { return quantised_features(job, block); })
          : 0;
  const double casting = cast * job.constants->value("throughput.kbit_cast_bytes");
  work.layer_bytes += job.tokens_per_rank() / stages * casting * passes_of(job);
  if (job.token_indices > 0) {  // the matrix is copied in every forward
    work.layer_bytes +=
        4 * as_double(job.model->vocab * job.model->hidden) / as_double(job.layout.tp);
  }
  if (!job.fake_quantised) return;
  const double rounded = over_blocks(*job.model, [&](const Block& block) {
    return as_double(split_parameters(*job.model, block).matrix);
  });
  work.layer_bytes += (1 + job.repeated_share()) * rounded / as_double(job.layout.tp) / stages * 2 *
                      job.constants->value("qat.weight_passes");
}

/// What fused kernels of the blocks move: kept tensors, several times.
void add_fused_layer_bytes(const Job& job, double stages, StepWork& work) {
  const double saved = saved_bytes(keeping_all(job));
  // Forward is a third of the traffic; recomputation runs it again, and so do passes without
  // gradient.
  const double again = 1 + (job.repeated_share() + job.ungraded_passes()) / 3;
  work.layer_bytes += job.tokens_per_rank() / stages * saved * traffic_passes(job) * again;
}

/// Logits in fp32, whole, by plain operations.
bool plain_logits(const Job& job) {
  constexpr double kWhole = 10;  // bytes per logit: 16-bit ones, fp32 ones, their log-softmax
  const auto cost = job.constants->losses.find(job.loss);
  return cost != job.constants->losses.end() && cost->second.forward >= kWhole;
}

void add_logit_bytes(const Job& job, double ranks, StepWork& work) {
  const bool compiled = job.loss == "chunked" && job.fused_ops;
  const auto cost = job.constants->losses.find(compiled ? "chunked-compiled" : job.loss);
  double bytes = job.constants->value("throughput.logit_bytes");
  // What is kept is written once and read once. A loss fused with the head keeps a chunk: bf16
  // logits and their gradient.
  const bool fused = cost == job.constants->losses.end();
  bytes += 2 * (fused ? 2 + 2 : cost->second.forward + cost->second.backward);
  work.logit_bytes = job.tokens_per_rank() * as_double(1 + job.model->kept_predictions()) *
                     as_double(job.model->head_outputs()) * bytes / ranks;
}

/// Inputs and outputs, each one behind the other, of the projections that carry adapters, and their
/// elements.
struct Adapted {
  double inputs = 0;
  double outputs = 0;
  double elements = 0;
  double projections = 0;
};

Adapted adapted_projections(const Job& job) {
  Adapted found;
  if (job.full()) return found;
  for (const BlockRun& run : job.model->runs) {
    for (const Linear& linear : linears(*job.model, run.block)) {
      if (linear.expert || !job.adapters.targets.contains(linear.name)) continue;
      const double count = as_double(run.count);
      found.inputs += count * as_double(linear.in);
      found.outputs += count * as_double(linear.out);
      found.elements += count * as_double(linear.in * linear.out);
      found.projections += count;
    }
  }
  return found;
}

/// Bytes per token that casts of the branches' inputs move. Under autocast PEFT casts an input to
/// the fp32 of the weights, and autocast casts it back; its 4-bit layers do not, but after k-bit
/// preparation their input is fp32.
double cast_input_bytes(const Job& job, const Adapted& adapted) {
  const bool casts =
      job.adapter_dtype == AdapterDtype::kFp32Autocast && (!job.quantised() || job.kbit_prep);
  if (!casts) return 0;
  const EngineConstants& constants = *job.constants;
  const double dropout = job.dropout > 0 ? constants.value("throughput.adapter_dropout_bytes") : 0;
  return adapted.inputs * (constants.value("throughput.adapter_cast_bytes") + dropout);
}

void add_adapter_bytes(const Job& job, const Adapted& adapted, double ranks, StepWork& work) {
  const double per_feature = job.constants->value("throughput.fused_adapter_bytes");
  const double policy = job.training ? job.training->policy_passes() : 0;
  const double again = 1 + (job.repeated_share() + policy) / 3;
  const double narrow = (adapted.inputs + adapted.outputs) * per_feature * again;
  const double wide = cast_input_bytes(job, adapted) * passes_of(job);
  work.adapter_bytes = job.tokens_per_rank() * (narrow + wide) / ranks;
}

/// DoRA's norms of the updated weights, in every forward.
void add_magnitude_bytes(const Job& job, const Adapted& adapted, double ranks, StepWork& work) {
  if (!job.adapters.magnitudes) return;
  const double forwards = 1 + job.repeated_share();
  work.adapter_bytes +=
      forwards * adapted.elements / ranks * job.constants->value("throughput.dora_bytes");
}

void add_dequantised(const Job& job, double ranks, double expert_ranks, StepWork& work) {
  if (!job.quantised()) return;
  const double passes = passes_of(job);
  for (const BlockRun& run : job.model->runs) {
    const SplitCounts split = split_parameters(*job.model, run.block);
    const double dense = job.experts_alone_packed() ? 0 : as_double(split.matrix);
    work.dequantised +=
        passes * as_double(run.count) *
        (dense / ranks + (job.quantize_experts ? as_double(split.expert) / expert_ranks : 0));
  }
}

void add_fused_kernels(const Job& job, const Adapted& adapted, StepWork& work) {
  const EngineConstants& constants = *job.constants;
  const double layers = as_double(job.model->layers());
  // Some frameworks loop over the experts of a layer.
  const double looped = over_blocks(*job.model, [&](const Block& block) {
    return job.looped_experts && block.moe ? as_double(block.moe->experts) : 0;
  });
  const double per_pass =
      layers * constants.value("throughput.kernels_per_layer") +
      adapted.projections * constants.value("throughput.kernels_per_adapter") +
      looped / as_double(job.layout.ep) *
          constants.value(job.experts_together
                              ? ConstantName("throughput.kernels_per_fallback_expert")
                              : ConstantName("throughput.kernels_per_expert")) +
      (job.quantised() ? layers * constants.value("throughput.kernels_per_quantised_layer") : 0);
  // Backward launches about one and a half as many kernels as forward.
  work.kernels +=
      per_pass * (2.5 + repeated_forward(job) + job.ungraded_passes()) / as_double(job.layout.pp);
}

void add_eager_step(const Job& job, double ranks, StepWork& work) {
  const EagerStep eager = eager_step(job);
  work.layer_bytes += eager.layer_bytes;
  work.adapter_bytes += eager.adapter_bytes;
  if (plain_logits(job)) {
    work.logit_bytes += eager.logit_bytes;
  } else {
    add_logit_bytes(job, ranks, work);
  }
  work.host_seconds =
      eager.host_seconds + work.kernels * job.constants->value("host.launch_us") * 1e-6;
  work.kernels += eager.launches;
}

/// DeepSpeed's stage 3 hooks every module with parameters before and behind each pass, on one GPU
/// as on many; an adapter's two matrices are modules of their own.
double hooked_modules(const Job& job, const Adapted& adapted) {
  if (job.state.live_parameters <= 0) return 0;
  const double of_blocks = over_blocks(*job.model, [&](const Block& block) {
    double own = as_double(block.norms);
    for (const Linear& linear : linears(*job.model, block)) own += as_double(linear.copies);
    return own;
  });
  // With embedding, final norm and head.
  return (3 + 2 * adapted.projections + of_blocks) * passes_of(job);
}

}  // namespace

StepWork step_work(const Job& job) {
  const Layout& layout = job.layout;
  const double ranks = as_double(layout.tp * layout.pp);
  StepWork work;
  add_flops(job, job.tokens_per_rank() / ranks, work);
  for (const BlockRun& run : job.model->runs) {
    if (!run.block.moe) continue;
    // Each rank sends its part of a sequence, which tensor parallelism divides unless it divides
    // the experts too.
    const double parts = as_double(layout.tp) / as_double(layout.etp);
    work.tokens_per_expert = job.tokens_per_rank() / parts *
                             as_double(run.block.moe->experts_per_token) * as_double(layout.ep) /
                             as_double(run.block.moe->experts);
    work.expert_width = as_double(run.block.moe->expert_width) / as_double(layout.etp);
  }
  const Adapted adapted = adapted_projections(job);
  add_casts(job, as_double(layout.pp), work);
  add_teacher(job, job.tokens_per_rank() / ranks, work);
  add_tower(job, work);
  if (job.fused_ops) {
    add_fused_layer_bytes(job, as_double(layout.pp), work);
    add_logit_bytes(job, ranks, work);
    add_adapter_bytes(job, adapted, ranks, work);
    add_fused_kernels(job, adapted, work);
  } else {
    add_eager_step(job, ranks, work);
  }
  add_magnitude_bytes(job, adapted, ranks, work);
  add_dequantised(job, ranks, as_double(layout.expert_split() * layout.pp), work);
  work.hooked_modules = hooked_modules(job, adapted);
  if (job.full() || !layout.fsdp_reentrant) return work;
  // FSDP 1 keeps trained and frozen parameters apart, so both matrices of every adapter are units
  // of their own: each pass gathers or reduces every one of them.
  work.gathered_units = 2 * adapted.projections * passes_of(job) / as_double(layout.pp);
  return work;
}

}  // namespace sizesheet
