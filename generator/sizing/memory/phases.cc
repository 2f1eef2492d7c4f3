// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/phases.h"

#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/pieces.h"
#include "support/named.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

template <typename N>
void add_block_phase(const Pieces<N>& pieces, const N& carried, PhaseTerms<N>& terms) {
  terms[Term::kRecompute] = pieces.block + pieces.temporaries;
  terms[Term::kLogits] = pieces.loss_left;
  terms[Term::kGradients] = carried + pieces.head_gradient_left;
  terms[Term::kActivations] = pieces.kept;
  terms[Term::kWorkingSet] = terms[Term::kWorkingSet] + pieces.gathered +
                             pieces.unsharded_gradients + pieces.root + pieces.root_gradients +
                             pieces.cache_block + pieces.dequantised;
}

/// What is left of the kept activations when the first block runs backward: one of them.
double last_block_share(const Job& job) {
  if (job.layout.fsdp_reentrant) return 1;
  if (job.constants->value("end_backward.late_embedding") == 0) {
    return job.constants->value("end_backward.activation_share");
  }
  return as_double(job.layout.pp) / as_double(job.model->layers());
}

/// The end of backward has two moments: the first block's, then the embedding's. The larger counts.
/// On one rank the first block lacks the gradients that come last.
template <typename N>
void add_end_phase(const Job& job, const Pieces<N>& pieces, PhaseTerms<N>& terms) {
  terms[Term::kLogits] = pieces.loss_left;
  terms[Term::kGradients] = pieces.gradients_final - pieces.root_shard;
  terms[Term::kWorkingSet] =
      terms[Term::kWorkingSet] + pieces.root + pieces.root_gradients + pieces.cache_block;
  const double share = last_block_share(job);
  const N kept = pieces.kept * input<N>("last_block_share", share) + pieces.held;
  const N block = pieces.block + pieces.temporaries;
  const N units = pieces.gathered_last + pieces.unsharded_gradients;
  const N lacking = pieces.gradients_first_block;
  if (value_of(pieces.embedding_backward + lacking) >
      value_of(kept + block + units + pieces.cache_block)) {
    terms[Term::kWorkingSet] =
        terms[Term::kWorkingSet] - pieces.cache_block + pieces.embedding_backward;
    return;
  }
  terms[Term::kGradients] = terms[Term::kGradients] - lacking;
  if (value_of(pieces.root_gradients_late) > value_of(kept + block + units)) {
    terms[Term::kWorkingSet] = terms[Term::kWorkingSet] + pieces.root_gradients_late;
    return;
  }
  terms[Term::kActivations] = kept;
  terms[Term::kRecompute] = block;
  terms[Term::kWorkingSet] = terms[Term::kWorkingSet] + units;
}

/// Backward of the loss has two moments: the softmax's gradient, then the head's. The larger one
/// counts.
template <typename N>
void add_loss_phase(const Pieces<N>& pieces, Phase phase, const N& carried, PhaseTerms<N>& terms) {
  terms[Term::kActivations] = pieces.kept;
  terms[Term::kGradients] = carried;
  terms[Term::kLogits] = phase == Phase::kLoss ? pieces.loss_forward : pieces.loss_backward;
  if (phase == Phase::kLoss) return;
  const double at_head = value_of(pieces.loss_head) + value_of(pieces.head_gradient);
  if (at_head < value_of(pieces.loss_backward)) return;
  terms[Term::kGradients] = carried + pieces.head_gradient;
  terms[Term::kLogits] = pieces.loss_head;
}

}  // namespace

template <typename N>
PhaseTerms<N> phase_terms(const Job& job, const Pieces<N>& pieces, Phase phase, Timeline timeline) {
  const bool steady = timeline == Timeline::kSteady;
  const bool moments_alive = steady || !job.state.lazy;
  const bool carried_alive = steady ? pieces.gradients_persist : pieces.gradients_persist_step1;
  const N carried = carried_alive ? pieces.gradients : N(0.0);
  PhaseTerms<N> terms;
  terms[Term::kWeights] = pieces.weights;
  terms[Term::kAdapters] = pieces.adapters;
  terms[Term::kOptimizer] = moments_alive ? pieces.master + pieces.moments : pieces.master;
  terms[Term::kWorkingSet] = pieces.buckets + pieces.workspaces;
  switch (phase) {
    case Phase::kForward:
      terms[Term::kGradients] = carried;
      terms[Term::kActivations] = pieces.kept;
      terms[Term::kRecompute] = job.recompute == Recompute::kNone ? N(0.0) : pieces.temporaries;
      terms[Term::kWorkingSet] = terms[Term::kWorkingSet] + pieces.gathered + pieces.root +
                                 pieces.autocast_cache + pieces.dequantised;
      break;
    case Phase::kLoss:
    case Phase::kLossBackward:
      add_loss_phase(pieces, phase, carried, terms);
      terms[Term::kWorkingSet] =
          terms[Term::kWorkingSet] + pieces.loss_unit + pieces.root + pieces.head_gather +
          (phase == Phase::kLoss ? pieces.autocast_cache : pieces.cache_loss_backward);
      break;
    case Phase::kBlockBackward:
      add_block_phase(pieces, carried, terms);
      break;
    case Phase::kEndBackward:
      add_end_phase(job, pieces, terms);
      break;
    case Phase::kOptimizerStep:
      terms[Term::kGradients] = pieces.gradients_final;
      terms[Term::kOptimizer] = pieces.master + pieces.moments;
      terms[Term::kLogits] = pieces.loss_left_step;
      terms[Term::kWorkingSet] = terms[Term::kWorkingSet] + pieces.step_transient;
      break;
  }
  return terms;
}

template PhaseTerms<double> phase_terms(const Job&, const Pieces<double>&, Phase, Timeline);
template PhaseTerms<Traced> phase_terms(const Job&, const Pieces<Traced>&, Phase, Timeline);

}  // namespace sizesheet
