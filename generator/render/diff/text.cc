// SPDX-License-Identifier: Apache-2.0
#include "render/diff/text.h"

#include "render/diff/escape.h"
#include "render/diff/listing.h"
#include "render/diff/sentences.h"
#include "render/diff/text_table.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

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

/// Broken at blanks into lines of at most kLineWidth characters, as far as there are blanks.
std::string wrapped(const std::string& sentence) {
  std::string text;
  std::string line;
  for (const std::string& word : words_of(sentence)) {
    if (!line.empty() && width_of(line) + 1 + width_of(word) > kLineWidth) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return text + line + "\n";
}

std::string paragraph(const std::string& words) {
  return words.empty() ? "" : wrapped(plain_text(words));
}

std::string edition(const EditionLabel& label) {
  return elided(plain_text(edition_words(label)), kIdWidth);
}

std::string key_line(const std::vector<Listing>& listings, const SheetChanges& changes) {
  std::vector<std::string> parts;
  for (const auto& [mark, meaning] : marks_used(listings, changes)) {
    parts.push_back(mark + " " + meaning);
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

std::string table(const char* title, const Listing& listing, const SheetChanges& changes,
                  bool colour) {
  if (listing.shown.empty()) return "";
  std::string text = "\n" + text_table(title, listing, many_scenarios(changes), colour);
  const std::string hidden = hidden_words(listing);
  return hidden.empty() ? text : text + "  … " + hidden + " (--all)\n";
}

}  // namespace

std::string diff_text(const SheetChanges& changes, const DiffTextOptions& options) {
  const std::size_t most = options.all ? 0 : kListedAtMost;
  const Listing picks = list_changes(changes, "pick", most);
  const Listing rows = list_changes(changes, "row", most);
  std::string text =
      edition(changes.old_edition) + "  ->  " + edition(changes.new_edition) + "\n\n";
  text += paragraph(headline(changes));
  text += paragraph(totals_sentence(changes));
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
