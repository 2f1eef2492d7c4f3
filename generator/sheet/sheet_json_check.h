// SPDX-License-Identifier: Apache-2.0
// What a sheet that was read must hold before it can be drawn.
#pragma once

#include <string>

namespace sizesheet {

struct Sheet;

/// The last part of that: names that nothing in the sheet bears, and figures that no sheet has.
void check_sheet(const Sheet& sheet, const std::string& file);

}  // namespace sizesheet
