// SPDX-License-Identifier: Apache-2.0
// What a model's choices cost: stages of ZeRO, adapters by rank, a run by GPU type. A chart each,
// with its table beside it.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

void put_zero_stages(Json& values, const Sheet& sheet, const std::string& model);
void put_adapter_ranks(Json& values, const Sheet& sheet, const std::string& model);
void put_run_costs(Json& values, const Sheet& sheet, const std::string& model);

}  // namespace sizesheet
