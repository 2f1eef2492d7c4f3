// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/ownership_table.h"

#include <algorithm>

#include "render/xlsx/labels.h"
#include "render/xlsx/ownership_columns.h"
#include "support/error.h"

namespace sizesheet::xlsx {
namespace {

const SheetEstimate& estimate(const Sheet& sheet, const std::string& id) {
  for (const SheetEstimate& known : sheet.purchase_nodes) {
    if (known.id == id) return known;
  }
  throw InputError("sheet.xlsx: no purchase figure \"" + id + "\" in the sheet");
}

/// The machine a row buys, counted from 1; 0 when the sheet does not list it.
std::int64_t machine_line(const Sheet& sheet, const std::string& id) {
  const auto found = std::find_if(sheet.machines.begin(), sheet.machines.end(),
                                  [&](const SheetMachine& machine) { return machine.id == id; });
  return found == sheet.machines.end() ? 0 : found - sheet.machines.begin() + 1;
}

void add_parts(const OwnLine& own, TableRow& row) {
  for (const auto& [name, usd] : own.parts.named()) {
    if (name != "network") row.cells[name] = cell(to_usd(usd));  // it is bought
  }
  row.cells["own"] = cell(own.own_usd_per_month);
  row.cells["fixed"] = cell(own.fixed_usd_per_month);
  row.cells["full"] = cell(own.full_use_usd_per_month);
  row.cells["own_hour"] = cell(own.own_usd_per_gpu_hour);
  row.cells["full_energy"] =
      cell(to_usd(own.full_use_usd_per_month - own.own_usd_per_month) + to_usd(own.parts.energy));
}

void add_rent(const SheetOptions& options, const Row& priced, TableRow& row) {
  if (!priced.rents[kOnDemand]) return;
  const OwnLine& own = *priced.own;
  const MicroUsd rent = scaled(priced.rents[kOnDemand]->usd_per_hour, 1, priced.layout.gpus);
  const double month = to_usd(rounded_usd(to_usd(rent) * static_cast<double>(priced.layout.gpus) *
                                          options.planned_hours_per_month));
  const double saved = month - to_usd(own.own_usd_per_month) + to_usd(own.parts.depreciation);
  row.cells["rent_all"] = cell(priced.rents[kOnDemand]->usd_per_hour);
  row.cells["rent"] = cell(rent);
  row.cells["rent_month"] = cell(month);
  row.cells["saved"] = cell(saved);
  row.cells["saved_cash"] = cell(saved + to_usd(own.parts.capital));
  row.cells["even_use"] = cell(own.break_even_utilisation);
  if (own.break_even_hours_per_month) {
    row.cells["even_use"] = cell(*own.break_even_hours_per_month / options.hours_per_month);
  }
  row.cells["even_hours"] = cell(own.break_even_hours_per_month);
  row.cells["payback"] = cell(own.payback_month);
  row.cells["payback_cash"] = cell(own.payback_month_cash);
  row.cells["savings"] = cell(own.savings_usd_over_life);
  row.cells["npv"] = cell(own.npv_usd);
  row.cells["advice"] = cell(own.advice);
  row.cells["close"] = cell(std::string(own.close ? "close" : ""));
}

TableRow set_up_row(const Sheet& sheet, const SetUp& set_up,
                    const std::map<std::string, std::int64_t>& lines) {
  const OwnLine& own = *set_up.row->own;
  TableRow row;
  row.cells = {
      {"gpu", cell(gpu_label(sheet, set_up.gpu))},
      {"gpus", cell(set_up.gpus)},
      {"machine", cell(own.node_title)},
      {"per_machine", cell(own.gpus_bought / std::max<std::int64_t>(own.nodes, 1))},
      {"machines", cell(own.nodes)},
      {"unused", cell(own.gpus_bought - set_up.gpus)},
      {"capex", cell(own.capex_usd)},
      {"kw", cell(estimate(sheet, own.node + "/kw").typical * static_cast<double>(own.nodes))},
      {"node", cell(sheet.gpu(set_up.gpu).gpus_per_node)},
      {"machine_line", cell(machine_line(sheet, own.node))}};
  const auto line = set_up.row->rents[kOnDemand]
                        ? lines.find(set_up.row->rents[kOnDemand]->price_key)
                        : lines.end();
  row.cells["price_line"] = cell(line == lines.end() ? std::int64_t{0} : line->second);
  add_parts(own, row);
  add_rent(sheet.options, *set_up.row, row);
  return row;
}

/// The widths are those of the inputs above, on the same sheet.
std::vector<Column> machine_columns() {
  return {
      {"title", "", "Machine", "", 52, Style::kText, "", false, "machine_title"},
      {"usd", "", "Price of one", "$", 16, Style::kInputUsd, "", false, "machine_usd"},
      {"gpu", "", "GPU", "", 24, Style::kText, "", false, "machine_gpu"},
      {"usd_low", "", "Price, low", "$", 11, Style::kUsd, "", false, ""},
      {"usd_high", "", "Price, high", "$", 11, Style::kUsd, "", false, ""},
      {"kw", "", "Power of one, before PUE", "kW", 15, Style::kInputNumber, "", false,
       "machine_kw"},
      {"gpus", "", "GPUs each", "", 11, Style::kCount, "", false, "machine_gpus"},
      {"source", "", "Source", "", 50, Style::kWrapped, "", false, ""},
      {"joins", "", "Can be joined by a network", "", 44, Style::kText, "", false, "machine_joins"},
      {"basis", "", "Basis", "", 25, Style::kText, "", false, ""},
      {"date", "", "Date", "", 12, Style::kText, "", false, ""},
      {"kw_low", "", "Power, low", "kW", 12, Style::kNumber, "", false, ""},
      {"kw_high", "", "Power, high", "kW", 12, Style::kNumber, "", false, ""},
  };
}

}  // namespace

Table machines_table(const Sheet& sheet) {
  Table table{"Assumptions", machine_columns(), {}};
  for (const SheetMachine& machine : sheet.machines) {
    const SheetEstimate& usd = estimate(sheet, machine.id);
    const SheetEstimate& kw = estimate(sheet, machine.id + "/kw");
    TableRow row;
    row.cells = {{"title", cell(machine.title)},
                 {"gpu", cell(gpu_label(sheet, machine.gpu))},
                 {"gpus", cell(machine.gpus)},
                 {"joins", cell(std::string(machine.multi_node ? "yes" : "no"))},
                 {"usd", cell(usd.typical)},
                 {"usd_low", cell(usd.low)},
                 {"usd_high", cell(usd.high)},
                 {"kw", cell(kw.typical)},
                 {"kw_low", cell(kw.low)},
                 {"kw_high", cell(kw.high)},
                 {"basis", cell(usd.basis)},
                 {"source", cell(usd.source)},
                 {"date", cell(usd.date)}};
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table ownership_table(const Sheet& sheet, const std::vector<Input>& inputs) {
  Table table{"Ownership", ownership_columns(inputs), {}};
  const auto lines = line_numbers(price_lines(sheet));
  for (const SetUp& set_up : set_ups(sheet)) {
    table.rows.push_back(set_up_row(sheet, set_up, lines));
  }
  return table;
}

}  // namespace sizesheet::xlsx
