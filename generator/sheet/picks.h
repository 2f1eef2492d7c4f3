// SPDX-License-Identifier: Apache-2.0
// Which configuration a sheet recommends for a model and method, to rent and to buy, and why.
#pragma once

#include <vector>

#include "sheet/sheet.h"

namespace sizesheet {

/// One pick per model and method of the main scenario. Only rows that fit and have a price can win;
/// ties go to the fewer GPUs, then to sheet order. Beside the cheapest run stands the cheapest
/// hour, and what it would cost to be taken in by it.
std::vector<Pick> pick_rows(const Sheet& sheet);

/// Throws InputError at the second pick of a model, method and scenario in the picks of `file`.
void refuse_repeated_picks(const std::vector<Pick>& picks, const std::string& file);

}  // namespace sizesheet
