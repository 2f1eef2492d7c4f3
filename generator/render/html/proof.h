// SPDX-License-Identifier: Apache-2.0
// One row taken apart: every memory term and every cost line.
#pragma once

#include <vector>

#include "sheet/sheet.h"
#include "support/json.h"

namespace sizesheet {

struct Row;
struct Sheet;

/// Values of the partial proof.mustache: a row with every memory term and every cost line.
Json proof_values(const Sheet& sheet, const Row& row);

/// Lines of a cost table: figures that are no money, with their formulas.
Json quantity_values(const std::vector<QuantityLine>& quantities);

}  // namespace sizesheet
