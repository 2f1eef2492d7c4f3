// SPDX-License-Identifier: Apache-2.0
// The charts of what choices cost: stages of ZeRO, adapters by rank, a run by GPU type.
#pragma once

#include <string>

#include "render/chart.h"
#include "sheet/sheet.h"

namespace sizesheet {

/// "DDP" for "none", "ZeRO-1" for "zero1" …
std::string stage_words(const std::string& shard);

/// Memory bills of the stages against the card, GiB per GPU.
Chart zero_stages_chart(const Sheet& sheet, const SheetZeroStages& zero);

/// Weights, gradients and optimizer state of the adapters together, one bar a rank, GiB.
Chart adapter_ranks_chart(const Sheet& sheet, const SheetAdapterRanks& adapters);

/// Bytes of adapter weights, gradients and optimizer state together.
std::int64_t state_bytes(const SheetAdapterRank& rank);

/// Dollars a run of every GPU type that fits and has a price, cheapest first, which is marked.
/// No bars where none does.
Chart run_cost_chart(const Sheet& sheet, const std::string& model, const std::string& method);

}  // namespace sizesheet
