// SPDX-License-Identifier: Apache-2.0
// Values of advice.mustache: what a card holds, techniques with what they save and cost, warnings
// with what prints them, symptoms, notes. Its settings stand on the page of frameworks.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json advice_values(const Sheet& sheet, const SheetAdvice& advice);

/// The entries of the topics of kind "settings": {has_settings, setting_rows: […]}.
void put_settings(Json& values, const Sheet& sheet);

/// The entries of one topic with their runs.
Json advice_entries(const Sheet& sheet, const SheetAdviceTopic& topic);

}  // namespace sizesheet
