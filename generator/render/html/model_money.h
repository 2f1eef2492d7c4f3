// SPDX-License-Identifier: Apache-2.0
// Rent or buy on a model's page: the chart and the table by method.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

void put_rent_or_buy(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

}  // namespace sizesheet
