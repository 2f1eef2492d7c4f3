// SPDX-License-Identifier: Apache-2.0
// What a line of the table has no column for, in words: every kind that neither the mark nor the
// amounts tell, with its figures where it has some.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "render/diff/figures.h"
#include "support/text.h"

namespace sizesheet {
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
