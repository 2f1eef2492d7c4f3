// SPDX-License-Identifier: Apache-2.0
// The memory of a model's picks: bars, table, time, phases, and memory against sequence length.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

void put_memory(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

}  // namespace sizesheet
