// SPDX-License-Identifier: Apache-2.0
// The page of renting against buying.

#include <algorithm>
#include <map>
#include <vector>

#include "render/charts.h"
#include "render/html/frame.h"
#include "render/html/pages.h"
#include "render/phrases.h"
#include "render/svg/svg.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string model_href(const Row& row) { return "models/" + row.model + ".html#rent-or-buy"; }

void put_number(Json& values, const std::string& name, const std::optional<double>& value,
                int decimals) {
  if (value) {
    put(values, name, format_number(*value, decimals), *value);
  } else {
    put_absent(values, name);
  }
}

void put_month(Json& values, const std::string& name, const std::optional<std::int64_t>& month) {
  if (month) {
    put(values, name, format_integer(*month), static_cast<double>(*month));
  } else {
    put_absent(values, name);
  }
}

Json owned_row(const Sheet& sheet, const Row& row) {
  const OwnLine& own = row.own.value();
  Json line = {{"own_model", sheet.model(row.model).title},
               {"own_method", sheet.method(row.method).short_title},
               {"own_setup", set_up(sheet, row)},
               {"own_href", model_href(row)},
               {"own_row_key", row.key()}};
  put(line, "own_unused", format_integer(own.unused_gpus), static_cast<double>(own.unused_gpus));
  put_usd(line, "own_unused_month", own.unused_usd_per_month, whole_usd);
  put_usd(line, "own_npv", own.npv_usd, whole_usd);
  put_usd(line, "own_savings", own.savings_usd_over_life, whole_usd);
  put_number(line, "own_runs", own.break_even_runs_per_month, 1);
  put_month(line, "own_payback", own.payback_month);
  put_month(line, "own_payback_cash", own.payback_month_cash);
  line["own_cash_known"] = own.payback_month_cash.has_value();
  put_money(line, row);
  return line;
}

/// The rent pick's row of every model and method, else the buy pick's, where it can be bought.
std::vector<const Row*> owned_picks(const Sheet& sheet) {
  std::vector<const Row*> rows;
  for (const Pick& pick : sheet.picks) {
    const Row* row = shown_row(sheet, pick.model, pick.method);
    if (row != nullptr && row->own) rows.push_back(row);
  }
  return rows;
}

std::string advice_words(const Sheet& sheet, const std::vector<const Row*>& rows) {
  std::int64_t compared = 0;
  std::int64_t bought = 0;
  for (const Row* row : rows) {
    if (!row->own->advice) continue;
    ++compared;
    bought += *row->own->advice == "buy" ? 1 : 0;
  }
  return "At " + month_hours(sheet.options.planned_hours_per_month) + "\u00a0h a month, " +
         format_integer(bought) + " of " + format_integer(compared) +
         " set-ups cost less to own than to rent.";
}

/// One month of use: the advice, and under it a month rented and owned.
Json use_cell(const MonthOfUse& month) {
  Json cell = {{"use_advice", std::string(kAbsent)}, {"use_class", "absent"}};
  put_usd(cell, "use_rent", month.rent_usd_per_month, whole_usd);
  put_usd(cell, "use_own", month.own_usd_per_month, whole_usd);
  if (!month.advice) return cell;
  cell["use_advice"] = month.close ? "close" : *month.advice;
  cell["use_class"] = cell["use_advice"];
  return cell;
}

/// Rent or buy at typical uses, one row a pick that can be bought.
void put_uses(Json& values, const Sheet& sheet, const SheetOwnership& ownership,
              const std::vector<const Row*>& rows) {
  values["use_heads"] = Json::array();
  values["use_rows"] = Json::array();
  for (const Row* row : rows) {
    const UseOfRow* use = use_of(ownership, *row);
    if (use == nullptr) continue;
    Json line = {{"use_model", sheet.model(row->model).title},
                 {"use_method", sheet.method(row->method).short_title},
                 {"use_setup", set_up(sheet, *row)},
                 {"use_href", model_href(*row)},
                 {"use_row_key", row->key()},
                 {"use_cells", Json::array()}};
    put_break_even(line, "break_even", *row);
    for (const MonthOfUse& month : use->months) line["use_cells"].push_back(use_cell(month));
    values["use_rows"].push_back(line);
    if (!values["use_heads"].empty()) continue;
    for (const MonthOfUse& month : use->months) {
      const bool planned = month.hours == sheet.options.planned_hours_per_month;
      values["use_heads"].push_back(
          {{"use_hours", month_hours(month.hours)}, {"use_planned", planned}});
    }
  }
  values["has_uses"] = !values["use_rows"].empty();
}

Json bar_row(const Sensitivity& bar) {
  Json line = {{"bar_title", bar.title},
               {"bar_low", input_value(bar.low, bar.unit)},
               {"bar_typical", input_value(bar.typical, bar.unit)},
               {"bar_high", input_value(bar.high, bar.unit)},
               {"bar_basis", bar.basis}};
  put_usd(line, "bar_own_low", bar.own_usd_per_gpu_hour_low, hourly_usd);
  put_usd(line, "bar_own_high", bar.own_usd_per_gpu_hour_high, hourly_usd);
  put_number(line, "bar_even_low", bar.break_even_hours_low, 0);
  put_number(line, "bar_even_high", bar.break_even_hours_high, 0);
  for (const char* name : {"bar_even_low", "bar_even_high"}) {
    if (line[name] == kAbsent) line[name] = "never";
  }
  put_source(line, "source", bar.source);
  return line;
}

Json bar_rows(const Tornado& tornado) {
  Json rows = Json::array();
  for (const Sensitivity& bar : tornado.bars) rows.push_back(bar_row(bar));
  return rows;
}

/// The one that says most: of the highlighted model where there is one, and of a set-up that
/// breaks even.
const Tornado* shown_tornado(const Sheet& sheet, const SheetOwnership& ownership) {
  const Tornado* best = nullptr;
  int most = -1;
  for (const Tornado& tornado : ownership.tornadoes) {
    const Row* row = sheet.find(tornado.row_key);
    if (row == nullptr) continue;
    const bool highlighted = row->model == sheet.options.highlight_model;
    const int says = (highlighted ? 2 : 0) + (tornado.break_even_hours_per_month ? 1 : 0);
    if (says <= most) continue;
    most = says;
    best = &tornado;
  }
  return best;
}

/// One a set-up: the models that share it share its figures.
Json other_tornadoes(const Sheet& sheet, const SheetOwnership& ownership,
                     const std::string& shown) {
  std::vector<std::string> order;
  std::map<std::string, const Tornado*> first;
  std::map<std::string, std::vector<std::string>> users;
  for (const Tornado& tornado : ownership.tornadoes) {
    const Row* row = sheet.find(tornado.row_key);
    if (row == nullptr || set_up(sheet, *row) == shown) continue;
    const std::string machine = set_up(sheet, *row);
    if (first.try_emplace(machine, &tornado).second) order.push_back(machine);
    users[machine].push_back(sheet.model(row->model).size + " " +
                             sheet.method(row->method).short_title);
  }
  Json list = Json::array();
  for (const std::string& machine : order) {
    const Tornado& tornado = *first[machine];
    list.push_back({{"tornado_setup", machine},
                    {"tornado_users", join(users[machine], ", ")},
                    {"tornado_words", tornado_conclusion(sheet, tornado)},
                    {"bar_rows", bar_rows(tornado)}});
  }
  return list;
}

void put_tornadoes(Json& values, const Sheet& sheet, const SheetOwnership& ownership) {
  const Tornado* shown = shown_tornado(sheet, ownership);
  values["has_tornado"] = shown != nullptr;
  values["other_tornadoes"] = Json::array();
  if (shown == nullptr) return;
  const Chart chart = tornado_chart(sheet, *shown);
  values["tornado_svg"] = svg(chart);
  values["tornado_conclusion"] = chart.conclusion;
  values["bar_rows"] = bar_rows(*shown);
  const Row* charted = sheet.find(shown->row_key);
  const Chart lines = rent_or_own_chart(sheet, *charted);
  values["own_svg"] = svg(lines);
  values["own_conclusion"] = lines.conclusion;
  values["other_tornadoes"] = other_tornadoes(sheet, ownership, set_up(sheet, *charted));
}

Json crossed_rows(const Sheet& sheet, const SheetOwnership& ownership) {
  Json rows = Json::array();
  for (const BuyOrRent& choice : ownership.buy_or_rent) {
    const Row* bought = sheet.find(choice.buy_key);
    const Row* rented = sheet.find(choice.rent_key);
    if (bought == nullptr || rented == nullptr) continue;
    Json line = {{"cross_model", sheet.model(choice.model).title},
                 {"cross_method", sheet.method(choice.method).short_title},
                 {"cross_href", model_href(*bought)},
                 {"cross_buy", set_up(sheet, *bought)},
                 {"cross_rent", set_up(sheet, *rented)},
                 {"cross_advice", choice.close ? "close" : choice.advice}};
    put_usd(line, "cross_own_run", choice.own_usd_per_run, run_usd);
    put_usd(line, "cross_rent_run", choice.rent_usd_per_run, run_usd);
    put_number(line, "cross_runs", choice.break_even_runs_per_month, 1);
    put_number(line, "cross_hours", choice.break_even_hours_per_month, 0);
    for (const char* name : {"cross_runs", "cross_hours"}) {
      if (line[name] == kAbsent) line[name] = "never";
    }
    line["cross_terms"] = quantity_values(choice.quantity_terms);
    line["cross_known"] = !choice.quantity_terms.empty();
    rows.push_back(line);
  }
  return rows;
}

Json assumption_rows(const SheetOwnership& ownership) {
  Json rows = Json::array();
  for (const OwnershipAssumption& item : ownership.assumptions) {
    Json line = {{"assumed_id", fragment("assumed-", item.id)},
                 {"assumed_role", sentence_case(item.role)},
                 {"assumed_value", input_value(item.value, item.unit)},
                 {"assumed_low", input_value(item.low, item.unit)},
                 {"assumed_high", input_value(item.high, item.unit)},
                 {"assumed_basis", item.basis},
                 {"assumed_date", item.date}};
    put_source(line, "source", item.source);
    rows.push_back(line);
  }
  return rows;
}

}  // namespace

Json own_values(const Sheet& sheet, const SheetOwnership& ownership) {
  Json values = frame_values(sheet, SitePage::kOwn, "Rent or buy · " + sheet.meta.title, "");
  const std::vector<const Row*> rows = owned_picks(sheet);
  values["advice_words"] = advice_words(sheet, rows);
  values["ownership_rule"] = ownership_rule(sheet);
  values["planned_hours"] = month_hours(sheet.options.planned_hours_per_month);
  values["own_rows"] = Json::array();
  for (const Row* row : rows) values["own_rows"].push_back(owned_row(sheet, *row));
  put_uses(values, sheet, ownership, rows);
  put_tornadoes(values, sheet, ownership);
  values["cross_rows"] = crossed_rows(sheet, ownership);
  values["has_cross"] = !values["cross_rows"].empty();
  values["assumption_rows"] = assumption_rows(ownership);
  return values;
}

}  // namespace sizesheet
