// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/sublayers.h"

#include <algorithm>

#include "catalog/facts/engine_constants.h"
#include "catalog/facts/method.h"
#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/memory/mixers.h"
#include "sizing/memory/pieces.h"
#include "sizing/model/parameters.h"
#include "support/named.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

std::string_view suffix_of(Sublayer sublayer) { return facts_of(sublayer).suffix; }

/// How many tokens a projection sees for one token of the sequence.
double visits(const Job& job, const Block& block, const Linear& linear) {
  if (!linear.expert) return 1;
  return as_double(block.moe->experts_per_token) * job.layout.expert_imbalance;
}

bool adapted(const Job& job, const Linear& linear) {
  return linear.expert ? job.adapters.experts != "none"
                       : job.adapters.targets.contains(linear.name);
}

/// Width of the residual stream: 2 bytes, 4 after k-bit preparation and under autocast.
double residual_bytes(const Job& job) {
  return job.kbit_prep || job.trains_under_autocast() ? 4 : 2;
}

/// Bytes of a saved input of a trained projection: 2, under fp8 the width of the quantised copy.
double saved_input_bytes(const Job& job) {
  return job.precision == Precision::kFp8 ? job.fp8_input_bytes : 2;
}

/// Copies in 16 bits of a sublayer's normed input: autocast casts it for each projection anew.
double input_copies(const Job& job, const Linears& list) {
  if (!job.trains_under_autocast()) return 1;
  const bool one = list.empty() || job.packed_qkv;
  if (one) return 1;
  return as_double(std::ranges::count_if(list, [&](const Linear& linear) {
    return linear.group == list.front().group && !linear.expert;
  }));
}

/// The pre-norms of a sublayer and the input its first projections share.
template <typename N>
N norm_bytes(const Job& job, std::int64_t norms, const N& h, const Linears& list) {
  // A sublayer without a norm of its own runs beside its neighbour on the same normalised input.
  if (norms == 0) return 0.0;
  const double count = as_double(norms);
  // A sublayer without a norm of its own reads another's output, which that norm rebuilds.
  if (recomputes(job, "layernorm")) return residual_bytes(job) * h;
  const N linear_input = job.full() ? input_copies(job, list) * saved_input_bytes(job) * h : N(0.0);
  // LayerNorm keeps a mean beside the scale.
  const double statistics = job.model->layer_norm ? 8 : 4;
  if (job.fused_ops) return count * (residual_bytes(job) * h + statistics) + linear_input;
  const N weight_input = job.full() ? norm_output_bytes(job) * h : N(0.0);
  return count * (4.0 * h + 4.0 + weight_input) + linear_input;
}

/// What the adapters of a sublayer save: their inputs, unless other operations hold them already,
/// and the rank-r middle; DoRA also both products that its magnitude scales.
template <typename N>
N adapter_bytes(const BlockScope<N>& scope, Sublayer sublayer, const Linears& list) {
  const Job& job = scope.job;
  if (job.full()) return 0.0;
  const bool shared_input = job.adapter_dtype == AdapterDtype::kBf16 && job.dropout == 0;
  const double width = job.adapter_dtype == AdapterDtype::kFp32 ? 4 : 2;
  const double mask = job.dropout > 0 ? 1 : 0;
  double inputs = 0;
  double outputs = 0;
  double targets = 0;
  const bool apart =
      job.adapters.fused == FusedModules::kNone || job.constants->value("adapters.by_module") == 0;
  InputGroups modules;
  InputGroups saved;
  if (sublayer == Sublayer::kAttention) saved = {InputGroup::kAttentionOut};
  for (const Linear& linear : list) {
    if (!adapted(job, linear)) continue;
    const double times = visits(job, scope.block, linear);
    outputs += times * as_double(linear.out);
    // Fused projections of one input are one module, with one adapter.
    const bool first = modules.insert(linear.group) || apart;
    if (!first) continue;
    targets += times;
    const bool counts = !shared_input || saved.insert(linear.group);
    if (counts) inputs += times * as_double(linear.in);
  }
  if (targets == 0) return 0.0;
  const std::string_view suffix = suffix_of(sublayer);
  N bytes =
      N(width) * scope.in("lora_n_", suffix, targets) * input<N>("r", as_double(job.adapters.rank));
  if (inputs > 0) {
    bytes = N(shared_input ? 2 : width + mask) * scope.in("lora_in_", suffix, inputs) + bytes;
  }
  if (job.adapters.magnitudes) {
    bytes = bytes + input<N>("b_dora", job.constants->value("dora.saved_output_bytes")) *
                        scope.in("lora_out_", suffix, outputs);
  }
  return bytes;
}

/// Inputs of projections that an int8 base saves for its own backward, or that training rounds.
template <typename N>
N quantised_input_bytes(const BlockScope<N>& scope, Sublayer sublayer, const Linears& list) {
  const Job& job = scope.job;
  const EngineConstants& constants = *job.constants;
  const double width = job.base == BaseDtype::kInt8 ? constants.value("int8.saved_input_bytes")
                       : job.fake_quantised_inputs  ? constants.value("qat.activation_bytes")
                                                    : 0;
  if (width == 0) return 0.0;
  double inputs = 0;
  InputGroups seen;
  for (const Linear& linear : list) {
    if (linear.name == Projection::kRouter || !seen.insert(linear.group)) continue;
    inputs += visits(job, scope.block, linear) * as_double(linear.in);
  }
  return width * scope.in("frozen_in_", suffix_of(sublayer), inputs);
}

// ---- Feed-forward sublayers: the plain MLP, and routed experts with their shared one.

/// Bytes per element of the inner width: gate, up and silu(gate) (fused: gate and up), or the input
/// of an ungated activation; and the product when the last projection trains.
double inner_bytes(const Job& job, bool gated) {
  const double trained_input = job.full() ? saved_input_bytes(job) : 0;
  if (!gated) return 2 + trained_input;
  if (job.fp8_activation_input) {
    return 2 * job.constants->value("fp8.activation_input_bytes") + trained_input;
  }
  return (job.fused_ops ? 4 : 6) + trained_input;
}

/// Eager norms whose weights were cast to fp32 hand fp32 to the experts too.
double routed_factor(const Job& job) {
  return job.constants->value("kbit.widens_experts") != 0 ? inner_factor(job) : 1;
}

/// Experts that one token visits, in the rank it is sent to.
template <typename N>
N visited_experts(const BlockScope<N>& scope) {
  return scope.in("k", scope.block.moe->experts_per_token) *
         input<N>("imbalance", scope.job.layout.expert_imbalance);
}

/// One token's share of the routed experts; `width`: of what goes into an expert.
template <typename N>
N routed_bytes(const BlockScope<N>& scope, const N& width) {
  const Job& job = scope.job;
  const Moe& moe = *scope.block.moe;
  const N inner = scope.in("f_expert", moe.expert_width);
  const N permuted = job.full() ? saved_input_bytes(job) * width : N(0.0);
  // The activation's output is rebuilt from its input, so only the latter stays.
  const double per_element = recomputes(job, "moe_act") && job.full() ? (moe.gated ? 4.0 : 2.0)
                                                                      : inner_bytes(job, moe.gated);
  return visited_experts(scope) *
         (permuted + routed_factor(job) * (per_element * inner + 2.0 * width));
}

/// Of the temporaries of all routed tokens, those alive at once: eager experts run one by one,
/// grouped products take all of a rank's together.
template <typename N>
N at_once(const BlockScope<N>& scope, const N& routed) {
  const Job& job = scope.job;
  if (job.experts_together || job.constants->value("experts.eager_loop") == 0) return routed;
  return routed * input<N>("ep", as_double(job.layout.ep)) /
         scope.in("E", scope.block.moe->experts);
}

template <typename N>
void put_mlp(const BlockScope<N>& scope, const N& h, const Linears& list, SublayerBytes<N>& bytes) {
  const Job& job = scope.job;
  const N f = scope.in("f", scope.block.mlp->width);
  bytes.split = inner_factor(job) * inner_bytes(job, scope.block.mlp->gated) * f;
  // Liger's kernels, which a loss fused with the head comes with, write the gradients of gate and
  // up over both, so that backward has only that of the product beside them.
  const bool in_place = scope.block.mlp->gated && job.fused_ops && job.loss == kFusedLinear &&
                        job.constants->value("liger.in_place") != 0;
  bytes.transient = 4.0 * h + (in_place ? 2.0 : 4.0 * inner_factor(job)) * f;
  if (job.full()) return;
  // An fp32 adapter outside autocast casts and drops out the input of what it adapts.
  const bool wide = job.adapter_dtype == AdapterDtype::kFp32 &&
                    std::ranges::any_of(list, [&](const Linear& linear) {
                      return job.adapters.targets.contains(linear.name);
                    });
  bytes.transient = larger(bytes.transient, (wide ? 12.0 : 6.0) * f);
}

template <typename N>
void put_moe(const BlockScope<N>& scope, const N& h, SublayerBytes<N>& bytes) {
  const Job& job = scope.job;
  const Moe& moe = *scope.block.moe;
  const N width = moe.latent_size > 0 ? scope.in("latent", moe.latent_size) : h;
  bytes.split = routed_bytes(scope, width) + 8.0 * scope.in("E", moe.experts);
  if (moe.shared_width > 0) {
    bytes.split =
        bytes.split + inner_bytes(job, moe.gated) * scope.in("f_shared", moe.shared_width);
  }
  if (moe.latent_size > 0) bytes.split = bytes.split + 4.0 * scope.in("latent", moe.latent_size);
  const N routed = routed_factor(job) * visited_experts(scope) *
                   (4.0 * width + 4.0 * scope.in("f_expert", moe.expert_width));
  bytes.transient = 4.0 * h + at_once(scope, routed);
}

// ---- A block: its sublayers put together.

template <typename N>
SublayerBytes<N> sublayer_bytes(const BlockScope<N>& scope, Sublayer sublayer, std::int64_t norms) {
  const Job& job = scope.job;
  const N h = hidden_size<N>(job);
  const Linears list = linears(*job.model, scope.block, sublayer);
  SublayerBytes<N> bytes;
  bytes.replicated = norm_bytes(job, norms, h, list);
  if (sublayer == Sublayer::kMlp) {
    put_mlp(scope, h, list, bytes);
  } else if (sublayer == Sublayer::kMoe) {
    put_moe(scope, h, bytes);
  } else {
    put_mixer(scope, sublayer, h, bytes);
  }
  if (recomputes(job, suffix_of(sublayer))) {
    bytes.dropped_split = bytes.split;
    bytes.dropped_replicated = bytes.replicated - residual_bytes(job) * h;
  }
  bytes.split = bytes.split + adapter_bytes(scope, sublayer, list) +
                quantised_input_bytes(scope, sublayer, list);
  return bytes;
}

/// Selective recompute keeps the block input, the attention output and every other matmul output.
template <typename N>
N selective_bytes(const BlockScope<N>& scope) {
  const Job& job = scope.job;
  const Block& block = scope.block;
  double outputs = 0;
  std::size_t index = 0;
  for (const Linear& linear : linears(*job.model, block)) {
    if (index++ % 2 != 0) continue;
    const double visits = linear.expert ? as_double(block.moe->experts_per_token) : 1;
    outputs += visits * as_double(linear.out);
  }
  N split = 2.0 * scope.in("kept_out", outputs);
  if (block.attention) {
    const Attention& attention = *block.attention;
    split = split + 2.0 * scope.in("attention_out", attention.value_width()) +
            4.0 * scope.in("a", attention.heads);
  }
  return checkpoint_bytes<N>(job) + split / tensor_parallel<N>(job);
}

}  // namespace

double norm_output_bytes(const Job& job) {
  const bool in_fp32 = job.model->model_type.starts_with("gemma") && job.counts_tensors();
  return in_fp32 || job.trains_under_autocast() ? 4 : 2;
}

Job trained_in_16_bits(const Job& job) {
  Job full = job;
  full.kind = MethodKind::kFull;
  full.base = BaseDtype::kTrained;
  full.adapters = {};
  full.trained_whole.clear();
  full.dropout = 0;
  full.precision = Precision::kBf16;
  full.fake_quantised = full.fake_quantised_inputs = false;
  full.fp8_activation_input = false;
  full.packed_qkv = false;
  return full;
}

double sequence_split(const Job& job) {
  const bool split = job.layout.sequence_parallel || job.layout.tp == 1;
  return split ? as_double(job.layout.tp) : 1.0;
}

template <typename N>
N checkpoint_bytes(const Job& job) {
  return residual_bytes(job) * hidden_size<N>(job) / input<N>("sp", sequence_split(job));
}

template <typename N>
BlockActivations<N> block_activations(const Job& job, const Block& block, int kind) {
  const BlockScope<N> scope(job, block, kind);
  const N tp = tensor_parallel<N>(job);
  const N sp = input<N>("sp", sequence_split(job));
  const Sublayers parts = sublayers(block);
  std::int64_t norms_left = block.norms;
  std::int64_t parts_left = std::ssize(parts);
  BlockActivations<N> total;
  for (const Sublayer sublayer : parts) {
    // Norms are shared out from the front: of three in a block of two sublayers, two go first.
    const std::int64_t norms = (norms_left + parts_left - 1) / parts_left;
    norms_left -= norms;
    --parts_left;
    const SublayerBytes<N> bytes = sublayer_bytes(scope, sublayer, norms);
    const N saved =
        scope.named_step(facts_of(sublayer).saved, bytes.replicated / sp + bytes.split / tp);
    total.saved = total.saved + saved;
    total.rebuilt = value_of(total.rebuilt) == 0 ? saved : larger(total.rebuilt, saved);
    total.kept = total.kept + saved - bytes.dropped_replicated / sp - bytes.dropped_split / tp;
    const N transient = bytes.transient / tp;
    total.transient =
        value_of(total.transient) == 0 ? transient : larger(total.transient, transient);
  }
  // The two states that it joins, before their norms and behind them.
  if (block.predicts_further) {
    const N joined = scope.named_step("saved_joined", 8.0 * hidden_size<N>(job) / sp);
    total.saved = total.saved + joined;
    total.kept = total.kept + joined;
  }
  if (job.recompute != Recompute::kSublayer) total.rebuilt = total.saved;
  if (job.recompute == Recompute::kFull) total.kept = checkpoint_bytes<N>(job);
  if (job.recompute == Recompute::kSublayer) {
    // The input of each norm and of each sublayer behind it.
    total.kept = 2.0 * static_cast<double>(parts.size()) * checkpoint_bytes<N>(job);
  }
  if (job.recompute == Recompute::kSelective) total.kept = selective_bytes(scope);
  return total;
}

template BlockActivations<double> block_activations<double>(const Job&, const Block&, int);
template BlockActivations<Traced> block_activations<Traced>(const Job&, const Block&, int);
template double checkpoint_bytes<double>(const Job&);
template Traced checkpoint_bytes<Traced>(const Job&);

}  // namespace sizesheet
