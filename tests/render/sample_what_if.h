// SPDX-License-Identifier: Apache-2.0
// Levers, stages of ZeRO and adapters by rank for the sample sheet, by made-up rules.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet::sample {

/// Levers of a row that fits: two that could be pulled, both together, and one in use.
SheetWhatIf what_if_of(const Row& row);

/// The row's bill under each stage: what a stage shares is divided by the row's GPUs.
SheetZeroStages zero_stages_of(const Row& row);

/// Ranks 8, 16 and 32 on the row's layout.
SheetAdapterRanks adapter_ranks_of(const Row& row, const SheetModel& model);

}  // namespace sizesheet::sample
