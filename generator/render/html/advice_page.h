// SPDX-License-Identifier: Apache-2.0
// Values of advice.mustache: what a card holds, techniques with what they save and cost, warnings
// with what prints them, symptoms, notes. Its settings stand on the page of frameworks.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json advice_values(const Sheet& sheet, const SheetAdvice& advice);

/// A topic with what its runs and its techniques say: of this page, or of that of frameworks.
Json topic_json(const Sheet& sheet, const SheetAdviceTopic& topic);

}  // namespace sizesheet
