// SPDX-License-Identifier: Apache-2.0
// What is alive in each phase of a training step.
#pragma once

#include <array>
#include <string>

#include "sizing/job.h"
#include "sizing/phase.h"
#include "sizing/pieces.h"

namespace sizesheet {

/// Step 1 (lazy optimizer states and accumulated gradients absent) and every step after it.
enum class Timeline { kStep1, kSteady };

/// The eight terms of one phase, in the order of the bill.
template <typename N>
struct PhaseTerms {
  N weights = 0.0;
  N adapters = 0.0;
  N gradients = 0.0;
  N optimizer = 0.0;
  N activations = 0.0;
  N recompute = 0.0;
  N logits = 0.0;
  N working_set = 0.0;
};

inline constexpr std::array<const char*, 8> kTermNames = {"weights",   "adapters",    "gradients",
                                                          "optimizer", "activations", "recompute",
                                                          "logits",    "working_set"};

template <typename N>
std::array<N, 8> in_order(const PhaseTerms<N>& terms) {
  return {terms.weights,     terms.adapters,  terms.gradients, terms.optimizer,
          terms.activations, terms.recompute, terms.logits,    terms.working_set};
}

template <typename N>
PhaseTerms<N> phase_terms(const Job& job, const Pieces<N>& pieces, Phase phase, Timeline timeline);

extern template PhaseTerms<double> phase_terms(const Job&, const Pieces<double>&, Phase, Timeline);
extern template PhaseTerms<Traced> phase_terms(const Job&, const Pieces<Traced>&, Phase, Timeline);

}  // namespace sizesheet
