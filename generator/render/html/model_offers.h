// SPDX-License-Identifier: Apache-2.0
// Where a model's picks can be rented, why the cheapest hour is not the cheapest run, and what a
// run leaves on disk.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

void put_offers(Json& values, const Sheet& sheet, const std::string& model);

}  // namespace sizesheet
