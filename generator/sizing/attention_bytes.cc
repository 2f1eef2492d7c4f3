// SPDX-License-Identifier: Apache-2.0
// Attention: queries, keys, values and output of grouped-query or multi-head latent attention, and
// the score matrix where no flash kernel rebuilds it.
#include "sizing/sublayer_bytes.h"

namespace sizesheet {
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

}  // namespace sizesheet
