// SPDX-License-Identifier: Apache-2.0
// What a stage and the loss keep for backward.

#include <algorithm>
#include <cmath>

#include "sizing/memory/pieces.h"
#include "sizing/memory/sublayers.h"

namespace sizesheet {
namespace {

/// DoRA builds the whole product of its two factors to take the norm of the updated weight.
template <typename N>
N magnitude_workspace(const Job& job, const Stage& stage) {
  if (!job.adapters.magnitudes || job.full()) return 0.0;
  double largest = 0;
  for (const StageKind& kind : stage.kinds) {
    for (const Linear& linear : linears(*job.model, kind.block)) {
      if (linear.expert || !job.adapters.targets.contains(linear.name)) continue;
      const double in = as_double(linear.in);
      largest = std::max(largest, in * in + 2 * in * as_double(linear.out));
    }
  }
  const double width = job.adapter_dtype == AdapterDtype::kBf16 ? 2 : 4;
  return width * input<N>("dora_elements", largest) / tensor_parallel<N>(job);
}

}  // namespace

template <typename N>
void add_activations(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const N t = input<N>("t", job.tokens_per_rank());
  const N h = hidden_size<N>(job);
  const N sp = input<N>("sp", sequence_split(job));
  N kept = 0.0;
  N widest_kept = 0.0;
  N widest = 0.0;
  N temporaries = 0.0;
  int number = 0;
  for (const StageKind& kind : stage.kinds) {
    const BlockActivations<N> block = block_activations<N>(job, kind.block, number);
    const BlockScope<N> scope(job, kind.block, number);
    kept = kept + scope.in("L", kind.count) * block.kept;
    widest_kept = number == 0 ? block.kept : larger(widest_kept, block.kept);
    widest = number == 0 ? block.rebuilt : larger(widest, block.rebuilt);
    temporaries = number == 0 ? block.transient : larger(temporaries, block.transient);
    ++number;
  }
  if (stage.in_flight != 1) kept = kept * input<N>("in_flight", stage.in_flight);
  if (job.activation_offload) {
    // An offloading hook leaves the two widest blocks in flight on the GPU.
    const N stays = smaller(kept, 2.0 * widest_kept);
    pieces.host_activations = (kept - stays) * t;
    kept = stays;
  }
  if (stage.first && job.constants->value("activation.embedding_output") != 0) {
    kept = kept + checkpoint_bytes<N>(job);
  }
  if (job.layout.fsdp_reentrant) {
    // The last block's is not there yet, and the first one's is in the block's own working set.
    std::int64_t others = -2;
    for (const StageKind& kind : stage.kinds) others += kind.count;
    others = std::max<std::int64_t>(0, others);
    pieces.held = input<N>("L_held", as_double(others)) * checkpoint_bytes<N>(job) * t;
  }
  // The final norm keeps its fp32 input when ops are eager; the head keeps its own input.
  if (stage.last) kept = kept + (job.fused_ops ? 4.0 : 6.0) * h / sp;
  pieces.kept = kept * t;
  pieces.temporaries = temporaries * t + magnitude_workspace<N>(job, stage);
  if (job.recompute != Recompute::kNone) pieces.block = widest * t;
}

template void add_activations<double>(const Job&, const Stage&, Pieces<double>&);
template void add_activations<Traced>(const Job&, const Stage&, Pieces<Traced>&);

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
  return all / tensor_parallel<N>(job);
}

/// Tokens of one chunk of fused linear cross-entropy: nextpow2(ceil(t / ceil(V / h))), at most t.
double fused_linear_chunk(double tokens, double vocab, double hidden) {
  const double slices = std::ceil(vocab / hidden);
  const double share = std::max(1.0, std::ceil(tokens / slices));
  return std::min(tokens, std::exp2(std::ceil(std::log2(share))));
}

}  // namespace

template <typename N>
LossBytes<N> loss_bytes(const Job& job) {
  const double vocab = as_double(job.model->vocab);
  const double hidden = as_double(job.model->hidden);
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
