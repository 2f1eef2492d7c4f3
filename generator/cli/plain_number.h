// SPDX-License-Identifier: Apache-2.0
// Numbers on the command line as people write them: digits, a point, an exponent.
#pragma once

#include <string>

namespace sizesheet {

/// "" for a finite decimal number; else what is wrong with it. For CLI11's `check`: its own reading
/// takes "inf", "0x10" and "" for numbers.
std::string why_no_number(const std::string& text);

/// The same for a whole number. CLI11's own reading takes "010" for 8 and "0x10" for 16.
std::string why_no_count(const std::string& text);

}  // namespace sizesheet
