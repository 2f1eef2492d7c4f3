// SPDX-License-Identifier: Apache-2.0
#include "render/table/csv.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "render/phrases.h"
#include "render/writers.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/project.h"
#include "sheet/rows/price_row.h"
#include "sheet/sheet.h"
#include "support/files.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Column and cell of a line. A column's name carries the unit.
using CsvLine = std::vector<std::pair<const char*, std::string>>;

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return line + "\n";
}

std::string csv_usd(const std::optional<MicroUsd>& value) {
  return value ? shortest(to_usd(*value)) : "";
}

std::string csv_count(const std::optional<std::int64_t>& count) {
  return count ? std::to_string(*count) : "";
}

std::string csv_figure(const FigureValue& value) {
  const Json figure = json_of(value);
  if (figure.is_null()) return "";
  return figure.is_string() ? figure.get<std::string>() : json_text(figure);
}

/// The names of the measures that a table has, and the figures of a row in it.
std::vector<std::string> names_of(bool Measure::*has) {
  std::vector<std::string> names;
  for (const Measure& one : measures()) {
    if (one.*has) names.push_back(one.id);
  }
  return names;
}

std::vector<std::string> figures_of(const Row& row, bool Measure::*has) {
  std::vector<std::string> figures;
  for (const Measure& one : measures()) {
    if (one.*has) figures.push_back(csv_figure(one.of(row)));
  }
  return figures;
}

/// Header and one line a value.
template <typename T>
std::string csv_table(const std::vector<T>& lines, CsvLine (*line_of)(const T&)) {
  std::string text = csv_line(each_of(line_of(T{}), &CsvLine::value_type::first));
  for (const T& line : lines)
    text += csv_line(each_of(line_of(line), &CsvLine::value_type::second));
  return text;
}

CsvLine price_line(const SheetPrice& p) {
  return {{focus::kProvider, p.provider},
          {focus::kRegion, p.region},
          {focus::kSku, p.instance},
          {focus::kSkuPrice, offer_of(p.key)},
          {focus::kPricingCategory, pricing_category(p.tier)},
          {focus::kListUnitPrice, csv_usd(p.usd_per_instance_hour)},
          {focus::kPricingUnit, "Hours"},
          {"PricingCurrency", "USD"},
          {"x_Tier", p.tier},
          {"x_Offer", p.offer},
          {"x_GpuId", p.gpu},
          {"x_GpusPerInstance", std::to_string(p.gpus)},
          {"x_ListUsdPerGpuHour", csv_usd(p.usd_per_gpu_hour)},
          {"x_AsOf", p.as_of},
          {"x_Used", p.used ? "true" : "false"},
          {"x_Excluded", p.excluded},
          {"x_Source", p.source},
          {"x_Note", p.note},
          {"x_Tenancy", p.tenancy},
          {"x_Stock", p.stock.value_or("")},
          {"x_Interconnect", p.interconnect.value_or("")},
          {"x_MinimumGpus", csv_count(p.minimum_gpus)},
          {"x_MinimumTermDays", csv_count(p.minimum_term_days)},
          {"x_MinimumTermHours", csv_count(p.minimum_term_hours)},
          {"x_Counts", counts_text(p.counts, " ")},
          {"x_Sale", p.sale.value_or("")},
          {"x_SecondReading", p.second_reading ? "true" : ""},
          {"x_ValidFrom", p.valid_from.value_or("")},
          {"x_ValidUntil", p.valid_until.value_or("")},
          {"x_AgeDays", std::to_string(p.age_days)},
          {"x_ExpectedUsdPerInstanceHour", csv_usd(p.expected_usd_per_instance_hour)},
          {"x_ExpectedUsdPerGpuHour", csv_usd(p.expected_usd_per_gpu_hour)},
          {"x_AgeKind", p.age_kind},
          {"x_LnWidth", shortest(p.ln_width)}};
}

struct Charge {
  std::string row_key;
  std::string what;                    ///< "run", "month", "purchase"
  std::string category;                ///< ChargeCategory
  const SheetPrice* price = nullptr;   ///< of what is rented
  std::optional<MicroUsd> unit_price;  ///< of an instance on the sheet's day
  std::string machine;                 ///< that is owned
  std::optional<double> quantity;      ///< hours of all instances, or machines bought
  std::string unit;
  std::optional<MicroUsd> list_cost;
  std::optional<MicroUsd> billed_cost;
  std::optional<MicroUsd> effective_cost;
};

CsvLine charge_line(const Charge& c) {
  const SheetPrice* p = c.price;
  return {{"x_RowKey", c.row_key},
          {"x_ChargeFor", c.what},
          {"ChargeCategory", c.category},
          {focus::kProvider, p ? p->provider : ""},
          {focus::kRegion, p ? p->region : ""},
          {focus::kSku, p ? p->instance : c.machine},
          {focus::kSkuPrice, p ? offer_of(p->key) : ""},
          {focus::kPricingCategory, p ? pricing_category(p->tier) : "Other"},
          {focus::kPricingQuantity, c.quantity ? shortest(*c.quantity) : ""},
          {focus::kPricingUnit, c.unit},
          {focus::kListUnitPrice, csv_usd(c.unit_price)},
          {focus::kListCost, csv_usd(c.list_cost)},
          {"BilledCost", csv_usd(c.billed_cost)},
          {focus::kEffectiveCost, csv_usd(c.effective_cost)},
          {"BillingCurrency", "USD"}};
}

using PriceIndex = std::map<std::string, const SheetPrice*>;

/// A rent costs what the sheet says; its quantity is that of all instances.
void add_rented(const Sheet& sheet, const Row& row, const PriceIndex& prices,
                std::vector<Charge>& charges) {
  for (const SheetTier& tier : kRentTiers) {
    const auto& rent = row.rents[tier];
    const auto hours = billed_hours(sheet.options, row, tier);
    if (!rent || !hours || !amount_paid(tier, *rent)) continue;
    const auto price = prices.find(rent->price_key);
    const MicroUsd cost = *amount_paid(tier, *rent);
    charges.push_back({row.key(), tier.by_month() ? "month" : "run", "Usage",
                       price == prices.end() ? nullptr : price->second,
                       scaled(rent->usd_per_hour, 1, std::max<std::int64_t>(1, rent->instances)),
                       "", *hours * static_cast<double>(rent->instances), "Hours", cost, cost,
                       cost});
  }
}

void add_owned(const Row& row, std::vector<Charge>& charges) {
  if (!row.own) return;
  const OwnLine& own = *row.own;
  charges.push_back({row.key(),
                     "purchase",
                     "Purchase",
                     nullptr,
                     {},
                     own.node,
                     static_cast<double>(own.nodes),
                     "Machines",
                     own.capex_usd,
                     own.capex_usd,
                     MicroUsd{}});
  if (!own.own_usd_per_run) return;
  charges.push_back(
      {row.key(), "run", "Usage", nullptr, {}, own.node, {}, "", {}, {}, own.own_usd_per_run});
}

/// Columns that a sheet without a project does not have.
constexpr std::pair<const char*, MicroUsd ProjectCost::*> kProjectColumns[] = {
    {"project_usd_runs", &ProjectCost::runs_usd},
    {"project_usd_evaluation", &ProjectCost::evaluation_usd},
    {"project_usd_storage", &ProjectCost::storage_usd},
    {"project_usd_egress", &ProjectCost::egress_usd},
    {"project_usd_people", &ProjectCost::people_usd},
    {"project_usd_total", &ProjectCost::total_usd},
    {"project_usd_total_low", &ProjectCost::total_usd_low},
    {"project_usd_total_high", &ProjectCost::total_usd_high}};

void put_project_names(std::vector<std::string>& header) {
  for (const auto& [name, usd] : kProjectColumns) header.emplace_back(name);
}

void put_project_cells(const Row& row, std::vector<std::string>& cells) {
  for (const auto& [name, usd] : kProjectColumns) {
    cells.push_back(row.project ? csv_usd((*row.project).*usd) : "");
  }
}

}  // namespace

std::string csv_cell(const std::string& text) {
  // Spreadsheets take these, wide ones included, for the beginning of a formula.
  constexpr std::u32string_view kFormula = U"=+-@＝＋－＠";
  std::size_t at = 0;
  const bool runs = !text.empty() && kFormula.find(next_character(text, at).value_or(' ')) !=
                                         std::u32string_view::npos;
  const std::string safe = runs ? "'" + text : text;
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::vector<std::string> csv_header() { return names_of(&Measure::in_sheet); }

std::vector<std::string> csv_cells(const Row& row) { return figures_of(row, &Measure::in_sheet); }

void write_tables(const Sheet& sheet, FileSet& files) {
  std::string& table = files["sheet.csv"];
  std::vector<std::string> header = csv_header();
  header.emplace_back("price_check");
  if (sheet.project) put_project_names(header);
  table = csv_line(header);
  for (const Row& row : sheet.rows) {
    std::vector<std::string> cells = csv_cells(row);
    const Pick* pick = row.rent_pick ? sheet.pick(row.model, row.method) : nullptr;
    const bool its = pick != nullptr && pick->rent_key == row.key();
    cells.push_back(its ? far_below_words(*pick) : "");
    if (sheet.project) put_project_cells(row, cells);
    table += csv_line(cells);
  }
  files["prices.csv"] = focus_prices(sheet);
  files["charges.csv"] = focus_charges(sheet);
}

std::string focus_prices(const Sheet& sheet) { return csv_table(sheet.prices, price_line); }

std::string focus_charges(const Sheet& sheet) {
  PriceIndex prices;
  for (const SheetPrice& price : sheet.prices) prices.emplace(price.key, &price);
  std::vector<Charge> charges;
  for (const Row& row : sheet.rows) {
    add_rented(sheet, row, prices, charges);
    add_owned(row, charges);
  }
  return csv_table(charges, charge_line);
}

std::string grid_csv_header() { return csv_line(names_of(&Measure::in_sweep)); }

std::string grid_csv_line(const Row& row) { return csv_line(figures_of(row, &Measure::in_sweep)); }

std::string grid_json_line(const Row& row) {
  std::string line;
  for (const Measure& one : measures()) {
    if (!one.in_sweep) continue;
    const FigureValue figure = one.of(row);
    line += (line.empty() ? "{\"" : ",\"") + one.id + "\":";
    line += csv_figure(figure).empty() ? "null" : json_text(json_of(figure));
  }
  return line + "}\n";
}

}  // namespace sizesheet
