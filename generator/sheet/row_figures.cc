// SPDX-License-Identifier: Apache-2.0
#include "sheet/row_figures.h"

namespace sizesheet {

std::int64_t floor_bytes(const MemoryBill& bill) {
  const auto step = bill.phases.find("optimizer_step");
  return step == bill.phases.end() ? 0 : step->second + bill.overhead;
}

}  // namespace sizesheet
