// SPDX-License-Identifier: Apache-2.0
// The Prices sheet: every price of the sheet's GPUs, whether it counts today, and room for quotes.
#pragma once

#include "render/xlsx/table.h"
#include "sheet/sheet.h"

namespace sizesheet::xlsx {

/// Empty lines under the prices, for offers of one's own.
inline constexpr std::size_t kQuoteLines = 12;

Table prices_table(const Sheet& sheet);

}  // namespace sizesheet::xlsx
