// SPDX-License-Identifier: Apache-2.0
// Advice of every kind, invented, for the sample sheet.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet::sample {

SheetAdvice advice();

}  // namespace sizesheet::sample
