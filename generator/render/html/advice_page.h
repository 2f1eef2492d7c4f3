// SPDX-License-Identifier: Apache-2.0
// Pages of advice, of published guides and of frameworks, and the tables of worksheets.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

struct Sheet;

Json advice_values(const Sheet& sheet);  ///< of a sheet that has advice
Json frameworks_values(const Sheet& sheet);
Json guides_values(const Sheet& sheet);

/// Values of worksheet.mustache: `worksheets`, those of the page.
Json worksheet_values(const Sheet& sheet, const std::string& page);

}  // namespace sizesheet
