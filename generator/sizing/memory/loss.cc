// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/loss.h"

#include <algorithm>
#include <cmath>

#include "catalog/facts/engine_constants.h"
#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// Whether the job's loss is one of those that do so.
bool loss_does(const Job& job, bool LossName::*what) {
  const auto found = std::ranges::find(kLossNames, job.loss, &LossName::id);
  return found != kLossNames.end() && *found.*what;
}

/// Plain cross-entropy gathers the whole vocabulary on every tensor-parallel rank; the kernels
/// written for tensor parallelism keep their share.
template <typename N>
N vocabulary(const Job& job, double vocab) {
  const bool plain = loss_does(job, &LossName::whole_vocabulary);
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

/// Liger's losses over pairs, or over two models' logits: the head's gradient once to add up in and
/// once of the chunk, trained or not; hidden states of both models and their gradient; and the
/// logits of a chunk, of one example's whole sequences or of so many tokens.
template <typename N>
void add_fused_objective(const Job& job, Pieces<N>& pieces) {
  const TrainingObjective& training = *job.training;
  const N t = input<N>("t", job.tokens_per_rank());
  const N v = input<N>("V", as_double(job.model->vocab));
  const N h = hidden_size<N>(job);
  const bool distils = training.teacher != nullptr;
  const double example = as_double(job.sequences() * job.seq_len);
  const double rows = distils ? std::min(job.constants->value("objective.liger_chunk_tokens"),
                                         job.tokens_per_rank())
                              : example;
  const ConstantName each = distils ? ConstantName("objective.liger_distillation_bytes")
                            : training.runs_reference()
                                ? ConstantName("objective.liger_reference_bytes")
                                : ConstantName("objective.liger_pair_bytes");
  const N width = input<N>("b_head", job.full() ? job.state.weight : 2);
  N states = 2.0 * h;
  if (distils) states = states + input<N>("h_teacher", as_double(training.teacher->hidden));
  if (!distils && training.runs_reference()) states = states + h;
  pieces.loss_forward =
      2.0 * v * h * width + 2.0 * states * t +
      input<N>("b_chunk", job.constants->value(each)) * input<N>("chunk_tokens", rows) * v;
  pieces.loss_backward = pieces.loss_head = pieces.loss_forward;
  pieces.loss_left = 2.0 * h * t;
}

}  // namespace

template <typename N>
void add_loss(const Job& job, Pieces<N>& pieces) {
  if (job.token_indices > 0 && job.model->tied_head) {
    // PEFT copies the matrix with its trained rows in every forward; a tied head keeps the copy.
    const double copy = as_double(job.model->vocab * job.model->hidden);
    pieces.kept = pieces.kept + 2.0 * input<N>("P_copied", copy) / tensor_parallel<N>(job);
  }
  if (job.model->scores) return;  // one number a sequence
  if (job.loss == kFusedObjective) return add_fused_objective<N>(job, pieces);
  const double vocab = as_double(job.model->vocab);
  const std::int64_t further = job.model->kept_predictions();  // each with logits of its own
  N t = input<N>("t", job.tokens_per_rank());
  if (further > 0) t = t * input<N>("predictions", as_double(1 + further));
  if (job.grpo && job.grpo->loss != PolicyLoss::kKernels) {
    t = t * input<N>("completion_share", job.grpo->share_with_logits());
  }
  const N v = vocabulary<N>(job, vocab);
  if (job.loss == kFusedLinear) {
    const N h = hidden_size<N>(job);
    const N chunk = input<N>("chunk_tokens", fused_linear_chunk(job.tokens_per_rank(), vocab,
                                                                as_double(job.model->hidden)));
    const N head_gradient = job.head_trains() ? 2.0 * v * h : N(0.0);
    pieces.loss_forward = 2.0 * h * t + chunk * v * 4.0 + head_gradient;
    pieces.loss_backward = pieces.loss_head = pieces.loss_forward;
    pieces.loss_left = 2.0 * h * t;
    const bool left_at_step = job.constants->value("loss.fused_left_at_step") != 0;
    if (left_at_step) pieces.loss_left_step = pieces.loss_left;
    return;
  }
  const bool compiled = job.loss == "chunked" && job.fused_ops;
  const LossCost& cost =
      job.constants->losses.at(compiled ? std::string(kCompiledChunks) : job.loss);
  // Soft-capped logits keep the output of tanh until its backward.
  const bool capped = job.model->logit_cap > 0 && !loss_does(job, &LossName::caps_logits);
  const double more = capped ? job.constants->value("loss.soft_cap_bytes") : 0;
  pieces.loss_forward = input<N>("b_loss_forward", cost.forward + more) * t * v;
  pieces.loss_backward = input<N>("b_loss_backward", cost.backward + more) * t * v;
  pieces.loss_left = pieces.loss_left_step = input<N>("b_loss_left", cost.residual) * t * v;
  // Whole logits: their softmax is gone, cast to 2-byte gradients, when the head's weight gets its
  // own. In chunks the head's gradient grows while logits of later chunks still wait.
  const bool chunks = job.loss == "chunked" || job.constants->value("loss.head_overlaps") != 0;
  pieces.loss_head = chunks ? pieces.loss_backward : pieces.loss_left + 2.0 * t * v;
}

template void add_loss<double>(const Job&, Pieces<double>&);
template void add_loss<Traced>(const Job&, Pieces<Traced>&);

}  // namespace sizesheet
