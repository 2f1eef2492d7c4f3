// SPDX-License-Identifier: Apache-2.0
// One sizing taken apart, as lines for a terminal.
#pragma once

#include <ostream>
#include <vector>

#include "cli/explain.h"
#include "sizing/diagnosis.h"
#include "sizing/estimate.h"
#include "sizing/residual.h"

namespace sizesheet {

/// What `explain` knows of one job.
struct Explanation {
  Sizing sizing;
  std::vector<MemoryTerm> terms;
  std::vector<MemoryTerm> generation;  ///< of the engine beside the trainer; empty without GRPO
  std::vector<MemoryTerm> files;       ///< of the run; empty under GRPO
  std::vector<PhaseCheck> phases;
  Death smaller;                        ///< of the next smaller count, or of this one if it is none
  std::int64_t smaller_gpus = 0;        ///< 0: nothing runs out
  std::vector<ResidualCause> residual;  ///< empty without a measured figure
};

void print_explanation(const Explanation& explanation, const ExplainOptions& options,
                       std::ostream& out);

}  // namespace sizesheet
