// SPDX-License-Identifier: Apache-2.0
// Which set-up is rented for a model and method, what comes next, which machine is owned instead,
// and why.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sheet/sheet.h"

namespace sizesheet {

struct Pick;

/// The row again, with so many GPUs for its set-up.
using SizeAgain = std::function<Row(const Row& row, std::int64_t gpus)>;

/// Decides the rows of a model and method, all GPU types and scenarios, by the sheet's rules: sets
/// what their advice is, and gives the pick of the main scenario. A row whose candidate is picked
/// has it for its set-up from then on. Of the sheet only facts and options are read. nullopt
/// without rows.
std::optional<Pick> decide_rows(const Sheet& sheet, const SizeAgain& again, std::vector<Row>& rows);

}  // namespace sizesheet
