// SPDX-License-Identifier: Apache-2.0
// A comparison as GitHub's Markdown, for a comment on a pull request.
#pragma once

#include <cstddef>
#include <string>

#include "sheet/changes.h"

namespace sizesheet {

/// GitHub refuses comments of more than 65,536 characters; this leaves a bot room for its own.
inline constexpr std::size_t kMarkdownAtMost = 60000;

/// By this line a bot finds the comment that it wrote before.
inline constexpr const char* kMarkdownTag = "<!-- sizesheet-diff -->";

/// Begins with the tag, never longer than kMarkdownAtMost bytes. The tables hold kListedAtMost
/// lines each, the rest is folded; with `all` nothing is folded. What does not fit is counted.
std::string diff_markdown(const SheetChanges& changes, bool all);

}  // namespace sizesheet
