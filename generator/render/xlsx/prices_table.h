// SPDX-License-Identifier: Apache-2.0
// The Prices sheet, and the one that says what columns mean.
#pragma once

#include "render/xlsx/table.h"

namespace sizesheet {

struct Sheet;

}  // namespace sizesheet

namespace sizesheet::xlsx {

Table prices_table(const Sheet& sheet);
Table terms_table(const Sheet& sheet);

}  // namespace sizesheet::xlsx
