// SPDX-License-Identifier: Apache-2.0
// Values of model.mustache: one model's answers, their proofs and their alternatives.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json model_values(const Sheet& sheet, const SheetModel& model);

}  // namespace sizesheet
