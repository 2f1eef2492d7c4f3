// SPDX-License-Identifier: Apache-2.0
// A comparison in words: its forms, and the figures, names, lists and sentences they share, those
// of the pages and their charts included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheet/changes.h"
#include "support/money.h"

namespace sizesheet {

// ---- Names from a catalog made harmless: one function a form, and nothing else may print a name.
// A catalog may come from anywhere, and a terminal or a pull request acts on what it is shown.

/// For GitHub's Markdown: plain_text, and every character that could begin markup, a link, a
/// formula or a cell stands as an entity.
std::string markdown_text(std::string_view raw);

/// The same as `code`, where neither names of people nor numbers of issues become links.
std::string markdown_code(std::string_view raw);

/// Cut in the middle with "…" to `width` characters where longer. At least 3.
std::string elided(std::string_view text, std::size_t width);

// ---- Figures of a change as people read them, the same in every form. Figures of one line are
// rounded so that they add up: a difference is that of the printed amounts.

/// Old, new and their difference, with as many decimals (2, 4 or 6) as show that they differ.
struct AmountPair {
  std::string before;  ///< "1,234.50", "0", or "–"
  std::string after;
  std::string difference;  ///< "+12.00", "−0.0012", "0"; "–" where a side is unknown
  std::string percent;     ///< "+16.9 %"; "–" where old is 0 or a side is unknown
};
AmountPair amount_pair(const std::optional<MicroUsd>& before, const std::optional<MicroUsd>& after);

/// Rounded half away from zero to `decimals` places, as format_usd prints it.
MicroUsd rounded(MicroUsd amount, int decimals);

/// "+16.9 %", "0.0 %" of so many per cent.
std::string signed_percent(double percent);

/// Effects in whole last decimals, from `before` on, so that parts and total add up as printed.
ChangeEffects printed_effects(MicroUsd before, const ChangeEffects& effects, int decimals);

/// Of one run of everything comparable; parts and totals add up as printed.
struct EffectWords : AmountPair {
  std::string price;
  std::string quantity;
  std::string time;
  std::string mix;
};
EffectWords effect_words(MicroUsd before, const ChangeEffects& effects);

using MovedById = std::map<std::string, const MovedInput*>;

/// "+0.25 GiB" between two sizes.
std::string signed_gib(std::int64_t bytes);

/// "1 row", "27 rows"; the blank is one that breaks no line where a page may be narrow.
std::string counted(std::int64_t count, const std::string& one, const std::string& many,
                    const char* blank = " ");
inline constexpr const char* kFirmBlank = "\u00a0";

// ---- Which changes a form shows line by line, and what is left to be counted.

/// Lines of a table at most; the contract of `diff` without --all.
inline constexpr std::size_t kListedAtMost = 30;

/// Changes of one table. Pointers go into the SheetChanges it was made from.
struct Listing {
  /// A line each: one change, or rows that moved alike.
  std::vector<std::vector<const Change*>> shown;
  std::map<std::size_t, std::int64_t> hidden;  ///< severity of a kind -> how many
};

/// `of` is row or pick; what a whole entry tells is in neither part. `most` 0 shows all.
Listing list_changes(const SheetChanges& changes, const std::string& of, std::size_t most);

/// The listing with all but its first `most` lines moved to `hidden`.
Listing cut(const Listing& listing, std::size_t most);

/// "212 more cheaper, 3 dearer"; "" when nothing is hidden.
std::string hidden_words(const Listing& listing);

/// Changes by the size of their dollars, largest first; those without come last, in their order.
SheetChanges by_dollars(SheetChanges changes);

/// Catalog entries that moved: those that changed a row first, each part in its order.
std::vector<const MovedInput*> moved_with_rows_first(const SheetChanges& changes);

/// A mark of a kind of change and what it says; colour is an SGR code and only repeats the mark.
struct Mark {
  std::string mark;
  std::string meaning;
  std::string colour;
};
const std::vector<Mark>& marks();

// ---- What a comparison comes to, in sentences that every form prints. Names in them are raw.

/// "2026-Q3 (prices 2026-07-10)", and the catalog where `other` would read the same.
std::string edition_words(const EditionLabel& label, const EditionLabel& other);

/// What happened to the picks, then to the rows; "No differences in 324 rows." where nothing did.
std::string headline(const SheetChanges& changes);

/// One run of each comparable pick: both totals and the effects, which add up; "" without a pick.
std::string totals_sentence(const SheetChanges& changes);

/// Two sentences whose counts add up to what was compared: rows, then picks.
std::vector<std::string> count_sentences(const SheetChanges& changes);

/// What each group of inputs did, or why it is not known; "" where nobody asked.
std::string cause_sentence(const SheetChanges& changes);

/// How the plan changed; all empty where it did not.
struct PlanChangeWords {
  std::string total;  ///< "The plan: 12 months for $60,119 -> 12 months for $62,333 (…)."
  std::vector<std::string> moves;   ///< "2x RTX PRO 6000 workstation 1 -> 0"
  std::vector<std::string> runs;    ///< "Llama 3.1 8B LoRA: MI300X on demand -> …"
  std::vector<std::string> causes;  ///< "prices $ +2,214 (2x RTX PRO 6000 workstation 1 -> 0)"
};
PlanChangeWords plan_change_words(const SheetChanges& changes, const std::string& arrow);
/// The same as sentences; none where it did not change.
std::vector<std::string> plan_sentences(const SheetChanges& changes);

/// "model gemma-3-27b: 27 rows, 3 picks".
std::string entry_words(const EntryChange& entry);

/// The parts of a moved entry's line.
struct MovedWords {
  std::string what;    ///< with the field, where one field moved
  std::string values;  ///< "2.69 -> 2.39 $/h", "new", "gone"
  std::string days;    ///< "2026-09-25 -> 2026-10-10", or ""
  std::string rows;    ///< "14 rows", "3 picks", "no row"
};
MovedWords moved_entry(const MovedInput& moved);
/// "14 rows"; where none is changed by it, "3 picks", else "no row".
std::string moved_count_words(const MovedInput& moved);

// ---- The forms: text for a terminal or an e-mail (a hundred columns, one sentence first),
// Markdown for a comment on a pull request, and one row of two editions side by side.

/// GitHub refuses comments of more than 65,536 characters; this leaves a bot room for its own.
inline constexpr std::size_t kMarkdownAtMost = 60000;

/// By this line a bot finds the comment that it wrote before.
inline constexpr const char* kMarkdownTag = "<!-- sizesheet-diff -->";

}  // namespace sizesheet
