// SPDX-License-Identifier: Apache-2.0
// The tables of the sheet as CSV, and the lines of a sweep.

#include <map>
#include <string_view>

#include "render/phrases.h"
#include "render/writers.h"
#include "sheet/build/rows.h"
#include "sheet/sheet_json.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A column of a table whose lines are values of T. `name` carries the unit.
template <typename T>
struct CsvColumn {
  const char* name;
  std::string (*cell)(const T&);
};

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return line + "\n";
}

std::string csv_number(const std::optional<double>& value) { return value ? shortest(*value) : ""; }

std::string csv_usd(const std::optional<MicroUsd>& value) {
  return value ? shortest(to_usd(*value)) : "";
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
std::string csv_table(const std::vector<CsvColumn<T>>& columns, const std::vector<T>& lines) {
  std::vector<std::string> cells;
  for (const CsvColumn<T>& column : columns) cells.emplace_back(column.name);
  std::string text = csv_line(cells);
  for (const T& line : lines) {
    cells.clear();
    for (const CsvColumn<T>& column : columns) cells.push_back(column.cell(line));
    text += csv_line(cells);
  }
  return text;
}

/// The stable name of an offer: its key without the date.
std::string offer_id(const SheetPrice& price) { return offer_of(price.key); }

std::vector<CsvColumn<SheetPrice>> price_columns() {
  return {
      {focus::kProvider, [](const SheetPrice& p) { return p.provider; }},
      {focus::kRegion, [](const SheetPrice& p) { return p.region; }},
      {focus::kSku, [](const SheetPrice& p) { return p.instance; }},
      {focus::kSkuPrice, offer_id},
      {focus::kPricingCategory, [](const SheetPrice& p) { return pricing_category(p.tier); }},
      {focus::kListUnitPrice, [](const SheetPrice& p) { return csv_usd(p.usd_per_instance_hour); }},
      {focus::kPricingUnit, [](const SheetPrice&) { return std::string("Hours"); }},
      {"PricingCurrency", [](const SheetPrice&) { return std::string("USD"); }},
      {"x_Tier", [](const SheetPrice& p) { return p.tier; }},
      {"x_Offer", [](const SheetPrice& p) { return p.offer; }},
      {"x_GpuId", [](const SheetPrice& p) { return p.gpu; }},
      {"x_GpusPerInstance", [](const SheetPrice& p) { return std::to_string(p.gpus); }},
      {"x_ListUsdPerGpuHour", [](const SheetPrice& p) { return csv_usd(p.usd_per_gpu_hour); }},
      {"x_AsOf", [](const SheetPrice& p) { return p.as_of; }},
      {"x_Used", [](const SheetPrice& p) { return std::string(p.used ? "true" : "false"); }},
      {"x_Excluded", [](const SheetPrice& p) { return p.excluded; }},
      {"x_Source", [](const SheetPrice& p) { return p.source; }},
      {"x_Note", [](const SheetPrice& p) { return p.note; }},
  };
}

struct Charge {
  std::string row_key;
  std::string what;      ///< "run", "month", "purchase"
  std::string category;  ///< ChargeCategory
  const SheetPrice* price = nullptr;
  std::string sku;
  std::optional<double> quantity;  ///< hours of all instances, or machines bought
  std::string unit;
  std::optional<MicroUsd> unit_price;
  std::optional<MicroUsd> list_cost;
  std::optional<MicroUsd> billed_cost;
  std::optional<MicroUsd> effective_cost;
};

std::vector<CsvColumn<Charge>> charge_columns() {
  return {
      {"x_RowKey", [](const Charge& c) { return c.row_key; }},
      {"x_ChargeFor", [](const Charge& c) { return c.what; }},
      {"ChargeCategory", [](const Charge& c) { return c.category; }},
      {focus::kProvider, [](const Charge& c) { return c.price ? c.price->provider : ""; }},
      {focus::kRegion, [](const Charge& c) { return c.price ? c.price->region : ""; }},
      {focus::kSku, [](const Charge& c) { return c.sku; }},
      {focus::kSkuPrice, [](const Charge& c) { return c.price ? offer_id(*c.price) : ""; }},
      {focus::kPricingCategory,
       [](const Charge& c) { return c.price ? pricing_category(c.price->tier) : "Other"; }},
      {focus::kPricingQuantity, [](const Charge& c) { return csv_number(c.quantity); }},
      {focus::kPricingUnit, [](const Charge& c) { return c.unit; }},
      {focus::kListUnitPrice, [](const Charge& c) { return csv_usd(c.unit_price); }},
      {focus::kListCost, [](const Charge& c) { return csv_usd(c.list_cost); }},
      {"BilledCost", [](const Charge& c) { return csv_usd(c.billed_cost); }},
      {focus::kEffectiveCost, [](const Charge& c) { return csv_usd(c.effective_cost); }},
      {"BillingCurrency", [](const Charge&) { return std::string("USD"); }},
  };
}

using PriceIndex = std::map<std::string, const SheetPrice*>;

/// `hours` is of one instance; the cost is the sheet's own.
Charge rented(const Row& row, const RentLine& rent, const PriceIndex& prices,
              const std::string& what, double hours, MicroUsd cost) {
  Charge charge;
  charge.row_key = row.key();
  charge.what = what;
  charge.category = "Usage";
  const auto found = prices.find(rent.price_key);
  if (found != prices.end()) {
    charge.price = found->second;
    charge.sku = charge.price->instance;
    charge.unit_price = charge.price->usd_per_instance_hour;
  }
  charge.quantity = hours * static_cast<double>(rent.instances);
  charge.unit = "Hours";
  charge.list_cost = charge.billed_cost = charge.effective_cost = cost;
  return charge;
}

void add_rented(const Sheet& sheet, const Row& row, const PriceIndex& prices,
                std::vector<Charge>& charges) {
  for (const RentTier& tier : kRentTiers) {
    const auto& rent = row.rents[tier];
    const auto hours = billed_hours(sheet.options, row, tier);
    if (!rent || !hours || !amount_paid(tier, *rent)) continue;
    charges.push_back(rented(row, *rent, prices, tier.by_month() ? "month" : "run", *hours,
                             *amount_paid(tier, *rent)));
  }
}

void add_owned(const Row& row, std::vector<Charge>& charges) {
  if (!row.own) return;
  Charge bought;
  bought.row_key = row.key();
  bought.what = "purchase";
  bought.category = "Purchase";
  bought.sku = row.own->node;
  bought.quantity = static_cast<double>(row.own->nodes);
  bought.unit = "Machines";
  bought.billed_cost = bought.list_cost = row.own->capex_usd;
  bought.effective_cost = MicroUsd{};
  charges.push_back(bought);
  if (!row.own->own_usd_per_run) return;
  Charge run;
  run.row_key = row.key();
  run.what = "run";
  run.category = "Usage";
  run.sku = row.own->node;
  run.effective_cost = row.own->own_usd_per_run;
  charges.push_back(run);
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

void CsvWriter::write(const Sheet& sheet, FileSet& files) const {
  std::string& table = files["sheet.csv"];
  table = csv_line(csv_header());
  for (const Row& row : sheet.rows) table += csv_line(csv_cells(row));
  files["prices.csv"] = focus_prices(sheet);
  files["charges.csv"] = focus_charges(sheet);
}

void JsonWriter::write(const Sheet& sheet, FileSet& files) const {
  files["sheet.json"] = to_json_text(sheet);
}

std::string focus_prices(const Sheet& sheet) { return csv_table(price_columns(), sheet.prices); }

std::string focus_charges(const Sheet& sheet) {
  PriceIndex prices;
  for (const SheetPrice& price : sheet.prices) prices.emplace(price.key, &price);
  std::vector<Charge> charges;
  for (const Row& row : sheet.rows) {
    add_rented(sheet, row, prices, charges);
    add_owned(row, charges);
  }
  return csv_table(charge_columns(), charges);
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
