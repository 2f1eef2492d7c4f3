// SPDX-License-Identifier: Apache-2.0
// The project's own quarterly sheet, built once for all tests.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

const Sheet& quarterly_sheet();

}  // namespace sizesheet
