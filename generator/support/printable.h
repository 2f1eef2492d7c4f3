// SPDX-License-Identifier: Apache-2.0
// Texts from outside that a terminal or a page would act on instead of showing them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sizesheet {

/// For a terminal: what unfit_character tells of, and every joiner, stands as \u{202E}, bytes that
/// are no UTF-8 as \x{FF}.
std::string plain_text(std::string_view raw);

/// The same between quotation marks: what a message is about.
std::string in_quotes(std::string_view raw);

/// The same as plain_text line by line: line ends stay.
std::string plain_lines(std::string_view raw);

/// A path in a message, written with '/': a name with an end of line forges none.
std::string shown_path(const std::filesystem::path& path);

/// The first character that has no place in a name or a sentence, as "U+202E"; "" where there is
/// none: by its Unicode properties a control, an end of a line, a mark that turns, joins or hides
/// text, for private use, or not assigned (in the version that ICU knows). Joiners within emoji and
/// behind letters that join are fine, and so are marks upon letters.
std::string unfit_character(std::string_view text);

}  // namespace sizesheet
