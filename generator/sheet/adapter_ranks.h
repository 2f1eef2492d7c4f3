// SPDX-License-Identifier: Apache-2.0
// Adapters of each model by rank: how many parameters they train and what those take.
#pragma once

#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// Ranks 4 to 256 of the sheet's first LoRA method, with the bill on the layout of its rent pick.
void add_adapter_ranks(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

}  // namespace sizesheet
