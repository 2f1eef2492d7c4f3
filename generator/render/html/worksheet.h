// SPDX-License-Identifier: Apache-2.0
// The worksheets of a page: tables that guides print, worked out.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// Values of worksheet.mustache: `worksheets`, those of the page.
Json worksheet_values(const Sheet& sheet, const std::string& page);

}  // namespace sizesheet
