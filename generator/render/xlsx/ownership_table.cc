// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/ownership_table.h"

#include <algorithm>
#include <cmath>

#include "render/phrases.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/sheets.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/sheet.h"
#include "sheet/sheet_options.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet::xlsx {
namespace {

constexpr const char* kPowerOfMachines = "{machines}*INDEX(machine_kw,{machine_line})";

// Of a machine, since a used one has a life and a residual value of its own: years, the share that
// is left, and what a dollar is worth today at the end of every year and at that of its life.
const std::string kLife = "INDEX(machine_life,{machine_line})";
const std::string kResidual = "INDEX(machine_left,{machine_line})*{capex}";
const std::string kAnnuity = "INDEX(machine_annuity,{machine_line})";
const std::string kResidualToday = kResidual + "*INDEX(machine_worth,{machine_line})";

/// Dollars, rounded as the program does; nothing where there is no machine.
std::string dollars(const std::string& formula) {
  return unless_empty("{machines}", "ROUND(" + formula + ",6)");
}

/// The same, nothing also where there is no rent to compare with.
std::string against_rent(const std::string& formula) {
  return unless_empty("{machines}", "{rent}", formula);
}

/// First whole month in which `saved` a month has paid the purchase, within the life.
std::string payback(const std::string& saved) {
  const std::string month =
      "IF({capex}<=" + saved + ",1,ROUNDUP(ROUND({capex}/" + saved + ",9),0))";
  return against_rent("IF(OR(" + saved + "<0,AND(" + saved + "=0,{capex}>0)),\"\",IF(" + month +
                      ">12*" + kLife + ",\"\"," + month + "))");
}

std::vector<Column> machines_and_totals(const std::vector<Input>& inputs) {
  const char* bought = "Machines";
  const char* own = "Own";
  return {
      {"gpu", "", "GPU", "", 11},
      measured("gpus", {"gpus", "", "GPUs needed", "", 9, Style::kCount}),
      {"machine", bought, "Machine", "", 28, Style::kText,
       at_line("machine_title", "machine_line")},
      {"per_machine", bought, "GPUs each", "", 7, Style::kCount,
       at_line("machine_gpus", "machine_line")},
      measured("nodes_bought", {"machines", bought, "Machines", "", 9, Style::kCount,
                                with_line("{machine_line}", "ROUNDUP({gpus}/{per_machine},0)")}),
      {"unused", bought, "GPUs not needed", "", 8, Style::kCount,
       unless_empty("{machines}", "{machines}*{per_machine}-{gpus}")},
      measured("capex_usd", {"capex", bought, "Purchase", "$", 12, Style::kUsd,
                             dollars(purchase(inputs, "{gpus}", "{per_machine}"))}),
      {"kw", bought, "Power", "kW", 8, Style::kTenths,
       unless_empty("{machines}", kPowerOfMachines)},
      measured("own_usd_per_month",
               {"month", own, "Planned use", "$ per month", 12, Style::kUsd,
                dollars("{depreciation}+{capital}+{colo}+{support}+{energy}+{staff}+{licence}")}),
      {"fixed", own, "No use", "$ per month", 12, Style::kUsd,
       dollars("{month}-{energy}+ROUND({full_energy}*idle_power_share,6)")},
      {"full", own, "Every hour", "$ per month", 12, Style::kUsd,
       dollars("{month}-{energy}+ROUND({full_energy},6)")},
      measured("own_usd_per_gpu_hour",
               {"gpu_hour", own, "A used GPU-hour", "$", 12, Style::kUsdTenths,
                dollars("{month}/({gpus}*hours_per_month*utilisation)")}),
  };
}

std::vector<Column> against_renting() {
  const char* group = "Against renting on demand";
  const std::string slope = "({rent}*{gpus}*hours_per_month-{full_energy}*(1-idle_power_share))";
  const std::string use = "({month}-{energy}+{full_energy}*idle_power_share)/" + slope;
  return {
      {"rent", group, "Rent, per GPU-hour", "$", 12, Style::kUsdTenths,
       with_line("{price_line}", "ROUND({rent_all}/{gpus},6)")},
      {"rent_month", group, "Rent, planned use", "$ per month", 12, Style::kUsd,
       unless_empty("{rent}", "ROUND({rent}*{gpus}*hours_per_month*utilisation,6)")},
      {"even_use", group, "Break-even use", "share of hours", 10, Style::kPercent,
       against_rent("IF(" + slope + "<=0,\"\",IF(" + use + ">1,\"\"," + use + "))")},
      measured("break_even_hours_per_month",
               {"even_hours", group, "Break-even", "h per month", 10, Style::kCount,
                unless_empty("{even_use}", "{even_use}*hours_per_month")}),
      measured("payback_month",
               {"payback", group, "Payback", "month", 9, Style::kCount, payback("{saved}")}),
      measured("payback_month_cash", {"payback_cash", group, "Payback, capital not charged",
                                      "month", 12, Style::kCount, payback("{saved_cash}")}),
      measured("savings_usd_over_life",
               {"savings", group, "Saved over the life", "$", 13, Style::kUsd,
                against_rent("ROUND(12*" + kLife + "*({rent_month}-{month}),6)")}),
      measured("npv_usd", {"npv", group, "Net present value", "$", 13, Style::kUsd,
                           against_rent("ROUND(12*{saved_cash}*" + kAnnuity + "+" + kResidualToday +
                                        "-{capex},6)")}),
  };
}

/// `advice` and `close` of sheet.json, for programs that read them.
std::vector<Column> advice_columns_of_gpus() {
  const char* group = "Advice at the planned hours";
  return {{"advice", group, "These GPUs", "", 8, Style::kText,
           against_rent("IF({gpu_hour}<{rent},\"buy\",\"rent\")")},
          {"close", group, "Within 10 %", "", 8, Style::kText,
           against_rent(
               "IF(ROUND(ABS({gpu_hour}-{rent})*10,6)<=MAX({gpu_hour},{rent}),\"close\",\"\")")}};
}

/// Whether the rate of support pays people as well.
bool support_covers_staff(const std::vector<Input>& inputs) {
  const auto* rate = entry_with(inputs, &Input::name, std::string("support_share_per_year"));
  return rate != nullptr && contains(rate->figure.covers, "staff");
}

/// `paid`, or what the least number of people costs where that is more.
std::string at_least_staff_floor(const std::vector<Input>& inputs, StaffOf of,
                                 const std::string& paid) {
  const bool node = value_of(inputs, "least_fte_per_node").has_value();
  const bool site = of == StaffOf::kSite && value_of(inputs, "least_fte_per_site");
  if (!node && !site) return paid;
  const std::string of_nodes = node ? "{machines}*least_fte_per_node" : "0";
  const std::string people = site ? "MAX(" + of_nodes + ",least_fte_per_site)" : of_nodes;
  return "MAX(" + paid + "," + people + "*usd_per_fte_year/12)";
}

/// Options that the sheet does not count leave no trace.
std::vector<Column> parts_of_a_month(const std::vector<Input>& inputs) {
  const std::string fall = "({capex}-" + kResidual + ")/" + kLife + "/12";
  const auto part = [](const char* key, const char* title, const std::string& formula) {
    const char* group = "Parts of a month at the planned use";
    return Column{key, group, title, "$ per month", 11.5, Style::kUsd, dollars(formula)};
  };
  return {
      part("depreciation", "Depreciation", fall),
      part("capital", "Capital", "({capex}-" + kResidualToday + ")/" + kAnnuity + "/12-" + fall),
      part("colo", "Colocation", "{kw}*colo_usd_per_kw_month"),
      part("support", "Support", support(inputs, StaffOf::kSite)),
      part("energy", "Energy", "{full_energy}*(idle_power_share+(1-idle_power_share)*utilisation)"),
      part("staff", "Staff", staff(inputs, StaffOf::kSite)),
      part("licence", "Licences", licences(inputs, "{gpus}")),
  };
}

std::vector<Column> workings(const PickRules& rules) {
  const char* group = "How it is worked out";
  return {
      {"node", group, "GPUs a rented node", "", 9, Style::kCount},
      {"range", group, "Range of the hours, upwards, ln", "", 10, Style::kNumber},
      {"price_line", group, "Line of Prices", "", 8, Style::kLine, least_score_line(rules), true},
      measured("list_usd_per_hour", {"rent_all", group, "Rent, all GPUs", "$ per hour", 11,
                                     Style::kUsdCents, usd_per_hour("price_line")}),
      {"machine_line", group, "Line of machines", "", 9, Style::kLine, cheapest_machine_line(),
       true},
      {"full_energy", group, "Energy, every hour", "$ per month", 11, Style::kUsd,
       unless_empty("{machines}", "{kw}*pue*hours_per_month*usd_per_kwh")},
      {"saved", group, "Saved per month", "$", 12, Style::kUsd,
       against_rent("ROUND({rent_month}-({month}-{depreciation}),6)")},
      {"saved_cash", group, "Saved, capital not charged", "$", 12, Style::kUsd,
       against_rent("ROUND({rent_month}-({month}-{depreciation}-{capital}),6)")},
  };
}

/// Of a machine: whether it is used and quoted, its life, and what follows from that.
std::vector<Column> lives(const std::vector<Input>& inputs) {
  const auto either = [&](const char* of_used, const std::string& usual) {
    const std::string used = "IF({used}=\"yes\"," + std::string(of_used) + "," + usual + ")";
    return value_of(inputs, of_used) ? used : usual;
  };
  const bool decays = value_of(inputs, "value_decay_oom_per_year").has_value();
  const std::string left = decays ? "10^(-value_decay_oom_per_year*{life})" : "residual_share";
  return {
      {"used", "", "Used", "", 7},
      {"quoted", "", "Quoted", "", 8},
      {"price_kind", "", "Kind of price", "", 12},
      {"life", "", "Life", "years", 8, Style::kNumber, either("used_life_years", "life_years")},
      {"left", "", "Value left at its end", "share of purchase", 12, Style::kPercent,
       either("used_residual_share", left)},
      {"annuity", "", "Worth today of a dollar at the end of each year", "$", 14, Style::kUsdTenths,
       "IF(cost_of_capital=0,{life},(1-(1+cost_of_capital)^(-{life}))/cost_of_capital)"},
      {"worth", "", "Worth today of a dollar at the end of life", "$", 14, Style::kUsdTenths,
       "(1+cost_of_capital)^(-{life})"}};
}

void add_life(const std::vector<Input>& inputs, bool used, TableRow& row) {
  const auto rate = [&](const char* of_used, const char* usual) {
    const auto own = used ? value_of(inputs, of_used) : std::nullopt;
    return own ? own : value_of(inputs, usual);
  };
  const auto life = rate("used_life_years", "life_years");
  if (!life) return;
  const double interest = value_of(inputs, "cost_of_capital").value_or(0);
  const auto decay = value_of(inputs, "value_decay_oom_per_year");
  const auto own_left = used ? value_of(inputs, "used_residual_share") : std::nullopt;
  const double end = std::pow(1 + interest, -*life);
  row.cells["life"] = cell(*life);
  row.cells["left"] = cell(own_left ? *own_left
                           : decay  ? std::pow(10, -*decay * *life)
                                    : value_of(inputs, "residual_share").value_or(0));
  row.cells["annuity"] = cell(interest == 0 ? *life : (1 - end) / interest);
  row.cells["worth"] = cell(end);
}

void add_parts(const OwnLine& own, TableRow& row) {
  for (const auto& [name, usd] : own.parts.named()) {
    if (name != "network") row.cells[name] = cell(to_usd(usd));  // it is bought
  }
  row.cells["fixed"] = cell(own.fixed_usd_per_month);
  row.cells["full"] = cell(own.full_use_usd_per_month);
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
  row.cells["rent"] = cell(rent);
  row.cells["rent_month"] = cell(month);
  row.cells["saved"] = cell(saved);
  row.cells["saved_cash"] = cell(saved + to_usd(own.parts.capital));
  if (own.break_even_hours_per_month) {
    row.cells["even_use"] = cell(*own.break_even_hours_per_month / options.hours_per_month);
  }
  row.cells["advice"] = cell(own.advice.value_or(""));
  row.cells["close"] = cell(own.close ? "close" : "");
}

TableRow set_up_row(const Sheet& sheet, const Row& set_up,
                    const std::map<std::string, std::int64_t>& lines) {
  const OwnLine& own = *set_up.own;
  TableRow row;
  row.cells = {
      {"gpu", cell(gpu_label(sheet, set_up.gpu))},
      {"machine", cell(own.node_title)},
      {"per_machine", cell(own.gpus_bought / std::max<std::int64_t>(own.nodes, 1))},
      {"unused", cell(own.gpus_bought - set_up.layout.gpus)},
      {"kw", machine_figure(sheet, own.node + "/kw").typical * static_cast<double>(own.nodes)},
      {"node", cell(sheet.gpu(set_up.gpu).gpus_per_node)},
      {"range", hours_range(set_up)},
      {"price_line", cell(line_of(lines, set_up.rents[kOnDemand]))},
      {"machine_line", cell(machine_line(sheet, own.node))}};
  add_parts(own, row);
  add_rent(sheet.options, set_up, row);
  return row;
}

}  // namespace

std::string purchase(const std::vector<Input>& inputs, const std::string& gpus,
                     const std::string& per_machine) {
  const std::string cabling = value_of(inputs, "cabling_share") ? "*(1+cabling_share)" : "";
  return "{machines}*INDEX(machine_usd,{machine_line})" + cabling + "+" + gpus + "*IF(" + gpus +
         ">" + per_machine + ",network_usd_per_gpu,0)";
}

std::string support(const std::vector<Input>& inputs, StaffOf of) {
  const std::string share = "support_share_per_year*{capex}/12";
  return support_covers_staff(inputs) ? at_least_staff_floor(inputs, of, share) : share;
}

std::string staff(const std::vector<Input>& inputs, StaffOf of) {
  const std::string paid = value_of(inputs, "staff_fte_per_node")
                               ? "{machines}*staff_fte_per_node*usd_per_fte_year/12"
                               : "0";
  return support_covers_staff(inputs) ? paid : at_least_staff_floor(inputs, of, paid);
}

std::string licences(const std::vector<Input>& inputs, const std::string& gpus) {
  return value_of(inputs, "licence_usd_per_gpu_year") ? gpus + "*licence_usd_per_gpu_year/12" : "0";
}

std::string month_at_rest(const std::vector<Input>& inputs, const std::string& gpus, StaffOf of) {
  return "({capex}-" + kResidualToday + ")/" + kAnnuity + "/12+" + kPowerOfMachines +
         "*(colo_usd_per_kw_month+pue*hours_per_month*usd_per_kwh*idle_power_share)+" +
         support(inputs, of) + "+" + staff(inputs, of) + "+" + licences(inputs, gpus);
}

std::string energy_of_use() {
  return std::string(kPowerOfMachines) + "*pue*usd_per_kwh*(1-idle_power_share)";
}

Table machines_table(const Sheet& sheet) {
  // The widths are those of the inputs above, on the same sheet.
  Table table{"Assumptions",
              {{"title", "", "Machine", "", 52},
               {"usd", "", "Price of one", "$", 16, Style::kInputUsd},
               {"gpu", "", "GPU", "", 24},
               {"usd_low", "", "Price, low", "$", 11, Style::kUsd},
               {"usd_high", "", "Price, high", "$", 11, Style::kUsd},
               {"kw", "", "Power of one, before PUE", "kW", 15, Style::kInputNumber},
               {"gpus", "", "GPUs each", "", 11, Style::kCount},
               {"source", "", "Source", "", 50, Style::kWrapped},
               {"joins", "", "Can be joined by a network", "", 44},
               {"basis", "", "Basis", "", 25},
               {"date", "", "Date", "", 12},
               {"kw_low", "", "Power, low", "kW", 12, Style::kNumber},
               {"kw_high", "", "Power, high", "kW", 12, Style::kNumber}},
              {}};
  const std::vector<Input> inputs = inputs_of(sheet);
  for (Column& column : lives(inputs)) table.columns.push_back(std::move(column));
  name_ranges(
      table.columns, "machine_",
      {"title", "usd", "gpu", "kw", "gpus", "joins", "quoted", "life", "left", "annuity", "worth"});
  for (const SoldMachine& machine : sheet.machines) {
    const SheetEstimate& usd = machine_figure(sheet, machine.id);
    const SheetEstimate& kw = machine_figure(sheet, machine.id + "/kw");
    TableRow row;
    row.cells = {{"title", cell(machine.title)},
                 {"gpu", cell(gpu_label(sheet, machine.gpu))},
                 {"gpus", cell(machine.gpus)},
                 {"joins", cell(machine.multi_node ? "yes" : "no")},
                 {"usd", usd.typical},
                 {"usd_low", usd.low},
                 {"usd_high", usd.high},
                 {"kw", kw.typical},
                 {"kw_low", kw.low},
                 {"kw_high", kw.high},
                 {"basis", cell(usd.basis)},
                 {"source", cell(usd.source)},
                 {"date", cell(usd.date)},
                 {"used", cell(machine.used() ? "yes" : "no")},
                 {"quoted", cell(machine.quoted ? "yes" : "no")},
                 {"price_kind", cell(price_kind_word(machine.price_kind))}};
    add_life(inputs, machine.used(), row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table ownership_table(const Sheet& sheet, const std::vector<Input>& inputs) {
  Table table{
      "Ownership",
      joined({machines_and_totals(inputs), against_renting(), parts_of_a_month(inputs),
              folded(workings(sheet.options.pick_rules)), folded(advice_columns_of_gpus())}),
      {}};
  name_ranges(
      table.columns, "own_",
      {"machine", "capex", "month", "gpu_hour", "even_hours", "payback", "advice", "close"});
  const auto lines = line_numbers(price_lines(sheet));
  for (const Row* set_up : set_ups(sheet)) {
    table.rows.push_back(set_up_row(sheet, *set_up, lines));
    add_measured(table.columns, *set_up, table.rows.back());
  }
  return table;
}

}  // namespace sizesheet::xlsx
