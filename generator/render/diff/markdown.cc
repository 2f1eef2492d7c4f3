// SPDX-License-Identifier: Apache-2.0
#include "render/diff/markdown.h"

#include <algorithm>

#include "render/change_words.h"
#include "render/diff/remarks.h"
#include "sheet/changes.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kCodeWidth = 60;
constexpr std::size_t kNoteWidth = 120;
constexpr std::size_t kMovedAtMost = 30;
constexpr std::size_t kMovedBytes = 12000;

std::string code(const std::string& raw) { return markdown_code(elided(raw, kCodeWidth)); }

/// Our own words, with names in them as they come.
std::string words(const std::string& raw) { return markdown_text(elided(raw, 4 * kNoteWidth)); }

/// As many as find room, the first always, and how many more there are: none is cut in two.
std::string notes_cell(const std::vector<std::string>& notes) {
  std::string text;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const std::string longer = text.empty() ? notes[i] : text + "; " + notes[i];
    if (i > 0 && width_of(longer) > kNoteWidth) {
      return text + "; … " + std::to_string(notes.size() - i) + " more";
    }
    text = longer;
  }
  return text;
}

std::string markdown_line(const std::vector<const Change*>& alike, const LineContext& context) {
  const ChangeLine shown = change_line(alike, context);
  const std::string after = words(elided(shown.after, kCodeWidth));
  std::vector<std::string> notes = shown.remarks;
  if (!shown.place.empty()) notes.insert(notes.begin(), shown.place);
  std::string line = "| " + markdown_text(shown.mark);
  for (const std::string& cell :
       {code(shown.name), words(elided(shown.before, kCodeWidth)), shown.run.before,
        alike.front()->level == "breaking" ? "**" + after + "**" : after, shown.run.after,
        shown.run.difference, shown.run.percent, words(shown.cause), words(notes_cell(notes))}) {
    line += " | " + cell;
  }
  return line + " |\n";
}

std::string table_head(const char* what) {
  return std::string("|  | ") + what +
         " | Old | \\$/run | New | \\$/run | Δ \\$/run | % | Cause | Also |\n"
         "|---|---|---|--:|---|--:|--:|--:|---|---|\n";
}

/// Appends lines [first, last) of the listing as long as the text stays under `most` bytes; how
/// many found room.
std::size_t add_lines(const Listing& listing, std::size_t first, std::size_t last,
                      const LineContext& context, std::size_t most, std::string& text) {
  for (std::size_t i = first; i < last; ++i) {
    const std::string line = markdown_line(listing.shown[i], context);
    if (text.size() + line.size() > most) return i - first;
    text += line;
  }
  return last - first;
}

/// The first `in_sight` lines in sight, the others folded, those that find no room counted.
void add_table(const char* what, const Listing& listing, const LineContext& context,
               std::size_t in_sight, std::size_t most, std::string& text) {
  const std::size_t size = listing.shown.size();
  if (size == 0) return;
  in_sight = std::min(size, in_sight);
  if (in_sight > 0) text += "\n" + table_head(what);
  std::size_t shown = add_lines(listing, 0, in_sight, context, most, text);
  if (shown == in_sight && shown < size && text.size() <= most) {
    text += "\n<details><summary>" + markdown_text(hidden_words(cut(listing, in_sight))) +
            "</summary>\n\n" + table_head(what);
    shown += add_lines(listing, in_sight, size, context, most, text);
    text += "\n</details>\n";
  }
  const std::string hidden = hidden_words(cut(listing, shown));
  if (!hidden.empty()) text += "\n… " + markdown_text(hidden) + ", left out here.\n";
}

std::string moved_table(const SheetChanges& changes) {
  if (changes.moved.empty()) return "";
  std::string text =
      "\n| Catalog entry that moved | Change | Day | Rows changed |\n|---|---|---|--:|\n";
  std::size_t shown = 0;
  for (const MovedInput* moved : moved_with_rows_first(changes)) {
    const MovedWords parts = moved_entry(*moved);
    const std::string line = "| " + code(parts.what) + " | " + code(parts.values) + " | " +
                             words(parts.days) + " | " + words(parts.rows) + " |\n";
    if (shown == kMovedAtMost || text.size() + line.size() > kMovedBytes) break;
    text += line;
    ++shown;
  }
  const std::size_t left = changes.moved.size() - shown;
  if (left == 0) return text;
  return text + "\n… " + format_integer(static_cast<std::int64_t>(left)) +
         " more entries, left out here.\n";
}

std::string entry_list(const SheetChanges& changes) {
  std::string text;
  std::size_t shown = 0;
  for (const EntryChange& entry : changes.entries) {
    if (shown == kListedAtMost) break;
    text += "- " + std::string(entry.how == "added" ? "new " : "gone ") +
            words(entry_words(
                {entry.of, elided(entry.id, kCodeWidth), entry.how, entry.rows, entry.picks})) +
            "\n";
    ++shown;
  }
  const std::size_t left = changes.entries.size() - shown;
  if (left > 0) text += "- … " + format_integer(static_cast<std::int64_t>(left)) + " more\n";
  return text.empty() ? "" : "\n" + text;
}

/// What follows the tables.
std::string tail(const SheetChanges& changes) {
  std::string text = entry_list(changes) + moved_table(changes) + "\n";
  std::vector<std::string> sentences = count_sentences(changes);
  sentences.push_back(cause_sentence(changes));
  for (const std::string& sentence : sentences) {
    if (!sentence.empty()) text += words(sentence) + "<br>\n";
  }
  return text;
}

}  // namespace

std::string diff_markdown(const SheetChanges& changes, bool all) {
  constexpr std::size_t kRoomForWords = 1500;  // counts of kinds, and the tags of a fold
  const std::string end = tail(changes);
  const std::size_t most = kMarkdownAtMost - end.size() - kRoomForWords;
  std::string text = std::string(kMarkdownTag) + "\n**" + words(headline(changes)) + "**\n\n" +
                     code(edition_words(changes.old_edition, changes.new_edition)) + " → " +
                     code(edition_words(changes.new_edition, changes.old_edition)) + "\n";
  const std::string totals = totals_sentence(changes);
  if (!totals.empty()) text += "\n" + words(totals) + "\n";
  for (const std::string& sentence : plan_sentences(changes)) text += "\n" + words(sentence) + "\n";
  const LineContext context = line_context(changes);
  const Listing picks = list_changes(changes, "pick", 0);
  const Listing each_row = list_changes(changes, "row", 0);
  const Listing rows = all ? each_row : folded(each_row);
  const std::size_t room = all ? picks.shown.size() + rows.shown.size() : kListedAtMost;
  add_table("Pick", picks, context, room, most, text);
  add_table("Row", rows, context, room - std::min(room, picks.shown.size()), most, text);
  return text + end;
}

}  // namespace sizesheet
