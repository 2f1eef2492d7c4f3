// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/mixers.h"

#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/sublayers.h"
#include "sizing/model/parameters.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

// ---- Attention: queries, keys, values and output of grouped-query or multi-head latent attention,
// and the score matrix where no flash kernel rebuilds it.

/// Widths of the saved tensors, elements per token.
template <typename N>
struct AttentionWidths {
  N query = 0.0;
  N keys = 0.0;
  N values = 0.0;
  N output = 0.0;
};

template <typename N>
AttentionWidths<N> widths_of(const BlockScope<N>& scope) {
  const Attention& attention = *scope.block.attention;
  if (attention.latent) {
    const LatentAttention& mla = *attention.latent;
    const N query = scope.in("q", attention.heads * (mla.nope_dim + mla.rope_dim));
    const N values = scope.in("v", attention.heads * mla.value_dim);
    return {query, query, values, values};
  }
  const N query = scope.in("q", attention.heads * attention.head_dim);
  const std::int64_t value_dim = attention.value_dim > 0 ? attention.value_dim : attention.head_dim;
  const bool narrow = value_dim != attention.head_dim;
  const N output = narrow ? scope.in("v", attention.value_width()) : query;
  if (scope.job.attention == AttentionKernel::kFlashRepeatKv) return {query, query, output, output};
  // What an earlier layer keeps is kept once.
  if (attention.shares_kv) return {query, N(0.0), N(0.0), output};
  const N kv = scope.in("kv", attention.kv_heads * attention.head_dim);
  return {query, kv, narrow ? scope.in("kv_v", attention.kv_heads * value_dim) : kv, output};
}

/// What the norms of queries and keys hand to their weights: autocast's projections answer in 16
/// bits.
double inner_norm_output(const Job& job) {
  return job.trains_under_autocast() ? 2 : norm_output_bytes(job);
}

/// Norms inside attention: on queries and keys (Qwen3), or on the two latents.
template <typename N>
void add_inner_norms(const BlockScope<N>& scope, SublayerBytes<N>& bytes) {
  const Attention& attention = *scope.block.attention;
  if (attention.latent) {
    const N latents = scope.in("latents", attention.latent->query_rank + attention.latent->kv_rank);
    bytes.replicated = bytes.replicated + (scope.job.fused_ops ? 4.0 : 6.0) * latents;
  } else if (attention.qk_norm != "none") {
    N normed = scope.in("q", attention.heads * attention.head_dim);
    if (!attention.shares_kv) {
      normed = normed + scope.in("kv", attention.kv_heads * attention.head_dim);
    }
    const bool trained = scope.job.full() && scope.job.counts_tensors();
    const double weight_input = trained ? inner_norm_output(scope.job) : 0;
    bytes.split = bytes.split + ((scope.job.fused_ops ? 2.0 : 4.0) + weight_input) * normed;
  }
}

/// Ring attention: keys and values of the next rank arrive while those of this one are used.
template <typename N>
N ring_buffers(const Job& job, const AttentionWidths<N>& widths) {
  if (job.layout.cp == 1) return 0.0;
  return input<N>("ring_buffers", job.constants->value("context_parallel.ring_buffers")) * 2.0 *
         (widths.keys + widths.values);
}

/// Values that are a view keep the whole packed projection; repeated for every head they are a
/// copy.
template <typename N>
N packed_bytes(const Job& job, const Attention& attention, const AttentionWidths<N>& widths) {
  const bool repeated =
      job.attention == AttentionKernel::kFlashRepeatKv && attention.kv_heads < attention.heads;
  if (!job.packed_qkv || attention.latent || repeated) return 0.0;
  return 2.0 * (widths.query + widths.keys);
}

/// Attention over the positions that an indexer chose runs on the latents themselves: queries as
/// wide as they for every head, one key for all heads, the indices, and outputs in the latent space
/// that the values' projection takes from there.
template <typename N>
void put_indexed_attention(const BlockScope<N>& scope, const N& h, SublayerBytes<N>& bytes) {
  const Job& job = scope.job;
  const Attention& attention = *scope.block.attention;
  const LatentAttention& mla = *attention.latent;
  const N a = scope.in("a", attention.heads);
  const N rank = scope.in("kv_rank", mla.kv_rank);
  const N key = rank + scope.in("rope_dim", mla.rope_dim);
  const N query = a * key;
  const N output = a * rank + a * scope.in("v_dim", mla.value_dim);
  const N unabsorbed = job.full() ? a * scope.in("nope_dim", mla.nope_dim) : N(0.0);
  bytes.split = inner_factor(job) * 2.0 * (query + output + unabsorbed) + 4.0 * a;
  bytes.replicated =
      bytes.replicated + 2.0 * key + 4.0 * scope.in("index_topk", attention.indexer->positions);
  add_inner_norms(scope, bytes);
  bytes.transient = 4.0 * h + 2.0 * (query + output);
}

/// A gate on the output of attention keeps its sigmoid and the output before it.
template <typename N>
N gate_bytes(const BlockScope<N>& scope) {
  const Attention& attention = *scope.block.attention;
  if (attention.gate == 0) return 0.0;
  return 2.0 * scope.in("gate", attention.gate) + 2.0 * scope.in("gated", attention.value_width());
}

/// Bytes of a score of plain attention: kept for backward, and beside it while it runs backward.
struct ScoreBytes {
  double kept = 0;
  double transient = 0;
};

/// The softmax of gpt-oss answers in the number type of its input: 16 bits, also under autocast.
/// Others keep its fp32 result, and a copy in 16 bits for the product.
ScoreBytes score_bytes(const Job& job) {
  if (!job.counts_tensors()) return {6, 8};
  if (job.model->model_type == "gpt_oss") return {2, 4};
  return {6, 6};
}

template <typename N>
void put_attention(const BlockScope<N>& scope, const N& h, SublayerBytes<N>& bytes) {
  const Job& job = scope.job;
  if (scope.block.attention->indexer && scope.block.attention->latent) {
    return put_indexed_attention(scope, h, bytes);
  }
  const N a = scope.in("a", scope.block.attention->heads);
  const AttentionWidths<N> widths = widths_of(scope);
  const N tensors = widths.query + widths.keys + widths.values + widths.output;
  bytes.split = inner_factor(job) * 2.0 * tensors + 4.0 * a +
                packed_bytes(job, *scope.block.attention, widths) + gate_bytes(scope);
  add_inner_norms(scope, bytes);
  bytes.transient = 4.0 * h + 2.0 * tensors + ring_buffers(job, widths);
  if (job.attention != AttentionKernel::kEager) return;
  const N s = input<N>("s", as_double(job.seq_len));
  const ScoreBytes each = score_bytes(job);
  const N scores = each.kept * a * s;
  bytes.split = bytes.split + scores;
  bytes.transient = job.counts_tensors() ? larger(bytes.transient, each.transient * a * s)
                                         : bytes.transient + each.transient * a * s;
  if (recomputes(job, "core_attn")) bytes.dropped_split = scores;
}

// ---- A Mamba-2 mixer run by the fused scan kernel, which saves its packed input, its output and
// the norm's scale, and rebuilds the states and the convolution in backward.

template <typename N>
void put_mamba(const BlockScope<N>& scope, const N& h, SublayerBytes<N>& bytes) {
  const Mamba& mamba = *scope.block.mamba;
  const N heads = scope.in("heads_m", mamba.heads);
  const N inner = scope.in("inner_m", mamba.heads * mamba.head_dim);
  const N groups = scope.in("groups_m", mamba.groups);
  const N states = scope.in("state_m", mamba.state);
  const N chunk = scope.in("chunk_m", mamba.chunk);
  const N convolved = 2.0 * inner + 2.0 * groups * states;
  bytes.split = 2.0 * (convolved + heads) + 2.0 * inner + 4.0 * groups;
  bytes.transient =
      4.0 * h + 3.0 * inner * states * 4.0 / chunk + groups * chunk * 4.0 + 2.0 * convolved;
}

// ---- A Gated DeltaNet run by chunks of 64 positions: the convolution keeps its input; the rule
// keeps queries and keys before and behind their norm, values, decay, write strength and the
// matrices of a chunk, and rebuilds its states; the gated norm keeps its input and the gate.

template <typename N>
void put_delta(const BlockScope<N>& scope, const N& h, SublayerBytes<N>& bytes) {
  constexpr double kChunk = 64;
  constexpr double kScalars = 14;  // bytes a head: scales of both norms, decay, write strength
  const LinearAttention& linear = *scope.block.linear;
  const N keys = scope.in("keys_d", linear.key_width());
  const N values = scope.in("values_d", linear.value_width());
  const N heads = scope.in("heads_d", linear.value_heads);
  bytes.split = 8.0 * keys + 10.0 * values + (2 * kChunk + kScalars) * heads;
  const N states = 4.0 * heads * scope.in("key_dim_d", linear.key_dim) *
                   scope.in("value_dim_d", linear.value_dim) / kChunk;
  bytes.transient = 4.0 * h + states + 8.0 * keys + 6.0 * values;
}

/// A short convolution keeps both gates and its input packed, the gated input, and its output
/// before and behind the gate.
template <typename N>
void put_convolution(const N& h, SublayerBytes<N>& bytes) {
  bytes.split = 12.0 * h;
  bytes.transient = 12.0 * h;
}

/// The gate's output, its activation and the product with the layer's own embedding; the projection
/// back is normed.
template <typename N>
void put_per_layer(const BlockScope<N>& scope, const N& h, SublayerBytes<N>& bytes) {
  bytes.split = 6.0 * scope.in("p", scope.block.per_layer_width);
  bytes.transient = 4.0 * h;
}

}  // namespace

template <typename N>
void put_mixer(const BlockScope<N>& scope, Sublayer sublayer, const N& h, SublayerBytes<N>& bytes) {
  if (sublayer == Sublayer::kAttention) put_attention(scope, h, bytes);
  if (sublayer == Sublayer::kMamba) put_mamba(scope, h, bytes);
  if (sublayer == Sublayer::kLinear) put_delta(scope, h, bytes);
  if (sublayer == Sublayer::kConvolution) put_convolution(h, bytes);
  if (sublayer == Sublayer::kPerLayer) put_per_layer(scope, h, bytes);
}

template void put_mixer(const BlockScope<double>&, Sublayer, const double&, SublayerBytes<double>&);
template void put_mixer(const BlockScope<Traced>&, Sublayer, const Traced&, SublayerBytes<Traced>&);

}  // namespace sizesheet
