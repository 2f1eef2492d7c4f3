// SPDX-License-Identifier: Apache-2.0
// The page of one GPU type, that of all side by side, and that of prices.
#pragma once

#include "support/json.h"

namespace sizesheet {

struct Sheet;
struct SheetGpu;

Json gpu_values(const Sheet& sheet, const SheetGpu& gpu);
Json gpus_values(const Sheet& sheet);
Json prices_values(const Sheet& sheet);

}  // namespace sizesheet
