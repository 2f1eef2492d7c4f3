// SPDX-License-Identifier: Apache-2.0
// Values of index.mustache: the matrix of the main scenario and the list of every row.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json index_values(const Sheet& sheet);

}  // namespace sizesheet
