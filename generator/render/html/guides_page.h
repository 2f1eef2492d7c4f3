// SPDX-License-Identifier: Apache-2.0
// Values of guides.mustache: what published guides say, where they contradict themselves, and why
// the sheet differs.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json guides_values(const Sheet& sheet);

}  // namespace sizesheet
