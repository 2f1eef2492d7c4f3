// SPDX-License-Identifier: Apache-2.0
// What the sublayers of a block keep for backward, a kind of sublayer after the other.

#include "sizing/memory/sublayers.h"

#include <algorithm>

namespace sizesheet {
namespace {

const char* suffix_of(Sublayer sublayer) {
  constexpr const char* kNames[] = {"attn", "mlp", "moe", "mamba"};
  return kNames[static_cast<int>(sublayer)];
}

/// How many tokens a projection sees for one token of the sequence.
double visits(const Job& job, const Block& block, const Linear& linear) {
  if (!linear.expert) return 1;
  return static_cast<double>(block.moe->experts_per_token) * job.layout.expert_imbalance;
}

bool adapted(const Job& job, const Linear& linear) {
  return linear.expert ? job.adapters.experts != "none"
                       : job.adapters.targets.contains(linear.name);
}

}  // namespace

bool recomputes(const Job& job, const char* module) {
  return job.recompute == Recompute::kModules && job.recompute_modules.contains(module);
}

double residual_bytes(const Job& job) { return job.kbit_prep ? 4 : 2; }

double inner_factor(const Job& job) { return job.kbit_prep && !job.fused_ops ? 2 : 1; }

double saved_input_bytes(const Job& job) {
  return job.precision == Precision::kFp8 ? job.constants->value("fp8.saved_input_bytes") : 2;
}

template <typename N>
N norm_bytes(const Job& job, std::int64_t norms, const N& h) {
  // A sublayer without a norm of its own runs beside its neighbour on the same normalised input.
  if (norms == 0) return 0.0;
  const double count = static_cast<double>(norms);
  // A sublayer without a norm of its own reads another's output, which that norm rebuilds.
  if (recomputes(job, "layernorm")) return residual_bytes(job) * h;
  const N linear_input = job.full() ? saved_input_bytes(job) * h : N(0.0);
  if (job.fused_ops) return count * (residual_bytes(job) * h + 4.0) + linear_input;
  const N weight_input = job.full() ? 2.0 * h : N(0.0);
  return count * (4.0 * h + 4.0 + weight_input) + linear_input;
}

template <typename N>
N adapter_bytes(const Job& job, const BlockScope<N>& scope, const Block& block, Sublayer sublayer,
                const Linears& list, InputGroups saved) {
  if (job.full()) return 0.0;
  const bool shared_input = job.adapter_dtype == AdapterDtype::kBf16 && job.dropout == 0;
  const double width = job.adapter_dtype == AdapterDtype::kFp32 ? 4 : 2;
  const double mask = job.dropout > 0 ? 1 : 0;
  double inputs = 0;
  double outputs = 0;
  double targets = 0;
  for (const Linear& linear : list) {
    if (!adapted(job, linear)) continue;
    const double times = visits(job, block, linear);
    targets += times;
    outputs += times * static_cast<double>(linear.out);
    const bool counts = !shared_input || saved.insert(linear.group);
    if (counts) inputs += times * static_cast<double>(linear.in);
  }
  if (targets == 0) return 0.0;
  const char* suffix = suffix_of(sublayer);
  N bytes = N(width) * scope.in("lora_n_", suffix, targets) *
            input<N>("r", static_cast<double>(job.adapters.rank));
  if (inputs > 0) {
    bytes = N(shared_input ? 2 : width + mask) * scope.in("lora_in_", suffix, inputs) + bytes;
  }
  if (job.adapters.magnitudes) {
    bytes = bytes + input<N>("b_dora", job.constants->value("dora.saved_output_bytes")) *
                        scope.in("lora_out_", suffix, outputs);
  }
  return bytes;
}

template <typename N>
N frozen_input_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                     Sublayer sublayer, const Linears& list) {
  const double width =
      job.base == BaseDtype::kInt8 ? job.constants->value("int8.saved_input_bytes") : 0;
  if (width == 0) return 0.0;
  double inputs = 0;
  InputGroups seen;
  for (const Linear& linear : list) {
    if (linear.name == Projection::kRouter || !seen.insert(linear.group)) continue;
    inputs += visits(job, block, linear) * static_cast<double>(linear.in);
  }
  return width * scope.in("frozen_in_", suffix_of(sublayer), inputs);
}

template double norm_bytes<double>(const Job&, std::int64_t, const double&);
template Traced norm_bytes<Traced>(const Job&, std::int64_t, const Traced&);
template double adapter_bytes<double>(const Job&, const BlockScope<double>&, const Block&, Sublayer,
                                      const Linears&, InputGroups);
template Traced adapter_bytes<Traced>(const Job&, const BlockScope<Traced>&, const Block&, Sublayer,
                                      const Linears&, InputGroups);
template double frozen_input_bytes<double>(const Job&, const BlockScope<double>&, const Block&,
                                           Sublayer, const Linears&);
template Traced frozen_input_bytes<Traced>(const Job&, const BlockScope<Traced>&, const Block&,
                                           Sublayer, const Linears&);

// ---- Attention: queries, keys, values and output of grouped-query or multi-head latent attention,
// and the score matrix where no flash kernel rebuilds it.

namespace {

/// Widths of the saved tensors, elements per token.
template <typename N>
struct AttentionWidths {
  N query = 0.0;
  N keys = 0.0;
  N values = 0.0;
  N output = 0.0;
};

template <typename N>
AttentionWidths<N> widths_of(const Job& job, const BlockScope<N>& scope,
                             const Attention& attention) {
  if (attention.latent) {
    const LatentAttention& mla = *attention.latent;
    const N query = scope.in("q", attention.heads * (mla.nope_dim + mla.rope_dim));
    const N values = scope.in("v", attention.heads * mla.value_dim);
    return {query, query, values, values};
  }
  const N query = scope.in("q", attention.heads * attention.head_dim);
  if (job.attention == AttentionKernel::kFlashRepeatKv) return {query, query, query, query};
  const N kv = scope.in("kv", attention.kv_heads * attention.head_dim);
  return {query, kv, kv, query};
}

/// Norms inside attention: on queries and keys (Qwen3), or on the two latents.
template <typename N>
void add_inner_norms(const Job& job, const BlockScope<N>& scope, const Attention& attention,
                     SublayerBytes<N>& bytes) {
  if (attention.latent) {
    const N latents = scope.in("latents", attention.latent->query_rank + attention.latent->kv_rank);
    bytes.replicated = bytes.replicated + (job.fused_ops ? 4.0 : 6.0) * latents;
  } else if (attention.qk_norm != "none") {
    const N normed = scope.in("q", attention.heads * attention.head_dim) +
                     scope.in("kv", attention.kv_heads * attention.head_dim);
    bytes.split = bytes.split + (job.fused_ops ? 2.0 : 4.0) * normed;
  }
}

/// Ring attention: keys and values of the next rank arrive while those of this one are used.
template <typename N>
N ring_buffers(const Job& job, const AttentionWidths<N>& widths) {
  if (job.layout.cp == 1) return 0.0;
  return input<N>("ring_buffers", job.constants->value("context_parallel.ring_buffers")) * 2.0 *
         (widths.keys + widths.values);
}

}  // namespace

template <typename N>
SublayerBytes<N> attention_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                                 std::int64_t norms) {
  const Attention& attention = *block.attention;
  const N h = input<N>("h", static_cast<double>(job.model->hidden));
  const N a = scope.in("a", attention.heads);
  const AttentionWidths<N> widths = widths_of(job, scope, attention);
  const N tensors = widths.query + widths.keys + widths.values + widths.output;
  SublayerBytes<N> bytes;
  bytes.replicated = norm_bytes(job, norms, h);
  bytes.split = inner_factor(job) * 2.0 * tensors + 4.0 * a;
  add_inner_norms(job, scope, attention, bytes);
  bytes.transient = 4.0 * h + 2.0 * tensors + ring_buffers(job, widths);
  if (job.attention == AttentionKernel::kEager) {
    const N s = input<N>("s", static_cast<double>(job.seq_len));
    const N scores = 6.0 * a * s;
    bytes.split = bytes.split + scores;
    bytes.transient = bytes.transient + 8.0 * a * s;
    if (recomputes(job, "core_attn")) bytes.dropped_split = scores;
  }
  const auto list = linears(*job.model, block, Sublayer::kAttention);
  bytes.split =
      bytes.split +
      adapter_bytes(job, scope, block, Sublayer::kAttention, list, {InputGroup::kAttentionOut}) +
      frozen_input_bytes(job, scope, block, Sublayer::kAttention, list);
  return bytes;
}

template SublayerBytes<double> attention_bytes(const Job&, const BlockScope<double>&, const Block&,
                                               std::int64_t);
template SublayerBytes<Traced> attention_bytes(const Job&, const BlockScope<Traced>&, const Block&,
                                               std::int64_t);

// ---- A Mamba-2 mixer run by the fused scan kernel, which saves its packed input, its output and
// the norm's scale, and rebuilds the states and the convolution in backward.

template <typename N>
SublayerBytes<N> mamba_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                             std::int64_t norms) {
  const Mamba& mamba = *block.mamba;
  const N h = input<N>("h", static_cast<double>(job.model->hidden));
  const N heads = scope.in("heads_m", mamba.heads);
  const N inner = scope.in("inner_m", mamba.heads * mamba.head_dim);
  const N groups = scope.in("groups_m", mamba.groups);
  const N states = scope.in("state_m", mamba.state);
  const N chunk = scope.in("chunk_m", mamba.chunk);
  const N convolved = 2.0 * inner + 2.0 * groups * states;
  SublayerBytes<N> bytes;
  bytes.replicated = norm_bytes(job, norms, h);
  bytes.split = 2.0 * (convolved + heads) + 2.0 * inner + 4.0 * groups;
  bytes.transient =
      4.0 * h + 3.0 * inner * states * 4.0 / chunk + groups * chunk * 4.0 + 2.0 * convolved;
  const auto list = linears(*job.model, block, Sublayer::kMamba);
  InputGroups saved;
  if (job.full()) saved = {InputGroup::kBlock, InputGroup::kMiddle};
  bytes.split = bytes.split + adapter_bytes(job, scope, block, Sublayer::kMamba, list, saved) +
                frozen_input_bytes(job, scope, block, Sublayer::kMamba, list);
  return bytes;
}

template SublayerBytes<double> mamba_bytes(const Job&, const BlockScope<double>&, const Block&,
                                           std::int64_t);
template SublayerBytes<Traced> mamba_bytes(const Job&, const BlockScope<Traced>&, const Block&,
                                           std::int64_t);

// ---- Feed-forward sublayers: the plain MLP, and routed experts with their shared one.

namespace {

/// Bytes per element of the inner width: gate, up and silu(gate) (fused: gate and up), or the input
/// of an ungated activation; and the product when the last projection trains.
double inner_bytes(const Job& job, bool gated) {
  const double trained_input = job.full() ? saved_input_bytes(job) : 0;
  if (!gated) return 2 + trained_input;
  return (job.fused_ops ? 4 : 6) + trained_input;
}

bool has_adapters(const Job& job, const Linears& list) {
  return std::any_of(list.begin(), list.end(), [&](const Linear& linear) {
    return job.adapters.targets.contains(linear.name);
  });
}

/// Eager norms whose weights were cast to fp32 hand fp32 to the experts too.
double routed_factor(const Job& job) {
  return job.constants->value("kbit.widens_experts") != 0 ? inner_factor(job) : 1;
}

/// One token's share of the routed experts, in the rank it is sent to.
template <typename N>
N routed_bytes(const Job& job, const BlockScope<N>& scope, const Moe& moe) {
  const N k = scope.in("k", static_cast<double>(moe.experts_per_token)) *
              input<N>("imbalance", job.layout.expert_imbalance);
  const N width = moe.latent_size > 0 ? scope.in("latent", moe.latent_size)
                                      : input<N>("h", static_cast<double>(job.model->hidden));
  const N inner = scope.in("f_expert", moe.expert_width);
  const N permuted = job.full() ? saved_input_bytes(job) * width : N(0.0);
  // The activation's output is rebuilt from its input, so only the latter stays.
  const double per_element = recomputes(job, "moe_act") && job.full() ? (moe.gated ? 4.0 : 2.0)
                                                                      : inner_bytes(job, moe.gated);
  return k * (permuted + routed_factor(job) * (per_element * inner + 2.0 * width));
}

/// Of the temporaries of all routed tokens, those alive at once: eager experts run one by one,
/// grouped products take all of a rank's together.
template <typename N>
N at_once(const Job& job, const BlockScope<N>& scope, const Moe& moe, const N& routed) {
  if (job.fused_ops || job.constants->value("experts.eager_loop") == 0) return routed;
  return routed * input<N>("ep", static_cast<double>(job.layout.ep)) /
         scope.in("E", static_cast<double>(moe.experts));
}

}  // namespace

template <typename N>
SublayerBytes<N> mlp_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                           std::int64_t norms) {
  const N h = input<N>("h", static_cast<double>(job.model->hidden));
  const N f = scope.in("f", block.mlp->width);
  SublayerBytes<N> bytes;
  bytes.replicated = norm_bytes(job, norms, h);
  bytes.split = inner_factor(job) * inner_bytes(job, block.mlp->gated) * f;
  bytes.transient = 4.0 * h + 4.0 * inner_factor(job) * f;
  const auto list = linears(*job.model, block, Sublayer::kMlp);
  if (!job.full()) {
    // An fp32 adapter outside autocast casts and drops out the input of what it adapts.
    const bool wide = job.adapter_dtype == AdapterDtype::kFp32 && has_adapters(job, list);
    bytes.transient = larger(bytes.transient, (wide ? 12.0 : 6.0) * f);
  }
  if (recomputes(job, "mlp")) {
    bytes.dropped_split = bytes.split;
    bytes.dropped_replicated = bytes.replicated - residual_bytes(job) * h;
  }
  bytes.split = bytes.split + adapter_bytes(job, scope, block, Sublayer::kMlp, list, {}) +
                frozen_input_bytes(job, scope, block, Sublayer::kMlp, list);
  return bytes;
}

template <typename N>
SublayerBytes<N> moe_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                           std::int64_t norms) {
  const Moe& moe = *block.moe;
  const N h = input<N>("h", static_cast<double>(job.model->hidden));
  SublayerBytes<N> bytes;
  bytes.replicated = norm_bytes(job, norms, h);
  bytes.split = routed_bytes(job, scope, moe) + 8.0 * scope.in("E", moe.experts);
  if (moe.shared_width > 0) {
    bytes.split =
        bytes.split + inner_bytes(job, moe.gated) * scope.in("f_shared", moe.shared_width);
  }
  if (moe.latent_size > 0) bytes.split = bytes.split + 4.0 * scope.in("latent", moe.latent_size);
  const N k = scope.in("k", static_cast<double>(moe.experts_per_token)) *
              input<N>("imbalance", job.layout.expert_imbalance);
  const N width = moe.latent_size > 0 ? scope.in("latent", moe.latent_size) : h;
  const N routed =
      routed_factor(job) * k * (4.0 * width + 4.0 * scope.in("f_expert", moe.expert_width));
  bytes.transient = 4.0 * h + at_once<N>(job, scope, moe, routed);
  if (recomputes(job, "moe")) {
    bytes.dropped_split = bytes.split;
    bytes.dropped_replicated = bytes.replicated - residual_bytes(job) * h;
  }
  const auto list = linears(*job.model, block, Sublayer::kMoe);
  InputGroups saved;
  if (job.full()) saved = {InputGroup::kBlock};
  bytes.split = bytes.split + adapter_bytes(job, scope, block, Sublayer::kMoe, list, saved) +
                frozen_input_bytes(job, scope, block, Sublayer::kMoe, list);
  return bytes;
}

template SublayerBytes<double> mlp_bytes(const Job&, const BlockScope<double>&, const Block&,
                                         std::int64_t);
template SublayerBytes<Traced> mlp_bytes(const Job&, const BlockScope<Traced>&, const Block&,
                                         std::int64_t);
template SublayerBytes<double> moe_bytes(const Job&, const BlockScope<double>&, const Block&,
                                         std::int64_t);
template SublayerBytes<Traced> moe_bytes(const Job&, const BlockScope<Traced>&, const Block&,
                                         std::int64_t);

}  // namespace sizesheet
