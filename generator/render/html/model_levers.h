// SPDX-License-Identifier: Apache-2.0
// What would save memory on a model's picks: levers that could be pulled, levers that are, and
// several together.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// The levers of the best method open, those of the others folded.
void put_levers(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

}  // namespace sizesheet
