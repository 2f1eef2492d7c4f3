// SPDX-License-Identifier: Apache-2.0
// The matrix of counts, and the list of every row.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

struct Sheet;

Json needed_values(const Sheet& sheet);
Json rows_values(const Sheet& sheet);

/// A script that hands over the rows of the main scenario in an event "rows". Its detail holds for
/// each cell of the matrix, by id, the printed figures of the columns behind the set-up, each with
/// the number behind it where it has one: [["26.97", 26.97], …, ["rent"]].
std::string rows_script(const Sheet& sheet);

}  // namespace sizesheet
