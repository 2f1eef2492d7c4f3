// SPDX-License-Identifier: Apache-2.0
// The Ownership sheet: the arithmetic of the program over the cells of a workbook.

#include <algorithm>

#include "render/xlsx/inputs.h"
#include "render/xlsx/sheets.h"
#include "support/error.h"

namespace sizesheet::xlsx {
namespace {

std::string machine_fact(const std::string& range) {
  return with_line("{machine_line}", "INDEX(" + range + ",{machine_line})");
}

/// Dollars, rounded as the program does; nothing where there is no machine.
std::string dollars(const std::string& formula) {
  return unless_empty("{machines}", "ROUND(" + formula + ",6)");
}

/// The same, nothing also where there is no rent to compare with.
std::string against_rent(const std::string& formula) {
  return "IF(OR({machines}=\"\",{rent}=\"\"),\"\"," + formula + ")";
}

std::vector<Column> machine_columns(const std::vector<Input>& inputs) {
  const std::string cabling = has_input(inputs, "cabling_share") ? "*(1+cabling_share)" : "";
  const char* group = "Machines to buy";
  return {
      {"gpu", "", "GPU", "", 11, Style::kText, "", false, ""},
      {"gpus", "", "GPUs needed", "", 9, Style::kCount, "", false, ""},
      {"machine", group, "Machine", "", 28, Style::kText, machine_fact("machine_title"), false,
       "own_machine"},
      {"per_machine", group, "GPUs each", "", 7, Style::kCount, machine_fact("machine_gpus"), false,
       ""},
      {"machines", group, "Machines", "", 9, Style::kCount,
       with_line("{machine_line}", "ROUNDUP({gpus}/{per_machine},0)"), false, ""},
      {"unused", group, "GPUs not needed", "", 8, Style::kCount,
       unless_empty("{machines}", "{machines}*{per_machine}-{gpus}"), false, ""},
      {"capex", group, "Purchase", "$", 12, Style::kUsd,
       dollars("{machines}*INDEX(machine_usd,{machine_line})" + cabling +
               "+{gpus}*IF({gpus}>{per_machine},network_usd_per_gpu,0)"),
       false, "own_capex"},
      {"kw", group, "Power", "kW", 8, Style::kTenths,
       unless_empty("{machines}", "{machines}*INDEX(machine_kw,{machine_line})"), false, ""},
  };
}

std::vector<Column> part_columns(const std::vector<Input>& inputs) {
  const std::string fall = "({capex}-residual_share*{capex})/life_years/12";
  const std::string staff = has_input(inputs, "staff_fte_per_node")
                                ? "{machines}*staff_fte_per_node*usd_per_fte_year/12"
                                : "0";
  const std::string licence =
      has_input(inputs, "licence_usd_per_gpu_year") ? "{gpus}*licence_usd_per_gpu_year/12" : "0";
  const auto part = [](const char* key, const char* title, const std::string& formula) {
    return Column{key,
                  "Parts of a month at the planned use",
                  title,
                  "$ a month",
                  11.5,
                  Style::kUsd,
                  dollars(formula),
                  false,
                  ""};
  };
  return {
      part("depreciation", "Depreciation", fall),
      part("capital", "Capital",
           "({capex}-residual_share*{capex}*worth_at_end)/annuity/12-" + fall),
      part("colo", "Colocation", "{kw}*colo_usd_per_kw_month"),
      part("support", "Support", "support_share_per_year*{capex}/12"),
      part("energy", "Energy", "{full_energy}*(idle_power_share+(1-idle_power_share)*utilisation)"),
      part("staff", "Staff", staff),
      part("licence", "Licences", licence),
  };
}

std::vector<Column> total_columns() {
  const char* group = "Own";
  return {
      {"own", group, "Planned use", "$ a month", 12, Style::kUsd,
       dollars("{depreciation}+{capital}+{colo}+{support}+{energy}+{staff}+{licence}"), false,
       "own_month"},
      {"fixed", group, "No use", "$ a month", 12, Style::kUsd,
       dollars("{own}-{energy}+ROUND({full_energy}*idle_power_share,6)"), false, ""},
      {"full", group, "Every hour", "$ a month", 12, Style::kUsd,
       dollars("{own}-{energy}+ROUND({full_energy},6)"), false, ""},
      {"own_hour", group, "A used GPU-hour", "$", 12, Style::kUsdTenths,
       dollars("{own}/({gpus}*hours_per_month*utilisation)"), false, "own_gpu_hour"},
  };
}

/// First whole month in which `saved` a month has paid the purchase, within the life.
std::string payback(const std::string& saved) {
  const std::string month =
      "IF({capex}<=" + saved + ",1,ROUNDUP(ROUND({capex}/" + saved + ",9),0))";
  return against_rent("IF(OR(" + saved + "<0,AND(" + saved + "=0,{capex}>0)),\"\",IF(" + month +
                      ">12*life_years,\"\"," + month + "))");
}

std::vector<Column> monthly_rent_columns() {
  const char* group = "Against renting on demand";
  const std::string slope = "({rent}*{gpus}*hours_per_month-{full_energy}*(1-idle_power_share))";
  const std::string use = "({own}-{energy}+{full_energy}*idle_power_share)/" + slope;
  return {
      {"rent", group, "Rent, a GPU-hour", "$", 12, Style::kUsdTenths,
       with_line("{price_line}", "ROUND({rent_all}/{gpus},6)"), false, ""},
      {"rent_month", group, "Rent, planned use", "$ a month", 12, Style::kUsd,
       unless_empty("{rent}", "ROUND({rent}*{gpus}*hours_per_month*utilisation,6)"), false, ""},
      {"even_use", group, "Break-even use", "share of hours", 10, Style::kPercent,
       against_rent("IF(" + slope + "<=0,\"\",IF(" + use + ">1,\"\"," + use + "))"), false, ""},
      {"even_hours", group, "Break-even", "h a month", 10, Style::kCount,
       unless_empty("{even_use}", "{even_use}*hours_per_month"), false, "own_even_hours"},
      {"payback", group, "Payback", "month", 9, Style::kCount, payback("{saved}"), false,
       "own_payback"},
      {"payback_cash", group, "Payback, capital not charged", "month", 12, Style::kCount,
       payback("{saved_cash}"), false, ""},
      {"savings", group, "Saved over the life", "$", 13, Style::kUsd,
       against_rent("ROUND(12*life_years*({rent_month}-{own}),6)"), false, ""},
      {"npv", group, "Net present value", "$", 13, Style::kUsd,
       against_rent("ROUND(12*{saved_cash}*annuity+residual_share*{capex}*worth_at_end-{capex},6)"),
       false, ""},
      {"advice", group, "Advice", "", 8, Style::kText,
       against_rent("IF({own_hour}<{rent},\"buy\",\"rent\")"), false, "own_advice"},
      {"close", group, "Within 10 %", "", 8, Style::kText,
       against_rent("IF(ROUND(ABS({own_hour}-{rent})*10,6)<={rent},\"close\",\"\")"), false,
       "own_close"},
  };
}

std::vector<Column> monthly_working_columns() {
  const char* group = "How it is worked out";
  return {
      {"node", group, "GPUs a rented node", "", 9, Style::kCount, "", false, ""},
      {"price_line", group, "Line of Prices", "", 8, Style::kLine, cheapest_price_line("on_demand"),
       true, ""},
      {"rent_all", group, "Rent, all GPUs", "$ an hour", 11, Style::kUsdCents,
       usd_per_hour("price_line"), false, ""},
      {"machine_line", group, "Line of machines", "", 9, Style::kLine, cheapest_machine_line(),
       true, ""},
      {"full_energy", group, "Energy, every hour", "$ a month", 11, Style::kUsd,
       unless_empty("{machines}", "{kw}*pue*hours_per_month*usd_per_kwh"), false, ""},
      {"saved", group, "Saved a month", "$", 12, Style::kUsd,
       against_rent("ROUND({rent_month}-({own}-{depreciation}),6)"), false, ""},
      {"saved_cash", group, "Saved, capital not charged", "$", 12, Style::kUsd,
       against_rent("ROUND({rent_month}-({own}-{depreciation}-{capital}),6)"), false, ""},
  };
}

}  // namespace

std::vector<Column> ownership_columns(const std::vector<Input>& inputs) {
  std::vector<Column> all = machine_columns(inputs);
  for (const auto& part :
       {total_columns(), monthly_rent_columns(), part_columns(inputs), monthly_working_columns()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

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
