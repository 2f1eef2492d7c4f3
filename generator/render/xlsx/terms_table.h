// SPDX-License-Identifier: Apache-2.0
// The Terms sheet: what the columns mean, FOCUS terms, and what is not priced.
#pragma once

#include "render/xlsx/table.h"
#include "sheet/sheet.h"

namespace sizesheet::xlsx {

Table terms_table(const Sheet& sheet);

}  // namespace sizesheet::xlsx
