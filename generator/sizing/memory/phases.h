// SPDX-License-Identifier: Apache-2.0
// The phases of a training step, and what is alive in each.
#pragma once

#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/pieces.h"

namespace sizesheet {

/// Step 1 (lazy optimizer states and accumulated gradients absent) and every step after it.
enum class Timeline { kStep1, kSteady };

template <typename N>
PhaseTerms<N> phase_terms(const Job& job, const Pieces<N>& pieces, Phase phase, Timeline timeline);

}  // namespace sizesheet
