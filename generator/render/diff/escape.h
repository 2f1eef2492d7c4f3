// SPDX-License-Identifier: Apache-2.0
// Names from a catalog made harmless: one function a form, and nothing else may print a name. A
// catalog may come from anywhere, and a terminal or a pull request acts on what it is shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sizesheet {

/// For GitHub's Markdown: plain_text, and every character that could begin markup, a link, a
/// formula or a cell stands as an entity.
std::string markdown_text(std::string_view raw);

/// The same as `code`, where neither names of people nor numbers of issues become links.
std::string markdown_code(std::string_view raw);

/// Characters of well-formed UTF-8.
std::size_t width_of(std::string_view text);

/// Cut in the middle with "…" to `width` characters where longer. At least 3.
std::string elided(std::string_view text, std::size_t width);

/// Filled with blanks to `width` characters, behind or before.
std::string padded_right(const std::string& text, std::size_t width);
std::string padded_left(const std::string& text, std::size_t width);

}  // namespace sizesheet
