// SPDX-License-Identifier: Apache-2.0
// A comparison as GitHub's Markdown.
#pragma once

#include <string>

namespace sizesheet {

struct SheetChanges;

/// Begins with the tag, never longer than kMarkdownAtMost bytes. The tables hold kListedAtMost
/// lines each, the rest is folded; with `all` nothing is folded. What does not fit is counted.
std::string diff_markdown(const SheetChanges& changes, bool all);

}  // namespace sizesheet
