// SPDX-License-Identifier: Apache-2.0
#include "render/html/own_page.h"

#include <algorithm>
#include <vector>

#include "render/charts.h"
#include "render/html/html_writer.h"
#include "render/html/proof.h"
#include "render/html/templates/strict_context.h"
#include "render/phrases.h"
#include "render/plan_charts.h"
#include "render/plan_quarters.h"
#include "render/range_charts.h"
#include "sheet/assemble/headline.h"
#include "sheet/assemble/ownership.h"
#include "sheet/fields.h"
#include "sheet/money.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The rent pick's row of every model and method, else the buy pick's, where it can be bought.
std::vector<const Row*> owned_picks(const Sheet& sheet) {
  std::vector<const Row*> rows;
  for (const Pick& pick : sheet.picks) {
    const Row* row = shown_row(sheet, pick.model, pick.method);
    if (row != nullptr && row->own) rows.push_back(row);
  }
  return rows;
}

/// At how many of the hours of a month owning pays for how many jobs.
std::string use_words(const Sheet& sheet) {
  std::vector<double> hours;
  std::int64_t compared = 0;
  for (const Pick& pick : sheet.picks) {
    if (!pick.own || !pick.own->rent_usd_per_run) continue;
    ++compared;
    const auto& even = pick.own->break_even_hours_per_month;
    if (even) hours.push_back(*even);
  }
  if (compared == 0) return "";
  const std::string all = format_integer(compared) + (compared == 1 ? " job" : " jobs");
  const std::string month = month_hours(sheet.options.hours_per_month) + "\u00a0h per month";
  if (hours.empty()) return "Owning is cheaper for none of " + all + " within " + month + ".";
  return "Owning can be cheaper for " + format_integer(static_cast<std::int64_t>(hours.size())) +
         " of " + all + ": the lowest break-even is " +
         month_hours(*std::ranges::min_element(hours)) + "\u00a0h, the highest " +
         month_hours(*std::ranges::max_element(hours)) + "\u00a0h (of " + month + ").";
}

/// Rent or buy at typical uses, one row a pick that can be bought.
void put_uses(Json& values, const Sheet& sheet, const SheetOwnership& ownership,
              const std::vector<const Row*>& rows) {
  values["use_heads"] = values["use_rows"] = Json::array();
  for (const Row* row : rows) {
    const UseOfRow* use = use_of(ownership, *row);
    if (use == nullptr) continue;
    values["use_rows"].push_back(row_json(sheet, *row));
    values["use_rows"].back()["months"] = written(*use).at("months");
    if (!values["use_heads"].empty()) continue;
    for (const MonthOfUse& month : use->months) {
      const bool planned = month.hours == sheet.options.planned_hours_per_month;
      values["use_heads"].push_back({{"use_hours", month.hours}, {"use_planned", planned}});
    }
  }
}

/// The one that says most: of the highlighted model where there is one, and of a set-up that
/// breaks even.
const Tornado* shown_tornado(const Sheet& sheet, const SheetOwnership& ownership) {
  const auto says = [&](const Tornado& tornado) {
    const bool highlighted = sheet.find(tornado.row_key)->model == sheet.options.highlight_model;
    return (highlighted ? 2 : 0) + (tornado.break_even_hours_per_month ? 1 : 0);
  };
  const auto best = std::ranges::max_element(ownership.tornadoes, {}, says);
  return best == ownership.tornadoes.end() ? nullptr : &*best;
}

/// One a set-up: the models that share it share its figures.
Json other_tornadoes(const Sheet& sheet, const SheetOwnership& ownership,
                     const std::string& shown) {
  Json list = Json::array();
  for (const Tornado& tornado : ownership.tornadoes) {
    const Row& row = *sheet.find(tornado.row_key);
    const std::string machine = set_up(sheet, row);
    if (machine == shown) continue;
    auto known = std::ranges::find_if(
        list, [&](const Json& one) { return one.at("tornado_setup") == machine; });
    if (known == list.end()) {
      list.push_back({{"tornado_setup", machine},
                      {"tornado_users", Json::array()},
                      {"tornado_words", tornado_conclusion(sheet, tornado)},
                      {"bars", written(tornado).at("bars")}});
      known = list.end() - 1;
    }
    (*known)["tornado_users"].push_back(sheet.model(row.model).size + " " +
                                        sheet.method(row.method).short_title);
  }
  return list;
}

void put_tornadoes(Json& values, const Sheet& sheet, const SheetOwnership& ownership) {
  const Tornado* shown = shown_tornado(sheet, ownership);
  Json& tornado = values["tornado"] = nullptr;
  if (shown == nullptr) return;
  const Row& charted = *sheet.find(shown->row_key);
  tornado = {{"moved", chart_json(tornado_chart(sheet, *shown))},
             {"own", chart_json(rent_or_own_chart(sheet, charted))},
             {"bars", written(*shown).at("bars")},
             {"others", other_tornadoes(sheet, ownership, set_up(sheet, charted))}};
}

/// What each pick is run on by its owner, against what it is rented as.
Json crossed_rows(const Sheet& sheet) {
  Json rows = Json::array();
  for (const Pick& pick : sheet.picks) {
    const Row* rented = rent_pick_row(sheet, pick.model, pick.method);
    if (!pick.own || rented == nullptr) continue;
    Json line = written(*pick.own);
    line["key"] = rented->key();
    line["model"] = pick.model;
    line["method"] = pick.method;
    line["buy"] = set_up(sheet, pick.own->gpu, pick.own->gpus);
    const auto& against = pick.own->rent_set_up;
    line["rent"] = against ? set_up(sheet, against->gpu, against->gpus) : set_up(sheet, *rented);
    line["seller"] = against ? seller_name(sheet, against->provider) : "";
    line["cross_terms"] = quantity_values(pick.own->quantity_terms);
    rows.push_back(line);
  }
  return rows;
}

Json plan_chart(const Chart& chart) {
  Json values = chart_json(chart);
  Json& parts = values["parts"] = Json::array();
  for (const std::string& words : std::get<AmountBars>(chart.body).parts) {
    const std::string shade = "part-" + std::to_string(parts.size() + 1);
    parts.push_back({{"part_class", shade}, {"part_words", words}});
  }
  return values;
}

Json quarter_rows(const SheetPlan& plan) {
  Json rows = Json::array();
  for (const PlanQuarter& quarter : quarters_of(plan)) {
    rows.push_back({{"quarter", std::to_string(rows.size() + 1)},
                    {"quarter_usd", quarter.usd},
                    {"ordered_usd", quarter.ordered_usd}});
  }
  return rows;
}

}  // namespace

Json own_values(const Sheet& sheet) {
  const SheetOwnership& ownership = *sheet.ownership;
  Json values = Json::object();
  const std::vector<const Row*> rows = owned_picks(sheet);
  values["use_words"] = use_words(sheet);
  values["own_headline"] = own_sentence(sheet);
  values["own_rows"] = Json::array();
  for (const Row* row : rows) values["own_rows"].push_back(row_json(sheet, *row));
  put_uses(values, sheet, ownership, rows);
  put_tornadoes(values, sheet, ownership);
  values["cross_rows"] = crossed_rows(sheet);
  values["unquoted"] = Json::array();
  for (const SoldMachine& machine : sheet.machines) {
    if (!machine.quoted) values["unquoted"].push_back(machine.title);
  }
  return values;
}

Json plan_values(const Sheet& sheet) {
  Json charts = Json::array();
  if (!sheet.plan->months.empty()) {
    charts = {plan_chart(plan_use_chart(sheet, *sheet.plan)),
              plan_chart(plan_months_chart(*sheet.plan))};
  }
  Json pools = Json::array();
  for (const PlanPoolLine& pool : sheet.plan->pools) {
    std::vector<std::string> sellers;
    for (const std::string& id : pool.providers) sellers.push_back(seller_name(sheet, id));
    pools.push_back(written(pool));
    pools.back()["sellers"] = join(sellers, ", ");
  }
  return {{"charts", charts}, {"plan_pools", pools}, {"quarters", quarter_rows(*sheet.plan)}};
}

}  // namespace sizesheet
