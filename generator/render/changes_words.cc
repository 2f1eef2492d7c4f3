// SPDX-License-Identifier: Apache-2.0
#include "render/changes_words.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>

#include "render/change_words.h"
#include "render/phrases.h"
#include "render/price_moves.h"
#include "sheet/changes.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

MicroUsd size_of(MicroUsd amount) { return {std::abs(amount.value)}; }

/// The sign, unless the figure behind it reads as zero.
std::string with_sign(MicroUsd amount, const std::string& figure) {
  if (figure.find_first_of("123456789") == std::string::npos) return figure;
  return (amount.value < 0 ? "−" : "+") + figure;
}

/// Whole dollars where the three printed figures then add up, else cents.
int total_decimals(const ChangeTotals& totals) {
  constexpr MicroUsd kSmall{100'000'000};
  if (totals.old_usd < kSmall || totals.new_usd < kSmall) return 2;
  const MicroUsd moved = rounded(totals.effects.total, 0);
  const bool adds_up = rounded(totals.new_usd, 0) - rounded(totals.old_usd, 0) == moved;
  const bool shows = moved != MicroUsd{} || totals.effects.total == MicroUsd{};
  return adds_up && shows ? 0 : 2;
}

std::string dollars_with_sign(MicroUsd amount, int decimals) {
  return with_sign(amount, "$" + format_usd(size_of(amount), decimals));
}

/// "1 row no longer fits, 3 fit now" of those kinds that `verb` has words for; "" when none occurs.
template <typename Verb>
std::string kinds_sentence(const std::map<std::string, std::int64_t>& counts, const Verb& verb,
                           const char* one, const char* many) {
  std::vector<std::string> parts;
  for (const ChangeKind& kind : change_kinds()) {
    const auto found = counts.find(kind.id);
    if (found == counts.end() || found->second == 0) continue;
    const std::string words = verb(kind, found->second);
    if (words.empty()) continue;
    parts.push_back((parts.empty() ? counted(found->second, one, many, kFirmBlank)
                                   : format_integer(found->second)) +
                    (parts.empty() ? " " : "\u00a0") + words);
  }
  return parts.empty() ? "" : join(parts, ", ") + ".";
}

std::string largest_effect(const ChangeEffects& effects) {
  const std::vector<EffectPart> parts = effect_parts(effects);
  const auto largest = std::max_element(
      parts.begin(), parts.end(),
      [](const EffectPart& a, const EffectPart& b) { return size_of(a.usd) < size_of(b.usd); });
  if (largest->usd.value == 0) return "";
  return "The largest part is " + largest->words + ", " + dollars_with_sign(largest->usd, 2) + ".";
}

constexpr std::size_t kMostMoved = 2;      // inputs named in a cell
constexpr std::size_t kLongestValue = 60;  // bytes of a value in a cell

/// Cut between characters.
std::string cut(const std::string& text) {
  return std::string(beginning_of(text, kLongestValue)) + (text.size() > kLongestValue ? "…" : "");
}

std::optional<MicroUsd> gpu_hour(const ChangeSide& side) {
  if (!side.list_usd_per_hour || side.gpus_billed <= 0) return std::nullopt;
  return scaled(*side.list_usd_per_hour, 1, side.gpus_billed);
}

/// What the two sides themselves say: price of a GPU-hour, count, hours, break-even.
void add_figures(const ChangeSide& before, const ChangeSide& after, const MovedById& moved,
                 std::vector<std::string>& parts) {
  if (before.gpu != after.gpu) {
    parts.push_back(side_setup(before) + " → " + side_setup(after));
    return;
  }
  const auto old_price = gpu_hour(before);
  const auto new_price = gpu_hour(after);
  const bool sold_by_another =
      !before.provider.empty() && !after.provider.empty() && before.provider != after.provider;
  if (sold_by_another) {
    parts.push_back(took_over_words(before, after, moved, " → "));
  } else if (old_price && new_price && hourly_usd(*old_price) != hourly_usd(*new_price)) {
    parts.push_back(after.gpu_name + " $" + hourly_usd(*old_price) + " → $" +
                    hourly_usd(*new_price));
  }
  if (before.gpus != after.gpus) {
    parts.push_back(format_integer(before.gpus) + " → " + gpu_count(after.gpus));
  }
  if (before.hours && after.hours && run_hours(*before.hours) != run_hours(*after.hours)) {
    parts.push_back(run_hours(*before.hours) + " → " + run_hours(*after.hours) + "\u00a0h");
  }
}

void add_break_even(const ChangeSide& before, const ChangeSide& after,
                    std::vector<std::string>& parts) {
  const auto words = [](const ChangeSide& side) {
    return side.break_even_hours_per_month ? month_hours(*side.break_even_hours_per_month)
                                           : std::string("never");
  };
  if (words(before) == words(after)) return;
  parts.push_back("break-even " + words(before) + " → " + words(after) + "\u00a0h/month");
}

/// True where the input is the price that a side of the change was rented at.
bool prices_a_side(const MovedInput& moved, const Change& change) {
  for (const auto& side : {change.old_side, change.new_side}) {
    if (side && !side->price_key.empty() && is_price_of(moved, side->price_key)) return true;
  }
  return false;
}

/// A price without its region and instance, which the table of prices has.
std::string price_words(const MovedInput& moved) {
  MovedInput brief = moved;
  brief.what = moved.what.substr(0, moved.what.find(" ("));
  return moved_words(brief);
}

/// The inputs a change names, prices last and only those it was rented at; at most kMostMoved and
/// how many more. The tables of the page have them all.
std::vector<std::string> named_inputs(const Change& change, const MovedById& moved,
                                      bool prices_too) {
  std::vector<std::string> parts;
  std::vector<std::string> prices;
  for (const std::string& id : change.because) {
    const auto found = moved.find(id);
    if (found == moved.end()) continue;
    const bool price = found->second->group == "prices";
    if (!price) parts.push_back(moved_words(*found->second));
    if (price && prices_a_side(*found->second, change)) {
      prices.push_back(price_words(*found->second));
    }
  }
  if (prices_too) parts.insert(parts.end(), prices.begin(), prices.end());
  if (parts.size() > kMostMoved) {
    const auto more = static_cast<std::int64_t>(parts.size() - kMostMoved);
    parts.resize(kMostMoved);
    parts.push_back(format_integer(more) + "\u00a0more");
  }
  return parts;
}

}  // namespace

SideTitles side_titles(const SheetChanges& changes) {
  const EditionLabel& before = changes.old_edition;
  const EditionLabel& after = changes.new_edition;
  if (before.edition != after.edition && !before.edition.empty() && !after.edition.empty()) {
    return {before.edition, after.edition, "in " + before.edition};
  }
  if (before.as_of != after.as_of && !before.as_of.empty() && !after.as_of.empty()) {
    return {before.as_of, after.as_of, "on " + before.as_of};
  }
  return {"before", "now", "before"};
}

std::string delta_usd(MicroUsd amount, int decimals) {
  if (amount.value == 0) return "0";
  return with_sign(amount, format_usd(size_of(amount), decimals));
}

std::string delta_run(MicroUsd amount) {
  if (amount.value == 0) return "0";
  return with_sign(amount, run_usd(size_of(amount)));
}

std::string delta_percent(double share) {
  if (share == 0) return "0\u00a0%";
  constexpr double kTenfold = 10;
  const std::string figure =
      format_number(std::abs(share) * 100, std::abs(share) < kTenfold ? 1 : 0);
  if (figure == "0.0") return figure + "\u00a0%";
  return (share < 0 ? "−" : "+") + figure + "\u00a0%";
}

std::optional<double> delta_share(const std::optional<MicroUsd>& before,
                                  const std::optional<MicroUsd>& after) {
  if (!before || !after || before->value <= 0) return std::nullopt;
  return to_usd(*after - *before) / to_usd(*before);
}

TotalSentence total_sentence(const SheetChanges& changes) {
  const ChangeTotals& totals = changes.pick_totals;
  if (totals.comparable == 0) {
    return {"No pick has a price on both sides, so no total compares.", ""};
  }
  const int decimals = total_decimals(totals);
  const std::string subject =
      totals.comparable == 1
          ? "One run of the one comparable pick"
          : "One run of each of the " + format_integer(totals.comparable) + " comparable picks";
  const std::string now = "$" + format_usd(totals.new_usd, decimals);
  if (totals.effects.total.value == 0) {
    return {subject + " costs " + now + ", as " + side_titles(changes).when + ".", ""};
  }
  const auto share = delta_share(totals.old_usd, totals.new_usd);
  const std::string percent = share ? " (" + delta_percent(*share) + ")" : "";
  return {subject + " cost $" + format_usd(totals.old_usd, decimals) + " " +
              side_titles(changes).when + " and costs " + now + " now:",
          dollars_with_sign(totals.effects.total, decimals) + percent};
}

std::string lead_rest(const SheetChanges& changes) {
  const auto verdict = [](const ChangeKind& kind, std::int64_t count) {
    return kind.matter == "fit" ? kind.counted(count) : std::string();
  };
  const auto choice = [](const ChangeKind& kind, std::int64_t) -> std::string {
    if (kind.id == "type_changed") return "went to another card";
    return kind.id == "advice_flipped" ? "changed from rent to buy or back" : "";
  };
  std::vector<std::string> sentences = {
      largest_effect(changes.pick_totals.effects),
      kinds_sentence(changes.row_kinds, verdict, "row", "rows"),
      kinds_sentence(changes.pick_kinds, choice, "pick", "picks")};
  std::erase(sentences, "");
  return join(sentences, " ");
}

std::vector<EffectPart> effect_parts(const ChangeEffects& effects) {
  return {
      {"Price", "price", "dollars per GPU-hour", effects.price},
      {"Quantity", "the number of GPUs", "GPUs billed", effects.quantity},
      {"Time", "the hours of a run", "hours of a run", effects.time},
      {"Pick", "other picks", "another card, seller or count picked, at old prices", effects.mix}};
}

std::string group_title(const std::string& group) {
  if (group == "measured") return "Your own runs";
  return group == "gpus" ? "GPUs" : sentence_case(group);
}

std::int64_t dollars_moved(const Change& change) {
  return change.effects_usd ? std::abs(change.effects_usd->total.value) : -1;
}

std::optional<double> number_in(const std::string& json_text) {
  const Json value = Json::parse(json_text, nullptr, false);
  return value.is_number() ? std::optional<double>(value.get<double>()) : std::nullopt;
}

bool is_verdict(const std::string& kind) { return change_kind(kind).matter == "fit"; }

std::string side_setup(const ChangeSide& side) {
  return format_integer(side.gpus) + "\u00a0×\u00a0" + side.gpu_name;
}

std::string side_standing(const std::optional<ChangeSide>& side) {
  if (!side) return "not listed";
  if (side->verdict == Verdict::kNotModelled) return "not modelled";
  if (!side->holds()) return over_words(side->device_bytes, side->capacity_bytes);
  const std::string doubt =
      doubt_words(side->verdict, side->device_high_bytes, side->capacity_bytes);
  return side_setup(*side) + (side->verdict == Verdict::kTight ? ", tight, " : ", ") +
         (doubt.empty() ? free_words(side->device_bytes, side->capacity_bytes) : doubt);
}

MovedById moved_by_id(const SheetChanges& changes) {
  MovedById moved;
  for (const MovedInput& input : changes.moved) moved[input.id] = &input;
  return moved;
}

std::string moved_title(const MovedInput& moved) {
  static const std::set<std::string> kPlain = {"", "/current", "/usd_per_instance_hour",
                                               "/value/typical", "/usd/typical"};
  if (kPlain.contains(moved.field)) return moved.what;
  std::string field = moved.field.substr(1);
  std::ranges::replace(field, '/', '.');
  std::ranges::replace(field, '_', ' ');
  for (const auto& [plain, unit] : {std::pair(" gib", " GiB"), std::pair(" gb", " GB")}) {
    if (field.ends_with(plain)) field.replace(field.size() - std::strlen(plain), field.npos, unit);
  }
  return moved.what + " " + field;
}

std::string bare_value(const std::string& json_text) {
  const Json value = Json::parse(json_text, nullptr, false);
  return value.is_string() ? value.get<std::string>() : json_text;
}

std::string moved_value(const std::string& json_text) {
  if (json_text.empty()) return std::string(kAbsent);
  const Json value = Json::parse(json_text, nullptr, false);
  if (value.is_null()) return std::string(kAbsent);
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number()) return number_words(value.get<double>());
  return cut(value.is_string() ? value.get<std::string>() : json_text);
}

std::string moved_words(const MovedInput& moved) {
  if (moved.how != "changed") return moved_title(moved) + " " + moved.how;
  return moved_title(moved) + " " + moved_value(moved.old_value) + " → " +
         moved_value(moved.new_value);
}

std::string cause_title(const Change& change, const MovedById& moved) {
  std::vector<std::string> groups;
  for (const std::string& group : change.cause) groups.push_back(group_title(group));
  if (groups.empty()) return std::string(kAbsent);
  const std::string title = join(groups, " + ");
  const std::string inputs = join(named_inputs(change, moved, !is_verdict(change.kind)), "; ");
  return inputs.empty() ? title : title + ": " + inputs;
}

std::string pick_moves(const Change& change, const MovedById& moved) {
  static const std::set<std::string> kShownByFigures = {
      "dearer", "cheaper", "type_changed",  "needs_more",    "needs_less",
      "slower", "faster",  "offsetting",    "price_date",    "break_even_moved",
      "added",  "removed", "count_changed", "seller_changed"};
  std::vector<std::string> parts;
  if (change.old_side && change.new_side) {
    add_figures(*change.old_side, *change.new_side, moved, parts);
    if (change.is("break_even_moved")) add_break_even(*change.old_side, *change.new_side, parts);
  }
  for (const std::string& kind : change.kinds()) {
    if (!kShownByFigures.contains(kind)) parts.push_back(change_kind(kind).words);
  }
  // The price of a card that stayed is told by the sides already.
  const bool same_card =
      change.old_side && change.new_side && change.old_side->gpu == change.new_side->gpu;
  const std::vector<std::string> inputs = named_inputs(change, moved, !same_card);
  parts.insert(parts.end(), inputs.begin(), inputs.end());
  if (parts.empty()) parts.push_back(change_kind(change.kind).words);
  return join(parts, "; ");
}

}  // namespace sizesheet
