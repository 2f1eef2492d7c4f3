// SPDX-License-Identifier: Apache-2.0
// One row of two editions side by side.

#include <algorithm>
#include <set>

#include "render/diff/words.h"
#include "sheet/diff/edition.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kSubjectWidth = 34;
constexpr std::size_t kFigureWidth = 12;
constexpr std::size_t kTagWidth = 9;

/// The rows to hold against each other; either may be missing.
struct RowPair {
  const EditionRow* before = nullptr;
  const EditionRow* after = nullptr;
  const EditionRow* then = nullptr;  ///< `after`'s row as OLD has it
};

std::string figure(const std::optional<std::int64_t>& bytes) {
  return bytes ? format_gib(*bytes, 2) : std::string(kAbsent);
}

std::string line(const std::string& name, const std::string& moved, const std::string& tag,
                 const std::string& before, const std::string& after) {
  std::string text = "  " + padded_right(elided(plain_text(name), kSubjectWidth), kSubjectWidth) +
                     " " + padded_left(moved, kFigureWidth) + "  " + padded_left(tag, kTagWidth) +
                     "  " + padded_left(before, kFigureWidth) + " -> " +
                     padded_left(after, kFigureWidth);
  return text + "\n";
}

std::string memory_line(const std::string& name, const std::optional<std::int64_t>& before,
                        const std::optional<std::int64_t>& after) {
  if (!before || !after) {
    const char* tag = before ? "[DEL]" : after ? "[NEW]" : "";
    return line(name, "", tag, figure(before), figure(after));
  }
  const std::int64_t moved = *after - *before;
  if (moved == 0) return line(name, "0", "[ = ]", figure(before), figure(after));
  std::string words = signed_gib(moved);
  words.resize(words.size() - std::string(" GiB").size());
  const std::string percent =
      *before == 0
          ? std::string(kAbsent)
          : signed_percent(100.0 * static_cast<double>(moved) / static_cast<double>(*before));
  return line(name, words, percent, figure(before), figure(after));
}

std::optional<std::int64_t> bytes_of(const EditionRow* row, const std::string& term) {
  return row == nullptr ? std::nullopt : row->bytes_of(term);
}

/// Every term of either side, NEW's order first.
std::string term_lines(const RowPair& pair) {
  std::string text;
  std::set<std::string> told;
  for (const EditionRow* row : {pair.after, pair.before}) {
    if (row == nullptr) continue;
    for (const EditionTerm& term : row->terms) {
      if (!told.insert(term.name).second) continue;
      text += memory_line(term.title.empty() ? term.name : term.title,
                          bytes_of(pair.before, term.name), bytes_of(pair.after, term.name));
    }
  }
  return text;
}

std::string limit_words(const EditionRow* row) {
  if (row == nullptr || row->side.capacity_bytes == 0) return std::string(kAbsent);
  const std::int64_t free = row->side.capacity_bytes - row->side.device_bytes;
  return format_gib(row->side.capacity_bytes, 2) + (free < 0
                                                        ? " (over by " + format_gib(-free, 2) + ")"
                                                        : " (" + format_gib(free, 2) + " free)");
}

std::string memory_part(const RowPair& pair) {
  const auto total = [](const EditionRow* row) {
    return row != nullptr && row->side.verdict != Verdict::kNotModelled
               ? std::optional(row->side.device_bytes)
               : std::nullopt;
  };
  return "GiB of one GPU\n" + term_lines(pair) +
         memory_line("TOTAL", total(pair.before), total(pair.after)) + "  limit " +
         limit_words(pair.before) + " -> " + limit_words(pair.after) + "\n";
}

std::string money_part(const RowPair& pair) {
  const auto shown = [](const EditionRow* row, const auto& words) {
    const std::string text = row != nullptr ? words(row->side) : "";
    return text.empty() ? std::string(kAbsent) : text;
  };
  const auto money_line = [&](const char* name, const auto& words) {
    const std::string before = shown(pair.before, words);
    const std::string after = shown(pair.after, words);
    return line(name, "", before == after ? "[ = ]" : "", before, after);
  };
  const auto price = [](const ChangeSide& side) {
    return side.usd_per_instance_hour ? format_usd(*side.usd_per_instance_hour, 4) : "";
  };
  const auto count = [](const ChangeSide& side) {
    return side.instances > 0 ? format_integer(side.instances) : "";
  };
  const auto hours = [](const ChangeSide& side) {
    return side.hours ? format_number(*side.hours, 4) : "";
  };
  const auto source = [](const ChangeSide& side) { return plain_text(side.price_key); };
  return "Money of one run\n" + money_line("p, $ an instance-hour", price) +
         money_line("n, instances", count) + money_line("h, hours", hours) + "  price row " +
         shown(pair.before, source) + " -> " + shown(pair.after, source) + "\n";
}

std::string effects_part(const RowPair& pair) {
  if (pair.before == nullptr || pair.after == nullptr) return "";
  const auto effects = run_effects(pair.before, pair.then, pair.after);
  if (!effects) return "  $ of a run: not known on both sides\n";
  const EffectWords words = effect_words(*pair.before->side.list_usd_per_run, *effects);
  const auto part = [](const std::string& name, const std::string& amount) {
    return "  " + padded_right(name, kSubjectWidth) + " " + padded_left(amount, kFigureWidth) +
           "\n";
  };
  return part("time = p0 n0 (h1 - h0)", words.time) +
         part("quantity = p0 (n1 - n0) h1", words.quantity) +
         part("price = (p1 - p0) n1 h1", words.price) + part("mix, another card", words.mix) +
         line("TOTAL, $", words.difference, words.percent, words.before, words.after);
}

/// The groups of inputs that moved it, and the catalog entries; "" where it is not listed or not
/// known.
std::string cause_part(const SheetChanges& changes, const std::string& of, const std::string& key) {
  const auto change = std::find_if(changes.changes.begin(), changes.changes.end(),
                                   [&](const Change& c) { return c.of == of && c.key == key; });
  if (change == changes.changes.end() || change->cause.empty()) return "";
  std::string text = "Cause: " + plain_text(cause_words(*change)) + "\n";
  for (const MovedInput& moved : changes.moved) {
    if (!contains(change->because, moved.id)) continue;
    const MovedWords words = moved_entry(moved);
    text += "  " + plain_text(words.what + "  " + words.values) + "\n";
  }
  return text;
}

std::string set_up(const EditionRow* row) {
  return row == nullptr ? std::string(kAbsent) : set_up_words(row->side, true);
}

std::string explained(const std::string& title, const RowPair& pair) {
  return plain_text(title + ": " + set_up(pair.before) + " -> " + set_up(pair.after)) + "\n" +
         memory_part(pair) + money_part(pair) + effects_part(pair);
}

/// The row that the pick at `key` rents.
const EditionRow* picked(const Edition& edition, const RowIndex& rows, const std::string& key) {
  for (const Pick& pick : edition.picks) {
    if (pick.key() == key) return rows.find(pick.rent_key);
  }
  return nullptr;
}

[[noreturn]] void refuse(const Edition& old_edition, const Edition& new_edition,
                         const std::string& key) {
  std::set<std::string> known;
  for (const Edition* edition : {&old_edition, &new_edition}) {
    for (const EditionRow& row : edition->rows) {
      known.insert(
          {row.model + "/" + row.method, row.model + "/" + row.method + "/" + row.gpu, row.key()});
    }
  }
  throw InputError(
      "--explain: expected MODEL/METHOD[/GPU[/SCENARIO]] of a row in OLD or NEW, got \"" + key +
      "\"" + did_you_mean(key, {known.begin(), known.end()}));
}

std::string explain_renamed(const Edition& old_edition, const Edition& new_edition,
                            const SheetChanges& changes, const std::string& key) {
  const RowIndex before(old_edition);
  const RowIndex after(new_edition);
  RowPair picks{picked(old_edition, before, key), picked(new_edition, after, key), nullptr};
  if (picks.before != nullptr || picks.after != nullptr) {
    if (picks.after != nullptr) picks.then = before.find(picks.after->key());
    return explained("Pick of " + key, picks) + cause_part(changes, "pick", key);
  }
  std::vector<std::string> keys;
  for (const Edition* edition : {&new_edition, &old_edition}) {
    for (const EditionRow& row : edition->rows) {
      const std::string row_key = row.key();
      const bool asked = row_key == key || starts_with(row_key, key + "/");
      if (asked && !contains(keys, row_key)) keys.push_back(row_key);
    }
  }
  if (keys.empty() || split(key, '/').size() < 2) refuse(old_edition, new_edition, key);
  std::string text;
  for (const std::string& row_key : keys) {
    if (!text.empty()) text += "\n";
    text += explained(row_key, {before.find(row_key), after.find(row_key), before.find(row_key)}) +
            cause_part(changes, "row", row_key);
  }
  return text;
}

}  // namespace

std::string explain_change(const Edition& old_edition, const Edition& new_edition,
                           const SheetChanges& changes, const std::string& key) {
  const Renames renames = renames_between(old_edition, new_edition);
  if (renames.none()) return explain_renamed(old_edition, new_edition, changes, key);
  return explain_renamed(under_new_names(old_edition, renames), new_edition, changes, key);
}

}  // namespace sizesheet
