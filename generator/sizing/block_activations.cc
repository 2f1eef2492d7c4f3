// SPDX-License-Identifier: Apache-2.0
#include "sizing/block_activations.h"

#include "sizing/sublayer_bytes.h"

namespace sizesheet {
namespace {

constexpr const char* kSavedNames[] = {"saved_attention", "saved_mlp", "saved_moe", "saved_mamba"};

template <typename N>
SublayerBytes<N> sublayer_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                                Sublayer sublayer, std::int64_t norms) {
  switch (sublayer) {
    case Sublayer::kAttention:
      return attention_bytes(job, scope, block, norms);
    case Sublayer::kMlp:
      return mlp_bytes(job, scope, block, norms);
    case Sublayer::kMoe:
      return moe_bytes(job, scope, block, norms);
    case Sublayer::kMamba:
      return mamba_bytes(job, scope, block, norms);
  }
  return {};
}

/// Selective recompute keeps the block input, the attention output and every other matmul output.
template <typename N>
N selective_bytes(const Job& job, const BlockScope<N>& scope, const Block& block) {
  double outputs = 0;
  std::size_t index = 0;
  for (const Linear& linear : linears(*job.model, block)) {
    if (index++ % 2 != 0) continue;
    const double visits = linear.expert ? static_cast<double>(block.moe->experts_per_token) : 1;
    outputs += visits * static_cast<double>(linear.out);
  }
  N split = 2.0 * scope.in("kept_out", outputs);
  if (block.attention) {
    const Attention& attention = *block.attention;
    const std::int64_t width = attention.latent ? attention.latent->value_dim : attention.head_dim;
    split = split + 2.0 * scope.in("attention_out", attention.heads * width) +
            4.0 * scope.in("a", attention.heads);
  }
  return checkpoint_bytes<N>(job) + split / input<N>("tp", static_cast<double>(job.layout.tp));
}

}  // namespace

double sequence_split(const Job& job) {
  const bool split = job.layout.sequence_parallel || job.layout.tp == 1;
  return split ? static_cast<double>(job.layout.tp) : 1.0;
}

template <typename N>
N checkpoint_bytes(const Job& job) {
  return residual_bytes(job) * input<N>("h", static_cast<double>(job.model->hidden)) /
         input<N>("sp", sequence_split(job));
}

template <typename N>
BlockActivations<N> block_activations(const Job& job, const Block& block, int kind) {
  const BlockScope<N> scope(kind);
  const N tp = input<N>("tp", static_cast<double>(job.layout.tp));
  const N sp = input<N>("sp", sequence_split(job));
  const Sublayers parts = sublayers(block);
  std::int64_t norms_left = block.norms;
  std::int64_t parts_left = static_cast<std::int64_t>(parts.size());
  BlockActivations<N> total;
  for (const Sublayer sublayer : parts) {
    // Norms are shared out from the front: of three in a block of two sublayers, two go first.
    const std::int64_t norms = (norms_left + parts_left - 1) / parts_left;
    norms_left -= norms;
    --parts_left;
    const SublayerBytes<N> bytes = sublayer_bytes(job, scope, block, sublayer, norms);
    const N saved = scope.named_step(kSavedNames[static_cast<int>(sublayer)],
                                     bytes.replicated / sp + bytes.split / tp);
    total.saved = total.saved + saved;
    total.rebuilt = value_of(total.rebuilt) == 0 ? saved : larger(total.rebuilt, saved);
    total.kept = total.kept + saved - bytes.dropped_replicated / sp - bytes.dropped_split / tp;
    const N transient = bytes.transient / tp;
    total.transient =
        value_of(total.transient) == 0 ? transient : larger(total.transient, transient);
  }
  if (job.recompute != Recompute::kSublayer) total.rebuilt = total.saved;
  if (job.recompute == Recompute::kFull) total.kept = checkpoint_bytes<N>(job);
  if (job.recompute == Recompute::kSublayer) {
    // The input of each norm and of each sublayer behind it.
    total.kept = 2.0 * static_cast<double>(parts.size()) * checkpoint_bytes<N>(job);
  }
  if (job.recompute == Recompute::kSelective) total.kept = selective_bytes(job, scope, block);
  return total;
}

template BlockActivations<double> block_activations<double>(const Job&, const Block&, int);
template BlockActivations<Traced> block_activations<Traced>(const Job&, const Block&, int);
template double checkpoint_bytes<double>(const Job&);
template Traced checkpoint_bytes<Traced>(const Job&);

}  // namespace sizesheet
