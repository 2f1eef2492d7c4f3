// SPDX-License-Identifier: Apache-2.0
#include "render/change_words.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <map>

#include "render/changes_words.h"
#include "render/phrases.h"
#include "sheet/changes.h"
#include "sheet/decision.h"
#include "sheet/diff/compare.h"
#include "sheet/plan.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

constexpr int kMostDecimals = 6;

std::string zero_or(MicroUsd amount, int decimals) {
  return amount.value == 0 ? "0" : format_usd(amount, decimals);
}

/// The fewest of 2, 4, 6 at which both amounts show and, where they differ, show different.
int decimals_for(MicroUsd before, MicroUsd after) {
  const auto hidden = [](MicroUsd amount, int places) {
    return amount.value != 0 && rounded(amount, places).value == 0;
  };
  for (const int places : {2, 4}) {
    const bool same = rounded(before, places) == rounded(after, places) && before != after;
    if (!same && !hidden(before, places) && !hidden(after, places)) return places;
  }
  return kMostDecimals;
}

/// "+12.00", "−12.00" or "0".
std::string signed_usd(MicroUsd amount, int decimals) {
  const MicroUsd shown = rounded(amount, decimals);
  return (shown.value > 0 ? "+" : "") + zero_or(shown, decimals);
}

/// The point of "www.", in any case.
bool after_www(std::string_view text, std::size_t at) {
  if (text[at] != '.' || at < 3) return false;
  const std::string_view before = text.substr(at - 3, 3);
  return std::all_of(before.begin(), before.end(),
                     [](char letter) { return letter == 'w' || letter == 'W'; });
}

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

MicroUsd rounded(MicroUsd amount, int decimals) {
  std::int64_t step = 1;
  for (int i = decimals; i < kMostDecimals; ++i) step *= 10;
  const MicroUsd size = scaled({std::abs(amount.value)}, 1, step) * step;
  return {amount.value < 0 ? -size.value : size.value};
}

std::string signed_percent(double percent) {
  const std::string figure = format_number(percent, 1);
  return (percent > 0 && figure != "0.0" ? "+" : "") + figure + " %";
}

AmountPair amount_pair(const std::optional<MicroUsd>& before,
                       const std::optional<MicroUsd>& after) {
  const std::string absent(kAbsent);
  if (!before || !after) {
    const auto alone = [&](const std::optional<MicroUsd>& amount) {
      return amount ? zero_or(*amount, decimals_for(*amount, *amount)) : absent;
    };
    return {alone(before), alone(after), absent, absent};
  }
  const int places = decimals_for(*before, *after);
  const MicroUsd shown = rounded(*after, places) - rounded(*before, places);
  const std::string percent =
      before->value == 0
          ? absent
          : signed_percent(to_usd(*after - *before) / std::abs(to_usd(*before)) * 100);
  return {zero_or(*before, places), zero_or(*after, places), signed_usd(shown, places), percent};
}

ChangeEffects printed_effects(MicroUsd before, const ChangeEffects& effects, int decimals) {
  MicroUsd reached = before;
  const auto step = [&](MicroUsd part) {
    const MicroUsd from = rounded(reached, decimals);
    reached += part;
    return rounded(reached, decimals) - from;
  };
  ChangeEffects shown{
      step(effects.price), step(effects.quantity), step(effects.time), step(effects.mix), {}};
  shown.total = rounded(reached, decimals) - rounded(before, decimals);
  return shown;
}

EffectWords effect_words(MicroUsd before, const ChangeEffects& effects) {
  const MicroUsd after = before + effects.total;
  const int places = decimals_for(before, after);
  const ChangeEffects shown = printed_effects(before, effects, places);
  return {amount_pair(before, after), signed_usd(shown.price, places),
          signed_usd(shown.quantity, places), signed_usd(shown.time, places),
          signed_usd(shown.mix, places)};
}

std::string signed_gib(std::int64_t bytes) {
  const std::string size = format_gib(bytes, 2);
  return (bytes > 0 && size != "0.00" ? "+" : "") + size + " GiB";
}

std::string counted(std::int64_t count, const std::string& one, const std::string& many,
                    const char* blank) {
  return format_integer(count) + blank + (count == 1 ? one : many);
}

std::string markdown_text(std::string_view raw) {
  constexpr std::string_view kMarkup = "&<>|`*_[]~\\${}";
  constexpr std::string_view kMentions =
      "@#";  // of people and issues; a blank of no width ends them
  const std::string plain = plain_text(raw);
  std::string escaped;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char letter = plain[i];
    const bool begins_link = plain.compare(i, 2, ":/") == 0 || after_www(plain, i);
    const bool mentions = kMentions.find(letter) != std::string_view::npos;
    if (begins_link || mentions || kMarkup.find(letter) != std::string_view::npos) {
      escaped += "&#" + std::to_string(static_cast<unsigned char>(letter)) + ";";
    } else {
      escaped += letter;
    }
    if (mentions) escaped += "&#8203;";
  }
  return escaped;
}

std::string markdown_code(std::string_view raw) {
  return raw.empty() ? "" : "<code>" + markdown_text(raw) + "</code>";
}

std::string elided(std::string_view text, std::size_t width) {
  std::u32string characters = decode(text);
  if (characters.size() <= width) return std::string(text);
  const std::size_t head = width / 2;
  const std::size_t tail = width - head - 1;
  return encode(characters.replace(head, characters.size() - head - tail, U"…"));
}

Listing list_changes(const SheetChanges& changes, const std::string& of, std::size_t most) {
  Listing listing;
  for (const Change& change : changes.changes) {
    if (change.of == of && whole_entry(changes, change) == nullptr) {
      listing.shown.push_back({&change});
    }
  }
  return most == 0 ? listing : cut(listing, most);
}

Listing cut(const Listing& listing, std::size_t most) {
  Listing shorter = listing;
  while (shorter.shown.size() > most) {
    const std::vector<const Change*>& last = shorter.shown.back();
    shorter.hidden[severity(last.front()->kind)] += static_cast<std::int64_t>(last.size());
    shorter.shown.pop_back();
  }
  return shorter;
}

std::string hidden_words(const Listing& listing) {
  std::vector<std::string> parts;
  for (const auto& [kind, count] : listing.hidden) {
    parts.push_back(format_integer(count) + (parts.empty() ? " more " : " ") +
                    change_kinds()[kind].words);
  }
  return join(parts, ", ");
}

SheetChanges by_dollars(SheetChanges changes) {
  std::stable_sort(
      changes.changes.begin(), changes.changes.end(),
      [](const Change& a, const Change& b) { return dollars_moved(a) > dollars_moved(b); });
  return changes;
}

std::vector<const MovedInput*> moved_with_rows_first(const SheetChanges& changes) {
  std::vector<const MovedInput*> moved;
  for (const MovedInput& entry : changes.moved) moved.push_back(&entry);
  std::stable_partition(moved.begin(), moved.end(), [](const MovedInput* entry) {
    return entry->rows > 0 || entry->picks > 0;
  });
  return moved;
}

const std::vector<Mark>& marks() {
  static const std::vector<Mark> kMarks{{"!", "breaks", "31"},      {"↑", "needs more", "31"},
                                        {"↓", "needs less", "32"},  {"*", "fits now", "32"},
                                        {"?", "not certain", "33"}, {"~", "changed", "33"},
                                        {"+", "new", "32"},         {"-", "gone", "31"}};
  return kMarks;
}

std::string edition_words(const EditionLabel& label, const EditionLabel& other) {
  constexpr std::size_t kShortHash = 12;
  std::vector<std::string> parts;
  if (!label.price_as_of.empty()) parts.push_back("prices " + label.price_as_of);
  if (label.edition == other.edition && label.price_as_of == other.price_as_of) {
    if (label.as_of != other.as_of) parts.push_back("as of " + label.as_of);
    if (label.catalog_hash != other.catalog_hash) {
      parts.push_back("catalog " + label.catalog_hash.substr(0, kShortHash));
    }
  }
  const std::string words = label.edition.empty() ? std::string("(no edition)") : label.edition;
  return parts.empty() ? words : words + " (" + join(parts, ", ") + ")";
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
  std::vector<std::string> parts;
  for (const auto& [name, amount] : {std::pair("price ", words.price),
                                     {"count ", words.quantity},
                                     {"time ", words.time},
                                     {"other picks ", words.mix}}) {
    if (amount != "0") parts.push_back(name + amount);
  }
  return what + ": $ " + words.before + " -> " + words.after + " (" + words.difference + ", " +
         words.percent + ")" + (parts.empty() ? "" : ": " + join(parts, ", ")) + ".";
}

std::vector<std::string> count_sentences(const SheetChanges& changes) {
  const auto percent = [](double share) {
    return shortest(std::round(share * 1e6) / 1e4) + " %";  // 0.07 is no whole per cent in binary
  };
  const ChangeThresholds& limits = changes.thresholds;
  return {counts_of(changes.rows, counted(changes.rows.compared, "row", "rows")) + " (" +
              percent(limits.usd_share) + " of dollars, " + percent(limits.hours_share) +
              " of hours, " + shortest(limits.memory_gib) + " GiB).",
          counts_of(changes.picks, counted(changes.picks.compared, "pick", "picks")) + "."};
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

namespace {

std::vector<std::string> units_words(const std::vector<PlanUnitsMoved>& moves,
                                     const std::string& arrow) {
  std::vector<std::string> words;
  for (const PlanUnitsMoved& move : moves) {
    words.push_back(move.title + " " + format_integer(move.from) + arrow + format_integer(move.to));
  }
  return words;
}

/// "+$4,196", "−$135", "$0".
std::string signed_dollars(MicroUsd amount) {
  const std::string sign = amount.value > 0 ? "+" : amount.value < 0 ? "−" : "";
  return sign + "$" + whole_usd({std::abs(amount.value)});
}

std::string runs_words(const PlanRunsMoved& moved, const SheetChanges& changes,
                       const std::string& arrow) {
  const std::string kind =
      changes.name_of("model", moved.model) + " " + changes.name_of("method", moved.method);
  if (moved.from.empty()) return kind + ": new, " + moved.to;
  if (moved.to.empty()) return kind + ": gone, was " + moved.from;
  return kind + ": " + moved.from + arrow + moved.to;
}

std::string cause_of_plan(const PlanCause& cause, const std::string& arrow) {
  std::string words = group_title(cause.group);
  if (cause.usd.value != 0) words += ": " + signed_dollars(cause.usd);
  if (!cause.moves.empty()) words += " (" + join(units_words(cause.moves, arrow), ", ") + ")";
  return cause.why.empty() ? words : words + ", then there is none: " + cause.why;
}

/// "12 months for at most $60,119", of a plan that there is: the dollars that it minimises.
std::string amount_words(std::int64_t months, const PlanTotals& totals) {
  return counted(months, "month", "months") + " for " +
         (totals.ranked_by == kRankedByUpperEnd ? "at most $" : "$") + whole_usd(totals.usd);
}

std::string total_words(const PlanChange& change, const std::string& arrow) {
  const std::optional<PlanTotals>& before = change.old_totals;
  const std::optional<PlanTotals>& after = change.new_totals;
  if (!after) return "The new edition has no plan.";
  if (!after->why.empty()) return "No plan meets the demand now: " + after->why + ".";
  const std::string now = amount_words(change.new_months, *after);
  if (!before) return "The plan is new: " + now + ".";
  if (!before->why.empty()) {
    return "There is a plan now: " + now + "; was none: " + before->why + ".";
  }
  const MicroUsd moved = after->usd - before->usd;
  const auto share = delta_share(before->usd, after->usd);
  std::string difference = signed_dollars(moved);
  if (share && moved.value != 0) difference += ", " + delta_percent(*share);
  return "The plan: " + amount_words(change.old_months, *before) + arrow + now + " (" + difference +
         ").";
}

std::string listed(const std::string& head, const std::vector<std::string>& words) {
  return words.empty() ? "" : head + ": " + join(words, "; ") + ".";
}

}  // namespace

PlanChangeWords plan_change_words(const SheetChanges& changes, const std::string& arrow) {
  if (!changes.plan) return {};
  const PlanChange& plan = *changes.plan;
  PlanChangeWords words{total_words(plan, arrow), units_words(plan.moves, arrow), {}, {}};
  for (const PlanRunsMoved& moved : plan.runs) {
    words.runs.push_back(runs_words(moved, changes, arrow));
  }
  for (const PlanCause& cause : plan.causes) words.causes.push_back(cause_of_plan(cause, arrow));
  return words;
}

std::vector<std::string> plan_sentences(const SheetChanges& changes) {
  const PlanChangeWords words = plan_change_words(changes, " -> ");
  std::vector<std::string> sentences{words.total, listed("Machines of the plan", words.moves),
                                     listed("Most of its runs", words.runs),
                                     listed("Causes of the plan", words.causes)};
  std::erase(sentences, "");
  return sentences;
}

std::string entry_words(const EntryChange& entry) {
  std::string words = entry.of + " " + entry.id + ": " + counted(entry.rows, "row", "rows");
  if (entry.picks > 0) words += ", " + counted(entry.picks, "pick", "picks");
  return words;
}

std::string moved_count_words(const MovedInput& moved) {
  if (moved.rows > 0) return counted(moved.rows, "row", "rows");
  return moved.picks > 0 ? counted(moved.picks, "pick", "picks") : "no row";
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
  words.rows = moved_count_words(moved);
  return words;
}

}  // namespace sizesheet
