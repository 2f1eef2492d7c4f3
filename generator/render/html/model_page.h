// SPDX-License-Identifier: Apache-2.0
// The page of a model: the cards at the top, what else would do, the memory of its picks, rent or
// buy, and where they can be rented.
#pragma once

#include "support/json.h"

namespace sizesheet {

struct Sheet;
struct SheetModel;

Json model_values(const Sheet& sheet, const SheetModel& model);

/// Blocks of a section, `first` the one that stands open and `rest` the others; null without any.
Json with_open(Json blocks, std::size_t open);

}  // namespace sizesheet
