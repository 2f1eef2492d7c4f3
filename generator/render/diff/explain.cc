// SPDX-License-Identifier: Apache-2.0
#include "render/diff/explain.h"

#include <algorithm>
#include <set>

#include "render/change_words.h"
#include "render/changes_words.h"
#include "render/diff/remarks.h"
#include "sheet/changes.h"
#include "sheet/decision.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/run_effects.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "support/error.h"
#include "support/money.h"
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
  std::optional<RunMove> move = {};  ///< absent where dollars of a run are not known on both sides
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

std::string row_limit_words(const EditionRow* row) {
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
         row_limit_words(pair.before) + " -> " + row_limit_words(pair.after) + "\n";
}

/// The factors of a run's dollars, in full: what a formula below them takes.
struct Factors {
  std::string price;
  std::string gpus;
  std::string hours;
  std::string offer;
};

Factors factors_of(const RunTerms& terms, const std::string& price_key) {
  return {price_text(terms), format_integer(terms.gpus_billed),
          format_number(to_hours(terms.hours), 4), plain_text(price_key)};
}

/// Of a side, as far as they are known.
Factors factors_of(const EditionRow* row) {
  Factors known{std::string(kAbsent), std::string(kAbsent), std::string(kAbsent),
                std::string(kAbsent)};
  if (row == nullptr) return known;
  const ChangeSide& side = row->side;
  if (const auto terms = run_terms(side)) return factors_of(*terms, side.price_key);
  if (side.hours) known.hours = format_number(*side.hours, 4);
  if (side.gpus_billed > 0) known.gpus = format_integer(side.gpus_billed);
  if (!side.price_key.empty()) known.offer = plain_text(side.price_key);
  return known;
}

std::string factor_lines(const Factors& before, const Factors& after) {
  const auto factor = [](const char* name, const std::string& from, const std::string& to) {
    return line(name, "", from == to && from != kAbsent ? "[ = ]" : "", from, to);
  };
  return factor("p, $ per GPU-hour", before.price, after.price) +
         factor("n, GPUs billed", before.gpus, after.gpus) +
         factor("h, hours", before.hours, after.hours) + "  price row " + before.offer + " -> " +
         after.offer + "\n";
}

/// "+41.728", "-13.25", "0": to the micro-dollar, with two decimals at least.
std::string exact_usd_words(MicroUsd amount) {
  if (amount.value == 0) return "0";
  std::string text = delta_usd(amount, 6);
  while (text.ends_with('0') && text[text.size() - 3] != '.') text.pop_back();
  return text;
}

std::string effect_line(const std::string& name, MicroUsd amount) {
  return "  " + padded_right(name, kSubjectWidth) + " " +
         padded_left(exact_usd_words(amount), kFigureWidth) + "\n";
}

std::string moved_parts(const ChangeEffects& effects) {
  return effect_line("time = p0 n0 (h1 - h0)", effects.time) +
         effect_line("quantity = p0 (n1 - n0) h1", effects.quantity) +
         effect_line("price = (p1 - p0) n1 h1", effects.price);
}

std::string total_line(const RunMove& move, MicroUsd total) {
  const AmountPair words = amount_pair(move.old_usd, move.new_usd);
  return line("TOTAL, $", exact_usd_words(total), words.percent, words.before, words.after);
}

/// The pick changes at OLD's prices, and then the new one moves. Each formula takes the figures
/// above it.
std::string other_pick_part(const RowPair& pair, const ChangeEffects& effects) {
  const RunMove& move = *pair.move;
  const Factors before = factors_of(pair.before);
  const Factors after = factors_of(pair.after);
  if (!move.then) {
    return "Money of one run: another pick, which OLD has no price for\n" +
           factor_lines(before, after) + effect_line("mix = p1 n1 h1 - p0 n0 h0", effects.mix);
  }
  const Factors then = factors_of(*move.then, offer_of(pair.after->side.price_key));
  return "Money of one run: another pick, at OLD's prices\n" + factor_lines(before, then) +
         effect_line("mix = p1 n1 h1 - p0 n0 h0", effects.mix) +
         "Money of one run: the new pick, from OLD to NEW\n" + factor_lines(then, after) +
         moved_parts(effects);
}

std::string money_part(const RowPair& pair) {
  const std::string title = "Money of one run\n";
  const std::string factors = factor_lines(factors_of(pair.before), factors_of(pair.after));
  if (!pair.move) {
    const bool both = pair.before != nullptr && pair.after != nullptr;
    return title + factors + (both ? "  $ of a run: not known on both sides\n" : "");
  }
  const ChangeEffects effects = effects_of(*pair.move);
  const std::string parts = pair.move->other_pick ? other_pick_part(pair, effects)
                                                  : title + factors + moved_parts(effects);
  return parts + total_line(*pair.move, effects.total);
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
         memory_part(pair) + money_part(pair);
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
  RowPair picks{picked(old_edition, before, key), picked(new_edition, after, key)};
  if (picks.before != nullptr || picks.after != nullptr) {
    const EditionRow* then = picks.after == nullptr ? nullptr : before.find(picks.after->key());
    picks.move = pick_move(picks.before, then, picks.after, OfferPrices(old_edition));
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
    const EditionRow* from = before.find(row_key);
    const EditionRow* to = after.find(row_key);
    text +=
        explained(row_key, {from, to, row_move(from, to)}) + cause_part(changes, "row", row_key);
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
