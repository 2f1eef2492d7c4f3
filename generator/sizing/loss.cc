// SPDX-License-Identifier: Apache-2.0
#include "sizing/loss.h"

#include <algorithm>
#include <cmath>

namespace sizesheet {

namespace {

/// Plain cross-entropy gathers the whole vocabulary on every tensor-parallel rank; the kernels
/// written for tensor parallelism keep their share.
template <typename N>
N vocabulary(const Job& job, double vocab) {
  const bool plain = std::any_of(kLossNames.begin(), kLossNames.end(), [&](const LossName& one) {
    return one.id == job.loss && one.whole_vocabulary;
  });
  const N all = input<N>("V", vocab);
  if (plain && job.constants->value("loss.plain_gathers_vocabulary") != 0) return all;
  return all / input<N>("tp", static_cast<double>(job.layout.tp));
}

}  // namespace

double fused_linear_chunk(double tokens, double vocab, double hidden) {
  const double slices = std::ceil(vocab / hidden);
  const double share = std::max(1.0, std::ceil(tokens / slices));
  return std::min(tokens, std::exp2(std::ceil(std::log2(share))));
}

template <typename N>
LossBytes<N> loss_bytes(const Job& job) {
  const double vocab = static_cast<double>(job.model->vocab);
  const double hidden = static_cast<double>(job.model->hidden);
  const N t = input<N>("t", job.tokens_per_rank());
  const N v = vocabulary<N>(job, vocab);
  if (job.loss == kFusedLinear) {
    const N h = input<N>("h", hidden);
    const N chunk =
        input<N>("chunk_tokens", fused_linear_chunk(job.tokens_per_rank(), vocab, hidden));
    const N head_gradient = job.head_trains() ? 2.0 * v * h : N(0.0);
    const N bytes = 2.0 * h * t + chunk * v * 4.0 + head_gradient;
    return {bytes, bytes, bytes, 2.0 * h * t};
  }
  const bool compiled = job.loss == "chunked" && job.fused_ops;
  const LossCost& cost =
      job.constants->losses.at(compiled ? std::string(kCompiledChunks) : job.loss);
  const N left = input<N>("b_loss_left", cost.residual) * t * v;
  const N backward = input<N>("b_loss_backward", cost.backward) * t * v;
  // Whole logits: their softmax is gone, cast to 2-byte gradients, when the head's weight gets its
  // own. In chunks the head's gradient grows while logits of later chunks still wait.
  const bool chunks = job.loss == "chunked" || job.constants->value("loss.head_overlaps") != 0;
  return {input<N>("b_loss_forward", cost.forward) * t * v, backward,
          chunks ? backward : left + 2.0 * t * v, left};
}

template LossBytes<double> loss_bytes<double>(const Job&);
template LossBytes<Traced> loss_bytes<Traced>(const Job&);

}  // namespace sizesheet
