// SPDX-License-Identifier: Apache-2.0
// The Services sheet: what fine-tuning services ask for the runs of a sheet, a line an offer.
#pragma once

#include "render/xlsx/table.h"

namespace sizesheet {

struct Sheet;

}  // namespace sizesheet

namespace sizesheet::xlsx {

Table services_table(const Sheet& sheet);

}  // namespace sizesheet::xlsx
