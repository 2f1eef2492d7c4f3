// SPDX-License-Identifier: Apache-2.0
#include "render/html/changes_inputs.h"

#include <algorithm>
#include <cmath>

#include "render/changes_words.h"
#include "render/html/cells.h"
#include "render/html/proof.h"
#include "render/moved_words.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr std::size_t kMostShown = 20;    // that some row rests on
constexpr std::size_t kMostFolded = 250;  // the rest; sheet.json has them all

std::string sign_class(double amount) {
  if (amount == 0) return "same";
  return amount < 0 ? "less" : "more";
}

/// "6 changed, 2 added" of the inputs of a group; "" when none moved.
std::string group_words(const SheetChanges& changes, const std::string& group) {
  std::vector<std::string> parts;
  for (const char* how : {"changed", "added", "removed"}) {
    const auto count = std::count_if(
        changes.moved.begin(), changes.moved.end(),
        [&](const MovedInput& moved) { return moved.group == group && moved.how == how; });
    if (count > 0) parts.push_back(format_integer(count) + "\u00a0" + how);
  }
  return join(parts, ", ");
}

std::optional<double> number_of(const std::string& json_text) {
  const Json value = Json::parse(json_text, nullptr, false);
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

/// Prices to the cent, or as they are where a cent does not tell them apart.
std::string price_words(const std::string& json_text) {
  const auto value = number_of(json_text);
  if (!value) return moved_value(json_text);
  const double cents = *value * 100;
  const bool whole = std::abs(cents - std::round(cents)) < 1e-9;
  return whole ? format_number(*value, 2) : moved_value(json_text);
}

void put_percent(Json& row, const MovedInput& moved) {
  const auto before = number_of(moved.old_value);
  const auto after = number_of(moved.new_value);
  put_absent(row, "percent");
  row["percent_class"] = "absent";
  if (!before || !after || *before <= 0) return;
  const double share = (*after - *before) / *before;
  put(row, "percent", delta_percent(share), std::round(share * 1e5) / 1e3);
  row["percent_class"] = sign_class(share);
}

std::string seen_words(const MovedInput& moved) {
  if (moved.old_as_of.empty() && moved.new_as_of.empty()) return std::string(kAbsent);
  if (moved.old_as_of == moved.new_as_of || moved.old_as_of.empty()) return moved.new_as_of;
  return moved.new_as_of.empty() ? moved.old_as_of : moved.old_as_of + " → " + moved.new_as_of;
}

Json input_row(const MovedInput& moved) {
  const bool price = moved.group == "prices";
  const auto value = [&](const std::string& text) {
    return price ? price_words(text) : moved_value(text);
  };
  Json row = {{"input_title", moved_title(moved)},
              {"input_group", group_title(moved.group)},
              {"input_before", value(moved.old_value)},
              {"input_after", moved.how == "removed" ? "gone" : value(moved.new_value)},
              {"input_has_unit", !moved.unit.empty()},
              {"input_unit", moved.unit},
              {"input_seen", seen_words(moved)},
              {"input_rows_n", format_integer(moved.rows)},
              {"input_rows_v", std::to_string(moved.rows)}};
  put_percent(row, moved);
  put_source(row, "source", moved.source);
  return row;
}

/// name_rows, name_folded, name_more …: the inputs of one table, those that most rows name first.
void put_inputs(Json& values, const std::string& name, std::vector<const MovedInput*> inputs) {
  std::stable_sort(inputs.begin(), inputs.end(),
                   [](const MovedInput* a, const MovedInput* b) { return a->rows > b->rows; });
  Json shown = Json::array();
  Json folded = Json::array();
  std::size_t left_out = 0;
  for (const MovedInput* moved : inputs) {
    if (moved->rows > 0 && shown.size() < kMostShown) {
      shown.push_back(input_row(*moved));
    } else if (folded.size() < kMostFolded) {
      folded.push_back(input_row(*moved));
    } else {
      ++left_out;
    }
  }
  values["has_" + name] = !inputs.empty();
  values["has_" + name + "_shown"] = !shown.empty();
  values["has_" + name + "_folded"] = !folded.empty();
  values[name + "_folded_words"] =
      format_integer(static_cast<std::int64_t>(folded.size() + left_out)) + "\u00a0more";
  if (left_out > 0) {
    const std::string first = format_integer(static_cast<std::int64_t>(folded.size()));
    values[name + "_folded_words"] =
        values[name + "_folded_words"].get<std::string>() + ", of which the first " + first;
  }
  values[name + "_rows"] = shown;
  values[name + "_folded"] = folded;
}

}  // namespace

void put_causes(Json& values, const SheetChanges& changes) {
  const MicroUsd total = changes.pick_totals.effects.total;
  Json rows = Json::array();
  for (const CauseTotal& cause : changes.causes) {
    const std::string words = group_words(changes, cause.group);
    rows.push_back({{"cause_title", group_title(cause.group)},
                    {"cause_words", words},
                    {"cause_has_words", !words.empty()},
                    {"cause_rows_n", format_integer(cause.rows)},
                    {"cause_picks_n", format_integer(cause.picks)},
                    {"cause_usd", delta_usd(cause.usd, kCents)},
                    {"cause_class", sign_class(to_usd(cause.usd))}});
  }
  values["cause_rows"] = rows;
  values["has_causes"] = !changes.causes.empty();
  values["causes_unknown"] = changes.causes_unknown;
  values["are_causes_unknown"] = !changes.causes_unknown.empty();
  values["cause_total"] = delta_usd(total, kCents);
  values["cause_total_class"] = sign_class(to_usd(total));
}

void put_moved(Json& values, const SheetChanges& changes) {
  std::vector<const MovedInput*> prices;
  std::vector<const MovedInput*> others;
  for (const MovedInput& moved : changes.moved) {
    (moved.group == "prices" ? prices : others).push_back(&moved);
  }
  put_inputs(values, "moved_prices", prices);
  put_inputs(values, "moved_others", others);
}

}  // namespace sizesheet
