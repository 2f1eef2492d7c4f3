// SPDX-License-Identifier: Apache-2.0
// A comparison as GitHub's Markdown.

#include <algorithm>

#include "render/diff/forms.h"
#include "render/diff/words.h"
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

std::string edition_code(const EditionLabel& label) { return code(edition_words(label)); }

std::string markdown_line(const Change& change, bool with_scenario) {
  const ChangeLine shown = change_line(change, with_scenario);
  const std::string after = words(elided(shown.after, kCodeWidth));
  std::vector<std::string> notes = shown.remarks;
  if (!shown.place.empty()) notes.insert(notes.begin(), shown.place);
  std::string line = "| " + markdown_text(shown.mark);
  for (const std::string& cell :
       {code(shown.name), words(elided(shown.before, kCodeWidth)), shown.run.before,
        change.level == "breaking" ? "**" + after + "**" : after, shown.run.after,
        shown.run.difference, shown.run.percent, words(shown.cause),
        markdown_text(elided(join(notes, "; "), kNoteWidth))}) {
    line += " | " + cell;
  }
  return line + " |\n";
}

std::string table_head(const char* what) {
  return std::string("|  | ") + what +
         " | Old | \\$/run | New | \\$/run | Δ \\$/run | % | Cause | Also |\n"
         "|---|---|---|--:|---|--:|--:|--:|---|---|\n";
}

/// Appends lines as long as the document stays under its limit, and says how many did not fit.
class Document {
 public:
  /// Leaves room for what always comes last.
  explicit Document(std::size_t reserved) : most_(kMarkdownAtMost - reserved) {}

  void add(const std::string& text) { text_ += text; }

  /// Lines [first, last) of the listing; those that found room.
  std::size_t add_lines(const Listing& listing, std::size_t first, std::size_t last,
                        bool with_scenario, std::size_t room_after) {
    std::size_t shown = 0;
    for (std::size_t i = first; i < last; ++i) {
      const std::string line = markdown_line(*listing.shown[i], with_scenario);
      if (text_.size() + line.size() + room_after > most_) break;
      text_ += line;
      ++shown;
    }
    return shown;
  }

  bool holds(std::size_t more) const { return text_.size() + more <= most_; }
  const std::string& text() const { return text_; }

 private:
  std::size_t most_;
  std::string text_;
};

constexpr std::size_t kRoomForWords = 1500;  ///< counts of kinds, and the tags of a fold

std::string counted_out(const Listing& left_out) {
  const std::string hidden = hidden_words(left_out);
  return hidden.empty() ? "" : "\n… " + markdown_text(hidden) + ", left out here.\n";
}

/// The first `most` lines in sight, the others folded, those that find no room counted.
void add_table(const char* what, const Listing& listing, bool with_scenario, std::size_t most,
               Document& document) {
  if (listing.shown.empty()) return;
  const std::size_t size = listing.shown.size();
  const std::size_t in_sight = std::min(size, most);
  if (in_sight > 0) document.add("\n" + table_head(what));
  std::size_t shown = document.add_lines(listing, 0, in_sight, with_scenario, kRoomForWords);
  if (shown == in_sight && shown < size && document.holds(kRoomForWords)) {
    document.add("\n<details><summary>" + markdown_text(hidden_words(cut(listing, in_sight))) +
                 "</summary>\n\n" + table_head(what));
    shown += document.add_lines(listing, in_sight, size, with_scenario, kRoomForWords);
    document.add("\n</details>\n");
  }
  document.add(counted_out(cut(listing, shown)));
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
  const std::string end = tail(changes);
  Document document(end.size());
  document.add(std::string(kMarkdownTag) + "\n**" + words(headline(changes)) + "**\n\n");
  document.add(edition_code(changes.old_edition) + " → " + edition_code(changes.new_edition) +
               "\n");
  const std::string totals = totals_sentence(changes);
  if (!totals.empty()) document.add("\n" + words(totals) + "\n");
  const bool with_scenario = many_scenarios(changes);
  const Listing picks = list_changes(changes, "pick", 0);
  const Listing rows = list_changes(changes, "row", 0);
  const std::size_t room = all ? picks.shown.size() + rows.shown.size() : kListedAtMost;
  add_table("Pick", picks, with_scenario, room, document);
  add_table("Row", rows, with_scenario, room - std::min(room, picks.shown.size()), document);
  return document.text() + end;
}

}  // namespace sizesheet
