// SPDX-License-Identifier: Apache-2.0
// The sheet and the day that a question is asked for.
#pragma once

#include <string>

namespace sizesheet {

struct Catalog;
struct CommonOptions;
struct SheetSpec;

/// The day a command takes for today: `option` (--as-of), else SOURCE_DATE_EPOCH, else `fallback`,
/// the sheet's own day. Anything that is no day throws InputError.
std::string as_of_day(const std::string& option, const std::string& fallback);

/// The specification of the sheet that is asked for, of the day that is. Throws InputError.
SheetSpec sheet_asked_for(const CommonOptions& options, const Catalog& catalog);

/// Throws InputError where the sheet that is named is none: for commands that may never read it.
void refuse_unknown_sheet(const CommonOptions& options);

}  // namespace sizesheet
