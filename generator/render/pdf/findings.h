// SPDX-License-Identifier: Apache-2.0
// What the third panel tells when no earlier edition is given: the same sizes under another stack,
// or why fewer GPUs do not do.
#pragma once

#include <string>
#include <vector>

#include "render/pdf/panels.h"
#include "sheet/sheet.h"

namespace sizesheet::pdf {

struct FindingsPage {
  std::vector<std::string> titles;  ///< longest first
  std::string aside;
  std::vector<Finding> findings;
};

FindingsPage findings_of(const Sheet& sheet, const SheetModel& model);

}  // namespace sizesheet::pdf
