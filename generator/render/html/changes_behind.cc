// SPDX-License-Identifier: Apache-2.0
#include "render/html/changes_behind.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "render/change_words.h"
#include "render/changes_words.h"
#include "render/charts.h"
#include "render/diff/remarks.h"
#include "render/svg/svg.h"
#include "sheet/changes.h"
#include "sheet/fields.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kMostShown = 20;    // inputs that some row rests on
constexpr std::size_t kMostFolded = 250;  // the rest; sheet.json has them all

void put_effects(Json& values, const SheetChanges& changes) {
  const ChangeTotals& totals = changes.pick_totals;
  const ChangeEffects effects = printed_effects(totals.old_usd, totals.effects, /*decimals=*/2);
  values["effect_rows"] = Json::array();
  for (const EffectPart& part : effect_parts(effects)) {
    if (part.usd.value != 0) values["effect_rows"].push_back(written(part));
  }
  const bool moved = !changes.changes.empty() || !values["effect_rows"].empty();
  values["has_effects"] = totals.comparable > 0 && moved;
  // One effect is the total, and a chart of it would say nothing.
  const bool several = values["effect_rows"].size() > 1;
  values["effects_svg"] = several ? Json(svg(effects_chart(changes))) : Json();
  values["effect_total"] = exact_usd(effects.total);
  values["effect_up"] = exact_usd(totals.up_usd);
  values["effect_down"] = exact_usd(totals.down_usd);
}

/// The causes, with "6 changed, 2 added" of the inputs of a group.
void put_causes(Json& values, const SheetChanges& changes) {
  values["cause_rows"] = Json::array();
  for (const CauseTotal& cause : changes.causes) {
    if (cause.rows == 0 && cause.picks == 0 && cause.usd.value == 0) continue;
    std::vector<std::string> parts;
    for (const char* how : {"changed", "added", "removed"}) {
      const auto count = std::ranges::count_if(changes.moved, [&](const MovedInput& moved) {
        return moved.group == cause.group && moved.how == how;
      });
      if (count > 0) parts.push_back(format_integer(count) + "\u00a0" + how);
    }
    values["cause_rows"].push_back(written(cause));
    values["cause_rows"].back()["words"] = join(parts, ", ");
  }
  values["causes_unknown"] = changes.causes_unknown;
  values["cause_total"] = exact_usd(changes.pick_totals.effects.total);
}

/// Prices to the cent, or as they are where a cent does not tell them apart.
std::string value_words(const MovedInput& moved, const std::string& json_text) {
  const auto value = moved.group == "prices" ? number_in(json_text) : std::nullopt;
  const double cents = value.value_or(0) * 100;
  const bool whole = std::abs(cents - std::round(cents)) < 1e-9;
  return value && whole ? format_number(*value, 2) : moved_value(json_text);
}

std::string seen_words(const MovedInput& moved) {
  if (moved.old_as_of.empty() && moved.new_as_of.empty()) return std::string(kAbsent);
  if (moved.old_as_of == moved.new_as_of || moved.old_as_of.empty()) return moved.new_as_of;
  return moved.new_as_of.empty() ? moved.old_as_of : moved.old_as_of + " → " + moved.new_as_of;
}

Json input_row(const MovedInput& moved) {
  const auto before = number_in(moved.old_value);
  const auto after = number_in(moved.new_value);
  const bool comparable = before && after && *before > 0;
  Json row = written(moved);
  row["title"] = moved_title(moved);
  row["before"] = value_words(moved, moved.old_value);
  row["after"] = moved.how == "removed" ? "gone" : value_words(moved, moved.new_value);
  row["share"] = comparable ? Json((*after - *before) / *before) : Json();
  row["seen"] = seen_words(moved);
  return row;
}

/// The inputs of one table: those that most rows name first, the rest folded away.
Json moved_inputs(const SheetChanges& changes, bool prices) {
  std::vector<const MovedInput*> inputs;
  for (const MovedInput& moved : changes.moved) {
    if ((moved.group == "prices") == prices) inputs.push_back(&moved);
  }
  if (inputs.empty()) return nullptr;
  std::ranges::stable_sort(inputs, std::greater(), &MovedInput::rows);
  Json shown = Json::array();
  Json folded = Json::array();
  for (const MovedInput* moved : inputs) {
    if (moved->rows > 0 && shown.size() < kMostShown) {
      shown.push_back(input_row(*moved));
    } else if (folded.size() < kMostFolded) {
      folded.push_back(input_row(*moved));
    }
  }
  const std::size_t rest = inputs.size() - shown.size();
  return {{"shown", shown},
          {"folded", folded},
          {"rest", rest},
          {"cut", rest > folded.size() ? Json(folded.size()) : Json()}};
}

}  // namespace

void put_behind(Json& values, const SheetChanges& changes) {
  put_effects(values, changes);
  put_causes(values, changes);
  values["moved_prices"] = moved_inputs(changes, true);
  values["moved_others"] = moved_inputs(changes, false);
}

}  // namespace sizesheet
