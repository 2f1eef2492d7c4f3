// SPDX-License-Identifier: Apache-2.0
// Full fine-tuning of each model under every stage of ZeRO, on one layout.
#pragma once

#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// The layout is the rent pick's where several of its GPUs hold the same weights; else a whole node
/// of the pick's GPU type, or of the sheet's first type that is rented by more than a node.
void add_zero_stages(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

}  // namespace sizesheet
