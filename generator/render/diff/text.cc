// SPDX-License-Identifier: Apache-2.0
#include "render/diff/text.h"

#include <algorithm>
#include <array>
#include <set>

#include "render/change_words.h"
#include "render/diff/remarks.h"
#include "sheet/changes.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kLineWidth = 100;  // characters
constexpr std::size_t kIdWidth = 44;
constexpr std::size_t kLeastValue = 16;

/// The words between blanks; a number keeps the sign beside it.
std::vector<std::string> words_of(const std::string& sentence) {
  std::vector<std::string> words;
  for (const std::string& word : split(sentence, ' ')) {
    const bool with_last = !words.empty() && (starts_with(word, "%") || words.back() == "$");
    if (with_last) {
      words.back() += " " + word;
    } else {
      words.push_back(word);
    }
  }
  return words;
}

/// Lines of at most kLineWidth characters, each with as many words as fit.
std::string paragraph(const std::string& words) {
  if (words.empty()) return "";
  std::string text;
  std::string line;
  for (const std::string& word : words_of(plain_text(words))) {
    if (!line.empty() && width_of(line + " " + word) > kLineWidth) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return text + line + "\n";
}

std::string edition(const EditionLabel& label, const EditionLabel& other) {
  return elided(plain_text(edition_words(label, other)), kIdWidth + kIdWidth / 2);
}

/// The marks that lines and entries carry, worst first, each with its meaning.
std::string key_line(const std::vector<Listing>& listings, const SheetChanges& changes) {
  std::set<std::string> used;
  for (const Listing& listing : listings) {
    for (const auto& line : listing.shown) used.insert(change_kind(line.front()->kind).mark);
  }
  for (const EntryChange& entry : changes.entries) used.insert(change_kind(entry.how).mark);
  std::vector<std::string> parts;
  for (const Mark& mark : marks()) {
    if (used.contains(mark.mark)) parts.push_back(mark.mark + " " + mark.meaning);
  }
  return parts.empty() ? "" : "Key: " + join(parts, "  ") + "\n";
}

std::string entry_lines(const SheetChanges& changes) {
  std::string text;
  for (const EntryChange& entry : changes.entries) {
    EntryChange shown = entry;
    shown.id = elided(plain_text(entry.id), kIdWidth);
    text += change_kind(entry.how).mark + " " + entry_words(shown) + "\n";
  }
  return text.empty() ? "" : "\n" + text;
}

/// The columns of one line; values take what the others leave.
std::string moved_line(const MovedInput& moved) {
  const MovedWords words = moved_entry(moved);
  const std::string what = elided(plain_text(words.what), kIdWidth);
  std::string rest = words.days.empty() ? "" : "  (" + elided(plain_text(words.days), 24) + ")";
  rest += "  " + words.rows;
  const std::size_t taken = 4 + width_of(what) + width_of(rest);
  const std::size_t room = taken + kLeastValue < kLineWidth ? kLineWidth - taken : kLeastValue;
  return "  " + what + "  " + elided(plain_text(words.values), room) + rest + "\n";
}

std::string moved_lines(const SheetChanges& changes, std::size_t most) {
  if (changes.moved.empty()) return "";
  std::string text = "\nCatalog entries that moved, and the rows they changed\n";
  std::size_t shown = 0;
  for (const MovedInput* moved : moved_with_rows_first(changes)) {
    if (most != 0 && shown == most) break;
    text += moved_line(*moved);
    ++shown;
  }
  const std::size_t left = changes.moved.size() - shown;
  if (left > 0) {
    text += "  … " + format_integer(static_cast<std::int64_t>(left)) + " more (--all)\n";
  }
  return text;
}

constexpr std::size_t kNameColumns = 48;
constexpr std::size_t kLeastName = 20;
constexpr std::size_t kSetUpWidth = 20;
constexpr std::size_t kTableColumns = 7;
constexpr std::size_t kName = 0;
constexpr std::array<bool, kTableColumns> kToTheLeft{true, true, false, true, false, false, false};

using Cells = std::array<std::string, kTableColumns>;

struct TableLine {
  std::string mark;
  Cells cells;
  std::vector<std::string> notes;  ///< what has no column, the cause first
};

std::string cell(const std::string& raw, std::size_t width) {
  return elided(plain_text(raw), width);
}

TableLine line_of(const std::vector<const Change*>& alike, const LineContext& context) {
  const ChangeLine shown = change_line(alike, context);
  TableLine line;
  line.mark = shown.mark;
  line.cells = {cell(shown.name, kNameColumns),
                cell(shown.before, kSetUpWidth),
                shown.run.before,
                cell(shown.after, kSetUpWidth),
                shown.run.after,
                shown.run.difference,
                shown.run.percent};
  for (const std::string& words : {shown.cause, shown.place}) {
    if (!words.empty()) line.notes.push_back(cell(words, kNameColumns));
  }
  for (const std::string& remark : shown.remarks) {
    line.notes.push_back(plain_text(remark));
  }
  return line;
}

/// The widest cell of each column; names give way where a line would be too long.
std::array<std::size_t, kTableColumns> widths_of(const std::vector<TableLine>& lines) {
  std::array<std::size_t, kTableColumns> widths{};
  for (const TableLine& line : lines) {
    for (std::size_t i = 0; i < kTableColumns; ++i) {
      widths[i] = std::max(widths[i], width_of(line.cells[i]));
    }
  }
  std::size_t others = 2;  // mark and blank
  for (std::size_t i = 1; i < kTableColumns; ++i) others += 2 + widths[i];
  const std::size_t room = kLineWidth > others ? kLineWidth - others : 0;
  widths[kName] = std::min(widths[kName], std::max(room, kLeastName));
  return widths;
}

std::string coloured(const std::string& mark) {
  const Mark* known = entry_with(marks(), &Mark::mark, mark);
  return known == nullptr ? mark : "\x1b[" + known->colour + "m" + mark + "\x1b[0m";
}

std::string aligned(const TableLine& line, const std::array<std::size_t, kTableColumns>& widths) {
  std::string text;
  for (std::size_t i = 0; i < kTableColumns; ++i) {
    const std::string shown = elided(line.cells[i], std::max<std::size_t>(3, widths[i]));
    if (i > 0) text += "  ";
    text += kToTheLeft[i] ? padded_right(shown, widths[i]) : padded_left(shown, widths[i]);
  }
  return text;
}

std::string without_trailing_blanks(std::string text) {
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

/// As many notes to a line as fit; one that is longer than a line is broken at a blank.
std::string under_lines(const std::vector<std::string>& notes) {
  const std::string indent = "      ";
  const std::size_t room = kLineWidth - indent.size();
  std::string text;
  std::string line;
  const auto put = [&](const std::string& between, const std::string& piece) {
    if (!line.empty() && width_of(line + between + piece) > room) {
      text += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : between) + elided(piece, room);
  };
  for (const std::string& note : notes) {
    std::string between = "; ";
    const bool fits = width_of(note) <= room;
    for (const std::string& piece : fits ? std::vector{note} : words_of(note)) {
      put(between, piece);
      between = " ";
    }
  }
  return text + indent + line + "\n";
}

/// Notes behind the line where they all fit, else under it.
std::string noted(const std::string& text, std::size_t width,
                  const std::vector<std::string>& notes) {
  if (notes.empty()) return without_trailing_blanks(text) + "\n";
  const std::string all = join(notes, "; ");
  if (width + 2 + width_of(all) <= kLineWidth) return text + "  " + all + "\n";
  return without_trailing_blanks(text) + "\n" + under_lines(notes);
}

/// A head line, then one or two lines a change: what has no column follows where it fits, else
/// under the line.
std::string text_table(const std::string& title, const Listing& listing, const LineContext& context,
                       bool colour) {
  std::vector<TableLine> lines(1);
  lines[0].mark = " ";
  lines[0].cells = {title, "old", "$/run", "new", "$/run", "Δ $/run", "%"};
  for (const auto& alike : listing.shown) {
    if (!alike.front()->cause.empty()) lines[0].notes = {"cause"};
    lines.push_back(line_of(alike, context));
  }
  const auto widths = widths_of(lines);
  std::string text;
  for (const TableLine& line : lines) {
    const std::string row = aligned(line, widths);
    text += noted((colour ? coloured(line.mark) : line.mark) + " " + row, 2 + width_of(row),
                  line.notes);
  }
  return text;
}

std::string table(const char* title, const Listing& listing, const SheetChanges& changes,
                  bool colour) {
  if (listing.shown.empty()) return "";
  std::string text = "\n" + text_table(title, listing, line_context(changes), colour);
  const std::string hidden = hidden_words(listing);
  return hidden.empty() ? text : text + "  … " + hidden + " (--all)\n";
}

}  // namespace

std::string diff_text(const SheetChanges& changes, const DiffTextOptions& options) {
  const std::size_t most = options.all ? 0 : kListedAtMost;
  const Listing picks = list_changes(changes, "pick", most);
  const Listing all_rows = list_changes(changes, "row", 0);
  const Listing rows = options.all ? all_rows : cut(folded(all_rows), most);
  std::string text = edition(changes.old_edition, changes.new_edition) + "  ->  " +
                     edition(changes.new_edition, changes.old_edition) + "\n\n";
  text += paragraph(headline(changes));
  text += paragraph(totals_sentence(changes));
  for (const std::string& sentence : plan_sentences(changes)) text += paragraph(sentence);
  text += key_line({picks, rows}, changes);
  text += table("Picks", picks, changes, options.colour);
  text += table("Rows", rows, changes, options.colour);
  text += entry_lines(changes);
  text += moved_lines(changes, most);
  text += "\n";
  for (const std::string& sentence : count_sentences(changes)) text += paragraph(sentence);
  return text + paragraph(cause_sentence(changes));
}

}  // namespace sizesheet
