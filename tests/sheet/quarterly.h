// SPDX-License-Identifier: Apache-2.0
// The project's own quarterly sheet: its file, what it asks for, and the sheet, built once for all
// tests.
#pragma once

#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// The file as it stands.
Json quarterly_json();

const SheetSpec& quarterly_spec();

const Sheet& quarterly_sheet();

}  // namespace sizesheet
