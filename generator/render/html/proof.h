// SPDX-License-Identifier: Apache-2.0
// One row taken apart: every memory term and every cost line with formula, inputs and source.
#pragma once

#include <string>
#include <vector>

#include "sheet/sheet.h"

namespace sizesheet {

/// Values of the partial proof.mustache.
Json proof_values(const Sheet& sheet, const Row& row);

/// Lines of a cost table: figures that are no money, with their formulas.
Json quantity_values(const std::vector<QuantityLine>& quantities);

/// {name_text, name_href, name_link}: a source, as a link when it is an https address.
void put_source(Json& values, const std::string& name, const std::string& source);

/// "P = 70,553,706,496, n = 4".
std::string input_words(const Formula& formula);
/// The formula with "·" for "*" as people write it.
std::string formula_words(const std::string& formula);

}  // namespace sizesheet
