// SPDX-License-Identifier: Apache-2.0
#include "render/moved_words.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "render/changes_words.h"
#include "render/phrases.h"
#include "sheet/price_key.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr std::size_t kMostMoved = 2;      // inputs named in a cell
constexpr std::size_t kLongestValue = 60;  // bytes of a value in a cell

std::string free_share(const ChangeSide& side) {
  return free_words(side.device_bytes, side.capacity_bytes);
}

/// Cut between characters.
std::string cut(const std::string& text) {
  if (text.size() <= kLongestValue) return text;
  std::size_t end = kLongestValue;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

std::string number_text(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::abs(value) < kExact && value == std::floor(value)) {
    return format_integer(static_cast<std::int64_t>(value));
  }
  const std::string text = shortest(std::abs(value));
  return value < 0 ? "−" + text : text;
}

/// Kinds that the figures of the line already say.
bool shown_by_figures(const std::string& kind) {
  static const std::set<std::string> kShown = {
      "dearer", "cheaper",    "type_changed", "needs_more",       "needs_less", "slower",
      "faster", "offsetting", "price_date",   "break_even_moved", "added",      "removed"};
  return kShown.contains(kind);
}

std::optional<MicroUsd> gpu_hour(const ChangeSide& side) {
  if (!side.list_usd_per_hour || side.gpus <= 0) return std::nullopt;
  return scaled(*side.list_usd_per_hour, 1, side.gpus);
}

/// What the two sides themselves say: price of a GPU-hour, count, hours, break-even.
void add_figures(const ChangeSide& before, const ChangeSide& after,
                 std::vector<std::string>& parts) {
  if (before.gpu != after.gpu) {
    parts.push_back(side_setup(before) + " → " + side_setup(after));
    return;
  }
  const auto old_price = gpu_hour(before);
  const auto new_price = gpu_hour(after);
  if (old_price && new_price && hourly_usd(*old_price) != hourly_usd(*new_price)) {
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
    if (!side || side->price_key.empty()) continue;
    if (starts_with(moved.id, "prices:" + offer_of(side->price_key))) return true;
  }
  return false;
}

/// A price without its region and instance, which the table of prices has.
std::string price_words(const MovedInput& moved) {
  MovedInput brief = moved;
  brief.what = moved.what.substr(0, moved.what.find(" ("));
  std::replace(brief.what.begin(), brief.what.end(), '_', ' ');
  return moved_words(brief);
}

enum class PricesToo { kNo, kYes };

/// The inputs a change names, prices last and only those it was rented at; at most kMostMoved and
/// how many more. The tables of the page have them all.
std::vector<std::string> named_inputs(const Change& change, const MovedById& moved,
                                      PricesToo prices_too) {
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
  if (prices_too == PricesToo::kYes) parts.insert(parts.end(), prices.begin(), prices.end());
  if (parts.size() > kMostMoved) {
    const auto more = static_cast<std::int64_t>(parts.size() - kMostMoved);
    parts.resize(kMostMoved);
    parts.push_back(format_integer(more) + "\u00a0more");
  }
  return parts;
}

}  // namespace

std::string side_setup(const ChangeSide& side) {
  return format_integer(side.gpus) + "\u00a0×\u00a0" + side.gpu_name;
}

std::string side_standing(const std::optional<ChangeSide>& side) {
  if (!side) return "not listed";
  if (side->verdict == "fits") return side_setup(*side) + ", " + free_share(*side);
  if (side->verdict == "tight") return side_setup(*side) + ", tight, " + free_share(*side);
  if (side->verdict == "refused") return "not modelled";
  return over_words(side->device_bytes, side->capacity_bytes);
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
  std::replace(field.begin(), field.end(), '/', '.');
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
  if (value.is_number()) return number_text(value.get<double>());
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
  const std::string inputs =
      join(named_inputs(change, moved, is_verdict(change.kind) ? PricesToo::kNo : PricesToo::kYes),
           "; ");
  return inputs.empty() ? title : title + ": " + inputs;
}

std::string pick_moves(const Change& change, const MovedById& moved) {
  std::vector<std::string> parts;
  if (change.old_side && change.new_side) {
    add_figures(*change.old_side, *change.new_side, parts);
    if (change.is("break_even_moved")) add_break_even(*change.old_side, *change.new_side, parts);
  }
  std::vector<std::string> kinds = change.also;
  kinds.insert(kinds.begin(), change.kind);
  for (const std::string& kind : kinds) {
    if (!shown_by_figures(kind)) parts.push_back(change_kind(kind).words);
  }
  // The price of a card that stayed is told by the sides already.
  const bool same_card =
      change.old_side && change.new_side && change.old_side->gpu == change.new_side->gpu;
  const std::vector<std::string> inputs =
      named_inputs(change, moved, same_card ? PricesToo::kNo : PricesToo::kYes);
  parts.insert(parts.end(), inputs.begin(), inputs.end());
  if (parts.empty()) parts.push_back(change_kind(change.kind).words);
  return join(parts, "; ");
}

}  // namespace sizesheet
