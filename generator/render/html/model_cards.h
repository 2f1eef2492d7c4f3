// SPDX-License-Identifier: Apache-2.0
// The cards at the top of a model's page: one answer a method.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// The rent pick with the lowest $/run of all methods; else the first row shown; else nullptr.
const Row* best_row(const Sheet& sheet, const std::string& model);

Json card_list(const Sheet& sheet, const std::string& model, const Row* best);

}  // namespace sizesheet
