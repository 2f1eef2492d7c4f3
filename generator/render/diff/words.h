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
#include "sheet/diff/edition.h"

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

/// "8 × H100", without the GPU "8 GPUs"; "does not fit" or "refused". Names are raw.
std::string set_up_words(const ChangeSide& side, bool with_gpu);

using MovedById = std::map<std::string, const MovedInput*>;
MovedById moved_by_id(const SheetChanges& changes);

/// A change as a line of a table, for every form; names in it are raw.
struct ChangeLine {
  std::string mark;
  std::string name;    ///< "model method" of a pick, "model method gpu" of a row
  std::string before;  ///< set-up, or why there is none
  std::string after;
  AmountPair run;     ///< dollars of a run, where the sides hold and they are known
  std::string cause;  ///< "prices + gpus", or ""
  std::string place;  ///< "in hf-trl-4k" of a row where listed changes are of several scenarios
  std::vector<std::string> remarks;  ///< what all that does not say yet: "rent -> buy"
};

/// What a line of a listing needs to know of the others.
struct LineContext {
  bool with_scenario = false;  ///< listed changes are of several
  MovedById moved;
};
LineContext line_context(const SheetChanges& changes);

ChangeLine change_line(const Change& change, const LineContext& context);
/// One line for several that moved alike: "29 rows on h100-sxm, each", with their dollars together.
ChangeLine change_line(const std::vector<const Change*>& alike, const LineContext& context);

/// "next: MI300X from 2.05 $ a GPU-hour, or 12 % faster".
std::string next_words(const NextPick& next);

/// Whether an input is the price of the offer that a price row belongs to.
bool is_price_of(const MovedInput& moved, const std::string& price_key);

/// "nebius $5.04 -> $5.50, so together $3.99", or "together $3.99 instead of nebius $5.04" where
/// that one did not move: what became of the offer of one side, and the one that took its place.
/// Dollars are of a GPU-hour.
std::string took_over_words(const ChangeSide& from, const ChangeSide& to, const MovedById& moved,
                            const std::string& arrow);

/// "prices + gpus", or "".
std::string cause_words(const Change& change);

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

/// The listing with rows of one GPU type that got dearer or cheaper by the same share, and that
/// nothing else is to be told of, as one line.
Listing folded(const Listing& listing);

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
  std::string rows;    ///< "14 rows", "no row"
};
MovedWords moved_entry(const MovedInput& moved);

// ---- The forms: text for a terminal or an e-mail (a hundred columns, one sentence first),
// Markdown for a comment on a pull request, and one row of two editions side by side.

struct DiffTextOptions {
  bool all = false;     ///< every line, else `kListedAtMost` of a table
  bool colour = false;  ///< repeats the marks; never the only bearer of meaning
};

/// Ends in a line end. Holds no control character but line ends and, with colour, its own.
std::string diff_text(const SheetChanges& changes, const DiffTextOptions& options);

/// GitHub refuses comments of more than 65,536 characters; this leaves a bot room for its own.
inline constexpr std::size_t kMarkdownAtMost = 60000;

/// By this line a bot finds the comment that it wrote before.
inline constexpr const char* kMarkdownTag = "<!-- sizesheet-diff -->";

/// Begins with the tag, never longer than kMarkdownAtMost bytes. The tables hold kListedAtMost
/// lines each, the rest is folded; with `all` nothing is folded. What does not fit is counted.
std::string diff_markdown(const SheetChanges& changes, bool all);

/// The page of changes as one HTML document that needs no other file: stylesheet and script stand
/// in it. Nothing links to an edition.
std::string changes_page(const SheetChanges& changes);

/// Memory term by term, the money's three factors, the cause. `key` is MODEL/METHOD (the picked
/// rows), MODEL/METHOD/GPU (its row in each scenario) or a whole row key, in NEW's names. `changes`
/// is what they were compared to. Throws InputError with a near miss where neither edition has it.
std::string explain_change(const Edition& old_edition, const Edition& new_edition,
                           const SheetChanges& changes, const std::string& key);

/// How the two sides are told apart: by edition, by day where both are of one edition, else by
/// "before" and "now".
struct SideTitles {
  std::string before;
  std::string after;
  std::string when;  ///< "in 2026-Q3", "on 2026-08-20" or "before"
};
SideTitles side_titles(const SheetChanges& changes);

/// "+12.00", "−12.00", "0".
std::string delta_usd(MicroUsd amount, int decimals);
/// The same with the decimals of dollars of a run.
std::string delta_run(MicroUsd amount);
/// "+82.5 %" of a share of 0.825; "0 %" for no move at all.
std::string delta_percent(double share);
/// (after - before) / before; absent where a side is unknown or before is not above 0.
std::optional<double> delta_share(const std::optional<MicroUsd>& before,
                                  const std::optional<MicroUsd>& after);

/// What one run of each comparable pick cost and costs, for every page that says it.
struct TotalSentence {
  std::string words;  ///< "One run of each of the 60 comparable picks cost $7,865 in 2026-Q3 and …"
  std::string delta;  ///< "−$647 (−8.2 %)"; "" where nothing moved or nothing compares
};
TotalSentence total_sentence(const SheetChanges& changes);

/// What else the first sentence of the page says: the largest effect, and verdicts that changed.
std::string lead_rest(const SheetChanges& changes);

/// One effect on the dollars of a run.
struct EffectPart {
  std::string title;    ///< "Price"
  std::string words;    ///< "price", inside a sentence
  std::string meaning;  ///< "dollars an instance-hour"
  MicroUsd usd;
};
BOOST_DESCRIBE_STRUCT(EffectPart, (), (title, words, meaning, usd))
/// Price, quantity, time, card.
std::vector<EffectPart> effect_parts(const ChangeEffects& effects);

/// "Engine" for "engine", "GPUs" for "gpus".
std::string group_title(const std::string& group);

/// The size of its dollars of a run; -1 where they are not known.
std::int64_t dollars_moved(const Change& change);

/// A number in JSON text, or nothing.
std::optional<double> number_in(const std::string& json_text);

/// True where the change is about whether, or on how many GPUs, a row fits.
bool is_verdict(const std::string& kind);

// ---- One change in words: how a row stood on either side, which inputs moved, and what that did.

/// "8 × H100".
std::string side_setup(const ChangeSide& side);
/// "8 × H100, 12 % free", "8 × H100, tight, 4 % free", "no, over by 0.4 GiB", "not modelled"; "not
/// listed" for a side that is absent.
std::string side_standing(const std::optional<ChangeSide>& side);

/// JSON text of a value: strings without their quotes and escapes, all else as it stands.
std::string bare_value(const std::string& json_text);
/// "overhead.dynamic_share": the entry, and where in it when that needs saying.
std::string moved_title(const MovedInput& moved);
/// A value as JSON text for people: strings bare, long ones cut, "–" where there is none.
std::string moved_value(const std::string& json_text);
/// "overhead.dynamic_share 0.16 → 0.1", "l40s added".
std::string moved_words(const MovedInput& moved);

/// "Engine: overhead.dynamic_share 0.16 → 0.1"; "–" where no cause is known.
std::string cause_title(const Change& change, const MovedById& moved);
/// "H100 $2.29 → $2.09; 1 → 2 GPUs; …": what a pick's figures and inputs did.
std::string pick_moves(const Change& change, const MovedById& moved);

}  // namespace sizesheet
