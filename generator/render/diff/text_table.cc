// SPDX-License-Identifier: Apache-2.0
#include "render/diff/text_table.h"

#include <algorithm>
#include <array>

#include "render/diff/escape.h"
#include "render/diff/figures.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kNameWidth = 48;
constexpr std::size_t kLeastName = 20;
constexpr std::size_t kSetUpWidth = 20;
constexpr std::size_t kColumns = 7;
constexpr std::size_t kName = 0;
constexpr std::array<bool, kColumns> kToTheLeft{true, true, false, true, false, false, false};

using Cells = std::array<std::string, kColumns>;

struct TableLine {
  std::string mark;
  Cells cells;
  std::string cause;
  std::vector<std::string> notes;
};

std::string cell(const std::string& raw, std::size_t width) {
  return elided(plain_text(raw), width);
}

TableLine line_of(const Change& change, bool with_scenario) {
  const AmountPair pair = amount_pair(run_of(change.old_side), run_of(change.new_side));
  TableLine line;
  line.mark = change_kind(change.kind).mark;
  line.cells = {cell(line_name(change), kNameWidth),
                cell(old_words(change), kSetUpWidth),
                pair.before,
                cell(new_words(change), kSetUpWidth),
                pair.after,
                pair.difference,
                pair.percent};
  line.cause = cell(cause_words(change), kNameWidth);
  if (with_scenario && change.of == "row")
    line.notes.push_back(cell("in " + change.scenario, kNameWidth));
  for (const std::string& remark : remarks(change)) {
    line.notes.push_back(cell(remark, kLineWidth - 10));
  }
  return line;
}

/// The widest cell of each column; names give way where a line would be too long.
std::array<std::size_t, kColumns> widths_of(const std::vector<TableLine>& lines) {
  std::array<std::size_t, kColumns> widths{};
  for (const TableLine& line : lines) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      widths[i] = std::max(widths[i], width_of(line.cells[i]));
    }
  }
  std::size_t others = 2;  // mark and blank
  for (std::size_t i = 1; i < kColumns; ++i) others += 2 + widths[i];
  const std::size_t room = kLineWidth > others ? kLineWidth - others : 0;
  widths[kName] = std::min(widths[kName], std::max(room, kLeastName));
  return widths;
}

std::string coloured(const std::string& mark, bool colour) {
  if (!colour || mark == " ") return mark;
  const bool bad = mark == "!" || mark == "↑" || mark == "-";
  const bool good = mark == "*" || mark == "↓" || mark == "+";
  const char* code = bad ? "31" : good ? "32" : "33";
  return "\x1b[" + std::string(code) + "m" + mark + "\x1b[0m";
}

std::string aligned(const TableLine& line, const std::array<std::size_t, kColumns>& widths) {
  std::string text;
  for (std::size_t i = 0; i < kColumns; ++i) {
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

/// Notes behind the line where they all fit, else under it, as many to a line as fit.
std::string noted(const std::string& text, std::size_t width, const TableLine& line) {
  std::vector<std::string> notes = line.notes;
  if (!line.cause.empty()) notes.insert(notes.begin(), line.cause);
  if (notes.empty()) return without_trailing_blanks(text) + "\n";
  const std::string all = join(notes, "; ");
  if (width + 2 + width_of(all) <= kLineWidth) return text + "  " + all + "\n";
  std::string under;
  std::string row;
  for (const std::string& note : notes) {
    if (!row.empty() && 6 + width_of(row) + 2 + width_of(note) > kLineWidth) {
      under += "      " + row + "\n";
      row.clear();
    }
    row += (row.empty() ? "" : "; ") + note;
  }
  return without_trailing_blanks(text) + "\n" + under + "      " + row + "\n";
}

}  // namespace

std::string text_table(const std::string& title, const Listing& listing, bool with_scenario,
                       bool colour) {
  std::vector<TableLine> lines(1);
  lines[0].mark = " ";
  lines[0].cells = {title, "old", "$/run", "new", "$/run", "Δ $/run", "%"};
  for (const Change* change : listing.shown) lines.push_back(line_of(*change, with_scenario));
  const bool with_cause = std::any_of(lines.begin(), lines.end(),
                                      [](const TableLine& line) { return !line.cause.empty(); });
  if (with_cause) lines[0].cause = "cause";
  const auto widths = widths_of(lines);
  std::string text;
  for (const TableLine& line : lines) {
    const std::string row = aligned(line, widths);
    text += noted(coloured(line.mark, colour) + " " + row, 2 + width_of(row), line);
  }
  return text;
}

}  // namespace sizesheet
