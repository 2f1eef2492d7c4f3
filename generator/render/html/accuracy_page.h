// SPDX-License-Identifier: Apache-2.0
// The page of accuracy: estimates against published measurements, in total and row by row.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json accuracy_values(const Sheet& sheet, const Accuracy& accuracy);

}  // namespace sizesheet
