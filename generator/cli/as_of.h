// SPDX-License-Identifier: Apache-2.0
// The day a command takes for today. The system's clock is never read.
#pragma once

#include <string>

namespace sizesheet {

/// `option` (--as-of), else SOURCE_DATE_EPOCH, else `fallback`, the sheet's own day. Anything that
/// is no day throws InputError.
std::string as_of_day(const std::string& option, const std::string& fallback);

}  // namespace sizesheet
