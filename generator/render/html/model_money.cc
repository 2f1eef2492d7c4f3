// SPDX-License-Identifier: Apache-2.0
#include "render/html/model_money.h"

#include <vector>

#include "render/charts.h"
#include "render/html/cells.h"
#include "render/html/notes.h"
#include "render/phrases.h"
#include "render/svg/svg_chart.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr double kPartTime = 200;  // hours a month: a machine used on working days only

/// The row whose chart says most: the first pick that breaks even, else the best.
const Row* charted(const std::vector<const Row*>& rows, const Row* best) {
  for (const Row* row : rows) {
    if (row->own && row->own->break_even_hours_per_month) return row;
  }
  return best && (best->own || best->list) ? best : nullptr;
}

/// "buy" or "rent" at a number of hours, from the lines of the chart.
std::string better_at(const Row& row, double hours, double hours_per_month) {
  if (!row.list || !row.own) return std::string(kAbsent);
  const double fixed = to_usd(row.own->fixed_usd_per_month);
  const double slope = (to_usd(row.own->full_use_usd_per_month) - fixed) / hours_per_month;
  return fixed + slope * hours < to_usd(row.list->usd_per_hour) * hours ? "buy" : "rent";
}

Json line(const std::string& label, const std::vector<const Row*>& rows, auto cell) {
  Json cells = Json::array();
  for (const Row* row : rows) {
    const std::string text = cell(*row);
    const std::string shade = text == "buy" || text == "close" || text == "never" ? text : "plain";
    cells.push_back({{"money_text", text}, {"money_class", shade}});
  }
  return {{"money_label", label}, {"money_cells", cells}};
}

std::string field(const Row& row, const char* name) {
  Json values;
  put_money(values, row);
  return values[name];
}

std::string usd_or_absent(const Row& row, MicroUsd OwnLine::*amount) {
  return row.own ? whole_usd(row.own.value().*amount) : std::string(kAbsent);
}

Json money_lines(const Sheet& sheet, const std::vector<const Row*>& rows) {
  const double always = sheet.options.hours_per_month;
  Json lines = Json::array();
  lines.push_back(line("Set-up", rows, [&](const Row& row) { return set_up(sheet, row); }));
  lines.push_back(line("Rent, $/h", rows, [](const Row& row) { return field(row, "hourly"); }));
  lines.push_back(line("Nodes bought", rows, [](const Row& row) {
    return row.own ? format_integer(row.own->nodes) + " (" + row.own->node_title + ")"
                   : std::string(kAbsent);
  }));
  lines.push_back(line("Buy outright, $", rows,
                       [](const Row& row) { return usd_or_absent(row, &OwnLine::capex_usd); }));
  lines.push_back(
      line("Own, $/month", rows, [](const Row& row) { return field(row, "own_month"); }));
  lines.push_back(line("Own, $ a GPU-hour", rows, [](const Row& row) {
    return row.own ? hourly_usd(row.own->own_usd_per_gpu_hour) : std::string(kAbsent);
  }));
  lines.push_back(line("One run, owned, $", rows, [](const Row& row) {
    return row.own && row.own->own_usd_per_run ? run_usd(*row.own->own_usd_per_run)
                                               : std::string(kAbsent);
  }));
  lines.push_back(
      line("Break-even, h/month", rows, [](const Row& row) { return field(row, "break_even"); }));
  const std::string planned = month_hours(sheet.options.planned_hours_per_month);
  lines.push_back(line("Advice at " + planned + " h a month", rows,
                       [](const Row& row) { return field(row, "advice"); }));
  for (const double hours : {kPartTime, always}) {
    lines.push_back(line("At " + month_hours(hours) + " h a month", rows,
                         [&](const Row& row) { return better_at(row, hours, always); }));
  }
  return lines;
}

}  // namespace

void put_rent_or_buy(Json& values, const Sheet& sheet, const std::string& model, const Row* best) {
  std::vector<const Row*> rows;
  Json heads = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model, method.id);
    if (!row) continue;
    rows.push_back(row);
    heads.push_back({{"money_method", method.short_title}});
  }
  const Row* row = charted(rows, best);
  values["has_rent_or_buy"] = row != nullptr;
  values["money_heads"] = heads;
  values["money_rows"] = money_lines(sheet, rows);
  values["ownership_rule"] = ownership_rule(sheet);
  if (!row) return;
  const Chart chart = rent_or_own_chart(sheet, *row);
  values["rent_or_buy_svg"] = svg(chart);
  values["rent_or_buy_conclusion"] = chart.conclusion;
}

}  // namespace sizesheet
