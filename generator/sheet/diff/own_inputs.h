// SPDX-License-Identifier: Apache-2.0
// Whether the figures of an edition are those that its own `inputs` give.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

struct Sheet;

/// Keys of sheet.json that rest on facts which are not among its `inputs`: nothing can work them
/// out again.
const std::vector<std::string>& parts_beside_inputs();

/// Builds the sheet again from its `inputs`, on `jobs` threads, and says where sheet.json has
/// another value: `/rows/3/hours/mid: expected 3.1 by its inputs, got 4`. A few lines for each key
/// of the sheet. Throws InputError `file:/inputs/…` for inputs that cannot be read.
std::vector<std::string> differences_from_inputs(const Sheet& sheet, const std::string& file,
                                                 int jobs);

}  // namespace sizesheet
