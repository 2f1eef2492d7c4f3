// SPDX-License-Identifier: Apache-2.0
// The list of every row: each model, method, type of GPU and stack, with verdict, memory and money;
// and the same money as a script, for the matrix to show another GPU's.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

Json rows_values(const Sheet& sheet);

/// A script that hands over the rows of the main scenario in an event "rows". Its detail holds for
/// each cell of the matrix, by id, the printed figures of the columns behind the set-up, each with
/// the number behind it where it has one: [["26.97", 26.97], …, ["rent"]].
std::string rows_script(const Sheet& sheet);

}  // namespace sizesheet
