// SPDX-License-Identifier: Apache-2.0
// Values of gpus.mustache: the sheet's GPU types side by side, with what they hold and cost.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json gpus_values(const Sheet& sheet);

/// {gpu_title, gpu_memory, gpu_usable, gpu_bandwidth, gpu_bf16, gpu_fp8, gpu_tdp, gpu_node,
/// gpu_link …}: the facts of a GPU type as every page prints them, "–" where not known.
Json gpu_facts_values(const SheetGpu& gpu);

/// The largest model that one GPU of the type holds with a method, headroom kept; or nullptr.
const SheetModel* largest_on_one(const Sheet& sheet, const SheetGpu& gpu,
                                 const SheetMethod& method);

}  // namespace sizesheet
