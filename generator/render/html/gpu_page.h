// SPDX-License-Identifier: Apache-2.0
// Values of gpu.mustache: one GPU type, what fits on how many, what it costs and cost, its facts.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json gpu_values(const Sheet& sheet, const SheetGpu& gpu);

}  // namespace sizesheet
