// SPDX-License-Identifier: Apache-2.0
// Worked-out tables with every kind of cell for the sample sheet.
#pragma once

#include <vector>

#include "sheet/sheet.h"

namespace sizesheet::sample {

/// One on each page that shows some.
std::vector<SheetWorksheet> worksheets();

}  // namespace sizesheet::sample
