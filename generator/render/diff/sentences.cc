// SPDX-License-Identifier: Apache-2.0
// What a comparison comes to, in sentences that every form prints.

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "render/changes_words.h"
#include "render/diff/words.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using CountByKind = std::map<std::string, std::int64_t>;

/// Those whose place in the sentence is from `first` to before `end`, in its order.
std::string phrases(const CountByKind& kinds, int first, int end) {
  std::map<int, std::string> parts;
  for (const ChangeKind& kind : change_kinds()) {
    const auto entry = kinds.find(kind.id);
    if (entry == kinds.end() || kind.place < first || kind.place >= end) continue;
    parts[kind.place] = format_integer(entry->second) + " " + kind.counted(entry->second);
  }
  std::vector<std::string> words;
  for (auto& [place, part] : parts) words.push_back(std::move(part));
  return join(words, ", ");
}

/// "1 no longer fits, 2 need more GPUs; 6 cheaper, 2 dearer".
std::string happenings(const CountByKind& kinds, const ChangeCounts& counts) {
  const std::string answers = phrases(kinds, 1, ChangeKind::kFirstOfMoney);
  const std::string money = phrases(kinds, ChangeKind::kFirstOfMoney, INT_MAX);
  if (!answers.empty() && !money.empty()) return answers + "; " + money;
  if (!answers.empty() || !money.empty()) return answers + money;
  const std::int64_t changed = counts.breaking + counts.notable + counts.detail;
  return changed == 0 ? "no change" : format_integer(changed) + " changed in details only";
}

std::string counts_of(const ChangeCounts& counts, const std::string& what) {
  return what + " compared: " + format_integer(counts.breaking) + " breaking, " +
         format_integer(counts.notable) + " notable, " + format_integer(counts.detail) +
         " detail, " + format_integer(counts.unchanged) + " unchanged, " +
         format_integer(counts.below_threshold) + " moved less than the threshold";
}

}  // namespace

std::string edition_words(const EditionLabel& label) {
  std::string words = label.edition.empty() ? std::string("(no edition)") : label.edition;
  if (!label.price_as_of.empty()) words += " (prices " + label.price_as_of + ")";
  return words;
}

std::string headline(const SheetChanges& changes) {
  if (changes.changes.empty()) {
    return "No differences in " + counted(changes.rows.compared, "row", "rows") + ".";
  }
  const std::string picks = counted(changes.picks.compared, "pick", "picks");
  const std::string rows = counted(changes.rows.compared, "row", "rows");
  return "Of " + picks + ": " + happenings(changes.pick_kinds, changes.picks) + ". Of " + rows +
         ": " + happenings(changes.row_kinds, changes.rows) + ".";
}

std::string totals_sentence(const SheetChanges& changes) {
  const ChangeTotals& totals = changes.pick_totals;
  if (totals.comparable == 0) return "";
  const EffectWords words = effect_words(totals.old_usd, totals.effects);
  const std::string what = totals.comparable == 1
                               ? std::string("One run of the pick with a price on both sides")
                               : "One run of each of the " + format_integer(totals.comparable) +
                                     " picks with a price on both sides";
  if (totals.effects == ChangeEffects{}) return what + ": $ " + words.before + ", as before.";
  return what + ": $ " + words.before + " -> " + words.after + " (" + words.total + ", " +
         words.percent + "): price " + words.price + ", count " + words.quantity + ", time " +
         words.time + ", other card " + words.mix + ".";
}

std::vector<std::string> count_sentences(const SheetChanges& changes) {
  return {counts_of(changes.rows, counted(changes.rows.compared, "row", "rows")) + " (" +
              threshold_words(changes.thresholds) + ").",
          counts_of(changes.picks, counted(changes.picks.compared, "pick", "picks")) + "."};
}

std::string threshold_words(const ChangeThresholds& thresholds) {
  const auto percent = [](double share) {
    return shortest(std::round(share * 1e6) / 1e4) + " %";  // 0.07 is no whole per cent in binary
  };
  return percent(thresholds.usd_share) + " of dollars, " + percent(thresholds.hours_share) +
         " of hours, " + shortest(thresholds.memory_gib) + " GiB";
}

std::string cause_sentence(const SheetChanges& changes) {
  if (!changes.causes_unknown.empty()) {
    return "Causes are not known: " + changes.causes_unknown + ".";
  }
  std::vector<std::string> parts;
  for (const CauseTotal& cause : changes.causes) {
    if (cause.rows == 0 && cause.picks == 0 && cause.usd.value == 0) continue;
    parts.push_back(cause.group + " " + counted(cause.rows, "row", "rows") + ", " +
                    counted(cause.picks, "pick", "picks") + ", $ " + signed_usd(cause.usd, 2));
  }
  return parts.empty() ? "" : "Causes: " + join(parts, "; ") + ".";
}

std::string entry_words(const EntryChange& entry) {
  std::string words = entry.of + " " + entry.id + ": " + counted(entry.rows, "row", "rows");
  if (entry.picks > 0) words += ", " + counted(entry.picks, "pick", "picks");
  return words;
}

MovedWords moved_entry(const MovedInput& moved) {
  MovedWords words;
  words.what = moved_title(moved);
  const std::string unit = moved.unit.empty() ? "" : " " + moved.unit;
  const std::string before = bare_value(moved.old_value);
  const std::string after = bare_value(moved.new_value);
  if (moved.how == "added") {
    words.values = moved.field.empty() ? "new" : "new: " + after + unit;
  } else if (moved.how == "removed") {
    words.values = moved.field.empty() ? "gone" : "gone: " + before + unit;
  } else {
    words.values = before + " -> " + after + unit;
  }
  if (moved.old_as_of != moved.new_as_of && !moved.old_as_of.empty() && !moved.new_as_of.empty()) {
    words.days = moved.old_as_of + " -> " + moved.new_as_of;
  } else {
    words.days = moved.new_as_of.empty() ? moved.old_as_of : moved.new_as_of;
  }
  words.rows = moved.rows == 0 ? "no row" : counted(moved.rows, "row", "rows");
  return words;
}

// ---- What a line of the table has no column for, in words: every kind that neither the mark nor
// the amounts tell, with its figures where it has some.

namespace {

using Remark = std::function<std::string(const Change&, const std::string& words)>;

constexpr std::size_t kMostTerms = 2;

bool both_sides(const Change& change) { return change.old_side && change.new_side; }

std::string from_to(const std::string& before, const std::string& after) {
  return " (" + before + " -> " + after + ")";
}

std::string with_hours(const Change& change, const std::string& words) {
  if (!both_sides(change) || !change.old_side->hours || !change.new_side->hours) return words;
  return words + from_to(format_number(*change.old_side->hours, 2),
                         format_number(*change.new_side->hours, 2) + " h");
}

std::string with_ownership(const Change& change, const std::string& words) {
  if (!both_sides(change)) return words;
  const AmountPair pair =
      amount_pair(change.old_side->own_usd_per_month, change.new_side->own_usd_per_month);
  return words + from_to(pair.before, pair.after + " $/month");
}

std::string with_break_even(const Change& change, const std::string& words) {
  if (!both_sides(change)) return words;
  const auto hours = [](const std::optional<double>& value) {
    return value ? format_number(*value, 0) + " h/month" : std::string("never");
  };
  return words + from_to(hours(change.old_side->break_even_hours_per_month),
                         hours(change.new_side->break_even_hours_per_month));
}

std::string advice(const Change& change, const std::string& words) {
  if (!both_sides(change) || !change.old_side->advice || !change.new_side->advice) return words;
  return *change.old_side->advice + " -> " + *change.new_side->advice;
}

std::string with_memory(const Change& change, const std::string& words) {
  if (!change.new_side || !change.new_side->holds()) return words;
  return words + " (" + format_gib(change.new_side->device_bytes, 1) + " of " +
         format_gib(change.new_side->capacity_bytes, 1) + " GiB)";
}

std::int64_t moved_bytes(const TermChange& term) {
  return term.new_bytes.value_or(0) - term.old_bytes.value_or(0);
}

/// The terms that moved most, or the whole where only their sum moved.
std::string terms(const Change& change, const std::string& words) {
  std::vector<const TermChange*> moved;
  for (const TermChange& term : change.terms) moved.push_back(&term);
  std::stable_sort(moved.begin(), moved.end(), [](const TermChange* a, const TermChange* b) {
    return std::abs(moved_bytes(*a)) > std::abs(moved_bytes(*b));
  });
  std::vector<std::string> parts;
  for (const TermChange* term : moved) {
    if (parts.size() == kMostTerms) break;
    parts.push_back(term->title + " " + signed_gib(moved_bytes(*term)));
  }
  if (moved.size() > kMostTerms) parts.push_back("…");
  if (!parts.empty()) return join(parts, ", ");
  if (!both_sides(change)) return words;
  return "memory " + signed_gib(change.new_side->device_bytes - change.old_side->device_bytes);
}

/// The provider that is cheapest now, or else the day of its price.
std::string price_row(const Change& change, const std::string& words) {
  if (!both_sides(change)) return words;
  const std::vector<std::string> before = split(change.old_side->price_key, '/');
  const std::vector<std::string> after = split(change.new_side->price_key, '/');
  if (before.front() != after.front())
    return "price of " + after.front() + ", not " + before.front();
  if (before.back() != after.back()) return "price of " + before.back() + " -> " + after.back();
  return "another price row";
}

std::string spread(const Change&, const std::string&) { return "spread moved"; }

std::string was(const Change& change, const std::string& words) {
  return change.was.empty() ? words : "was " + change.was;
}

/// Told by the mark, the set-up or the amounts, unless the amounts are not there.
std::string hourly(const Change& change, const std::string& words) {
  if (!both_sides(change)) return words;
  if (run_of(change.old_side) && run_of(change.new_side)) return "";
  const AmountPair pair =
      amount_pair(change.old_side->list_usd_per_hour, change.new_side->list_usd_per_hour);
  return words + from_to(pair.before, pair.after + " $/h");
}

std::string told_already(const Change&, const std::string&) { return ""; }

const std::map<std::string, Remark>& remark_of_kind() {
  static const std::map<std::string, Remark> kRemarks{
      {"no_longer_fits", told_already},
      {"now_fits", told_already},
      {"needs_more", told_already},
      {"needs_less", told_already},
      {"type_changed", told_already},
      {"price_date", price_row},
      {"spread_moved", spread},
      {"added", told_already},
      {"removed", told_already},
      {"dearer", hourly},
      {"cheaper", hourly},
      {"headroom_low", with_memory},
      {"headroom_back", with_memory},
      {"advice_flipped", advice},
      {"own_dearer", with_ownership},
      {"own_cheaper", with_ownership},
      {"own_vanished", with_ownership},
      {"own_appeared", with_ownership},
      {"slower", with_hours},
      {"faster", with_hours},
      {"break_even_moved", with_break_even},
      {"term_changed", terms},
      {"renamed", was},
  };
  return kRemarks;
}

std::string remark(const Change& change, const std::string& kind) {
  const std::string& words = change_kind(kind).words;
  const auto entry = remark_of_kind().find(kind);
  return entry == remark_of_kind().end() ? words : entry->second(change, words);
}

/// Beside a move that counts, these only fill the line; JSON holds them all.
bool goes_without_saying(const Change& change, const std::string& kind) {
  static const std::set<std::string> kMinor{"spread_moved", "price_date", "other_rent_moved",
                                            "note_changed", "confidence_changed"};
  return change.level != "detail" && kMinor.contains(kind);
}

}  // namespace

std::vector<std::string> remarks(const Change& change) {
  std::vector<std::string> all;
  std::vector<std::string> kinds{change.kind};
  kinds.insert(kinds.end(), change.also.begin(), change.also.end());
  for (const std::string& kind : kinds) {
    if (goes_without_saying(change, kind)) continue;
    std::string words = remark(change, kind);
    if (!words.empty()) all.push_back(std::move(words));
  }
  return all;
}

}  // namespace sizesheet
