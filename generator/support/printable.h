// SPDX-License-Identifier: Apache-2.0
// Texts from outside that a terminal or a page would act on instead of showing them.
#pragma once

#include <string>
#include <string_view>

namespace sizesheet {

/// For a terminal: control characters, line ends and characters that turn or hide text stand as
/// \u{202E}, bytes that are no UTF-8 as \x{FF}.
std::string plain_text(std::string_view raw);

/// The same line by line: line ends stay.
std::string plain_lines(std::string_view raw);

/// The first character that has no place in a name or a sentence, as "U+202E"; "" where there is
/// none: controls, and what turns the direction of all that follows. Emoji and marks within words
/// of other scripts are fine.
std::string unfit_character(std::string_view text);

}  // namespace sizesheet
