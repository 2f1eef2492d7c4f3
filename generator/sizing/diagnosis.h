// SPDX-License-Identifier: Apache-2.0
// Where a run goes out of memory: phase by phase, in step 1 and later, against the card; and what
// it means when a run dies there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sizing/search.h"

namespace sizesheet {

/// One phase on the device: bytes allocated then, plus allocator slack and overhead.
struct PhaseCheck {
  std::string phase;  ///< "load", then "forward" … "optimizer_step"
  std::int64_t step1 = 0;
  std::int64_t steady = 0;
  bool step1_over = false;  ///< passes the card
  bool steady_over = false;
};

/// Without a GPU nothing is over. First the weights alone as they are loaded, then the six phases
/// in their order.
std::vector<PhaseCheck> phase_checks(const MemoryBill& bill);

/// Where a run with this bill dies, and what that says.
struct Death {
  std::string where;  ///< "loss backward of step 1"; "" if it does not
  std::string bill;   ///< which bytes overran
  std::string remedy;
};

Death death_of(const MemoryBill& bill);

/// What a death in a phase says, whatever the bill.
struct PhaseMeaning {
  std::string phase;  ///< "loss backward"; "any" for later steps
  std::string when;   ///< "step 1" | "step 2 and later"
  std::string bill;
  std::string remedy;
};

/// One for each phase of step 1 in their order, and one for all later steps.
std::vector<PhaseMeaning> phase_meanings();

/// "loss_backward" as people write it.
std::string phase_title(const std::string& phase);

}  // namespace sizesheet
