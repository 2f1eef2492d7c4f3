// SPDX-License-Identifier: Apache-2.0
// A comparison as text for a terminal, as Markdown for a pull request, and one row side by side.
#pragma once

#include <cstddef>
#include <string>

#include "render/diff/words.h"
#include "sheet/changes.h"
#include "sheet/diff/edition.h"

namespace sizesheet {

// ---- A comparison as text for a terminal or an e-mail: a hundred columns, one sentence first.

struct DiffTextOptions {
  bool all = false;     ///< every line, else `kListedAtMost` of a table
  bool colour = false;  ///< repeats the marks; never the only bearer of meaning
};

/// Ends in a line end. Holds no control character but line ends and, with colour, its own.
std::string diff_text(const SheetChanges& changes, const DiffTextOptions& options);

// ---- A comparison as GitHub's Markdown, for a comment on a pull request.

/// GitHub refuses comments of more than 65,536 characters; this leaves a bot room for its own.
inline constexpr std::size_t kMarkdownAtMost = 60000;

/// By this line a bot finds the comment that it wrote before.
inline constexpr const char* kMarkdownTag = "<!-- sizesheet-diff -->";

/// Begins with the tag, never longer than kMarkdownAtMost bytes. The tables hold kListedAtMost
/// lines each, the rest is folded; with `all` nothing is folded. What does not fit is counted.
std::string diff_markdown(const SheetChanges& changes, bool all);

// ---- One row of two editions side by side: memory term by term, the money's three factors, the
// cause.

/// `key` is MODEL/METHOD (the picked rows), MODEL/METHOD/GPU (its row in each scenario) or a whole
/// row key, in NEW's names. `changes` is what they were compared to. Throws InputError with a near
/// miss where neither edition has it.
std::string explain_change(const Edition& old_edition, const Edition& new_edition,
                           const SheetChanges& changes, const std::string& key);

}  // namespace sizesheet
