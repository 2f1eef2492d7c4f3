// SPDX-License-Identifier: Apache-2.0
#include "sheet/row_figures.h"

namespace sizesheet {

std::int64_t floor_bytes(const MemoryBill& bill) {
  return bill.phases.known() ? bill.phases.in(Phase::kOptimizerStep) + bill.overhead : 0;
}

}  // namespace sizesheet
