// SPDX-License-Identifier: Apache-2.0
#include "render/diff/remarks.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "render/change_words.h"
#include "render/changes_words.h"
#include "render/price_moves.h"
#include "sheet/changes.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Of what lies between two sides, behind the words of the kind or in their place.
using Remark = std::string (*)(const std::string& words, const ChangeSide& from,
                               const ChangeSide& to);

constexpr std::size_t kMostTerms = 2;

std::string from_to(const std::string& before, const std::string& after) {
  return " (" + before + " -> " + after + ")";
}

std::string with_hours(const std::string& words, const ChangeSide& from, const ChangeSide& to) {
  if (!from.hours || !to.hours) return words;
  return words + from_to(format_number(*from.hours, 2), format_number(*to.hours, 2) + " h");
}

std::string with_ownership(const std::string& words, const ChangeSide& from, const ChangeSide& to) {
  const AmountPair pair = amount_pair(from.own_usd_per_month, to.own_usd_per_month);
  return words + from_to(pair.before, pair.after + " $/month");
}

std::string with_break_even(const std::string& words, const ChangeSide& from,
                            const ChangeSide& to) {
  const auto hours = [](const std::optional<double>& value) {
    return value ? format_number(*value, 0) + " h/month" : std::string("never");
  };
  return words +
         from_to(hours(from.break_even_hours_per_month), hours(to.break_even_hours_per_month));
}

std::string decision(const std::string& words, const ChangeSide& from, const ChangeSide& to) {
  return from.decision && to.decision ? *from.decision + " -> " + *to.decision : words;
}

std::string with_headroom(const std::string& words, const ChangeSide& /*from*/,
                          const ChangeSide& to) {
  return words + " (" + format_gib(to.device_bytes, 1) + " of " + format_gib(to.capacity_bytes, 1) +
         " GiB)";
}

/// The provider that is cheapest now, or else the day of its price.
std::string price_row(const std::string&, const ChangeSide& from, const ChangeSide& to) {
  const std::vector<std::string> before = split(from.price_key, '/');
  const std::vector<std::string> after = split(to.price_key, '/');
  if (before.front() != after.front()) {
    return "price of " + after.front() + ", not " + before.front();
  }
  if (before.back() != after.back()) return "price of " + before.back() + " -> " + after.back();
  return "another price row";
}

/// "fits, no longer certain (up to 81.3 of 79.2 GiB)".
std::string with_upper_end(const std::string& words, const ChangeSide& /*from*/,
                           const ChangeSide& to) {
  return words + " (up to " + format_gib(to.device_high_bytes, 1) + " of " +
         format_gib(to.capacity_bytes, 1) + " GiB)";
}

std::string machines(const std::string& words, const ChangeSide& from, const ChangeSide& to) {
  return words + from_to(from.machine, to.machine);
}

/// "cheapest service moved (together 17.00 -> tinker 22.00 $/run)".
std::string with_service(const std::string& words, const ChangeSide& from, const ChangeSide& to) {
  const auto offer = [](const std::optional<RowService>& service) {
    return service ? service->provider + " " + format_usd(service->usd_per_run, 2)
                   : std::string("none");
  };
  return words + from_to(offer(from.service), offer(to.service) + " $/run");
}

/// Dollars that a line of the table shows: those of a run where the side holds and they are known.
std::optional<MicroUsd> run_of(const std::optional<ChangeSide>& side) {
  return side && side->holds() ? side->list_usd_per_run : std::nullopt;
}

/// Told by the amounts, unless they are not there.
std::string hourly(const std::string& words, const ChangeSide& from, const ChangeSide& to) {
  if (run_of(from) && run_of(to)) return "";
  const AmountPair pair = amount_pair(from.list_usd_per_hour, to.list_usd_per_hour);
  return words + from_to(pair.before, pair.after + " $/h");
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
  if (!change.old_side || !change.new_side) return words;
  return "memory " + signed_gib(change.new_side->device_bytes - change.old_side->device_bytes);
}

/// "" where the mark or the set-up tells it already.
std::string remark(const Change& change, const ChangeKind& kind, const MovedById& moved) {
  static const std::set<std::string> kTold{"no_longer_fits", "now_fits",     "needs_more",
                                           "needs_less",     "added",        "removed",
                                           "type_changed",   "count_changed"};
  static const std::map<std::string, Remark> kOfSides{{"price_date", price_row},
                                                      {"headroom_low", with_headroom},
                                                      {"headroom_back", with_headroom},
                                                      {"no_longer_certain", with_upper_end},
                                                      {"now_certain", with_upper_end},
                                                      {"dearer", hourly},
                                                      {"cheaper", hourly},
                                                      {"advice_flipped", decision},
                                                      {"own_machine_changed", machines},
                                                      {"service_moved", with_service},
                                                      {"own_dearer", with_ownership},
                                                      {"own_cheaper", with_ownership},
                                                      {"own_vanished", with_ownership},
                                                      {"own_appeared", with_ownership},
                                                      {"slower", with_hours},
                                                      {"faster", with_hours},
                                                      {"break_even_moved", with_break_even}};
  if (kTold.contains(kind.id)) return "";
  const bool both = change.old_side && change.new_side;
  if (kind.id == "seller_changed" && both) {
    return took_over_words(*change.old_side, *change.new_side, moved, " -> ");
  }
  const auto entry = kOfSides.find(kind.id);
  if (entry != kOfSides.end() && both) {
    return entry->second(kind.words, *change.old_side, *change.new_side);
  }
  if (kind.id == "spread_moved") return "spread moved";
  if (kind.id == "term_changed") return terms(change, kind.words);
  if (kind.id == "renamed" && !change.was.empty()) return "was " + change.was;
  return kind.words;
}

/// Beside a move that counts, these only fill the line; JSON holds them all.
bool fills(const std::string& kind) {
  static const std::set<std::string> kMinor{"spread_moved", "price_date", "other_rent_moved",
                                            "note_changed", "confidence_changed"};
  return kMinor.contains(kind);
}

bool same_set_up(const ChangeSide& from, const ChangeSide& to) {
  return from.row_key == to.row_key && from.gpus == to.gpus;
}

/// "but at most 48.20 -> 44.10 $": of a run whose middle and upper end move apart, since picks are
/// ranked by the upper end. "10.85 -> 4.09 h for at most 47.76 -> 49.73 $": of another set-up whose
/// price fell and that is dearer all the same, since the fastest of those that nearly tie is
/// picked.
/// "" of any other.
std::string other_end(const Change& change) {
  const auto before = run_of(change.old_side);
  const auto after = run_of(change.new_side);
  if (!before || !after) return "";
  const auto& high = change.old_side->list_usd_per_run_high;
  const auto& high_now = change.new_side->list_usd_per_run_high;
  if (!high || !high_now) return "";
  const bool dearer = *after > *before;
  const bool high_rose = *high_now > *high;
  const AmountPair ends = amount_pair(high, high_now);
  const std::string most = "at most " + ends.before + " -> " + ends.after + " $";
  if (*after != *before && *high_now != *high && dearer != high_rose) return "but " + most;
  const auto& hours = change.old_side->hours;
  const auto& hours_now = change.new_side->hours;
  const bool fell = change.effects_usd && change.effects_usd->price.value < 0;
  const bool faster_tie = fell && dearer && high_rose && hours && hours_now &&
                          *hours_now < *hours && !same_set_up(*change.old_side, *change.new_side);
  if (!faster_tie) return "";
  return format_number(*hours, 2) + " -> " + format_number(*hours_now, 2) + " h for " + most;
}

std::vector<std::string> remarks(const Change& change, const MovedById& moved) {
  std::vector<std::string> all;
  for (const std::string& kind : change.kinds()) {
    if (change.level != "detail" && fills(kind)) continue;
    std::string words = remark(change, change_kind(kind), moved);
    if (!words.empty()) all.push_back(std::move(words));
  }
  if (std::string end = other_end(change); !end.empty()) all.push_back(std::move(end));
  if (change.next && change.level != "detail") all.push_back(next_words(*change.next));
  return all;
}

/// A side's set-up; why there is none, or "–".
std::string side_words(const Change& change, bool is_new) {
  const auto& side = is_new ? change.new_side : change.old_side;
  if (side) return set_up_words(*side, change.of == "pick");
  if (change.is(is_new ? "no_longer_fits" : "now_fits")) return "does not fit";
  if (change.is(is_new ? "vanished" : "appeared")) return "no price";
  return std::string(kAbsent);
}

}  // namespace

std::string set_up_words(const ChangeSide& side, bool with_gpu) {
  if (side.verdict == Verdict::kNotModelled) return "refused";
  if (!side.holds()) return "does not fit";
  if (!with_gpu) return counted(side.gpus, "GPU", "GPUs");
  return format_integer(side.gpus) + " × " + side.gpu_name;
}

std::string cause_words(const Change& change) { return join(change.cause, " + "); }

LineContext line_context(const SheetChanges& changes) {
  std::set<std::string> scenarios;
  for (const Change& change : changes.changes) scenarios.insert(change.scenario);
  return {scenarios.size() > 1, moved_by_id(changes)};
}

ChangeLine change_line(const Change& change, const LineContext& context) {
  ChangeLine line;
  const bool row = change.of == "row";
  line.mark = change_kind(change.kind).mark;
  line.name = change.model + " " + change.method + (row ? " " + change.gpu : "");
  line.before = side_words(change, false);
  line.after = side_words(change, true);
  line.run = amount_pair(run_of(change.old_side), run_of(change.new_side));
  line.cause = cause_words(change);
  if (row && context.with_scenario) line.place = "in " + change.scenario;
  line.remarks = remarks(change, context.moved);
  return line;
}

ChangeLine change_line(const std::vector<const Change*>& alike, const LineContext& context) {
  const Change& first = *alike.front();
  ChangeLine line = change_line(first, context);
  if (alike.size() == 1) return line;
  MicroUsd before;
  MicroUsd after;
  for (const Change* change : alike) {
    before += *run_of(change->old_side);
    after += *run_of(change->new_side);
  }
  const std::string share = line.run.percent;
  line.name = counted(static_cast<std::int64_t>(alike.size()), "row", "rows") + " on " + first.gpu +
              ", each " + share;
  line.before = line.after = "";
  line.run = amount_pair(before, after);
  line.place = "";
  line.remarks.clear();
  return line;
}

std::string next_words(const NextPick& next) {
  std::string words = "next: " + next.gpu_name;
  if (next.at.usd_per_gpu_hour) {
    words += " from " + format_usd(*next.at.usd_per_gpu_hour, 2) + " $ per GPU-hour";
  }
  if (next.at.speed_share && *next.at.speed_share > 0) {
    words += ", or " + format_number(100 * *next.at.speed_share, 0) + " % faster";
  }
  return words;
}

Listing folded(const Listing& listing) {
  constexpr std::size_t kFewest = 3;
  const auto what = [](const Change& change) -> std::string {
    const bool money = change.kind == "dearer" || change.kind == "cheaper";
    const bool alone = std::ranges::all_of(change.also, [](const std::string& kind) {
      return fills(kind) || kind == "break_even_moved";
    });
    const AmountPair run = amount_pair(run_of(change.old_side), run_of(change.new_side));
    if (change.of != "row" || !money || !alone || run.percent == kAbsent) return "";
    return change.gpu + "/" + change.kind + "/" + cause_words(change) + "/" + run.percent;
  };
  std::map<std::string, std::vector<const Change*>> alike;
  for (const auto& line : listing.shown) alike[what(*line.front())].push_back(line.front());
  Listing shorter{{}, listing.hidden};
  for (const auto& line : listing.shown) {
    const std::string key = what(*line.front());
    const std::vector<const Change*>& all = alike[key];
    if (key.empty() || all.size() < kFewest) {
      shorter.shown.push_back(line);
    } else if (all.front() == line.front()) {
      shorter.shown.push_back(all);
    }
  }
  return shorter;
}

}  // namespace sizesheet
