// SPDX-License-Identifier: Apache-2.0
#include "catalog/import/focus_prices.h"

#include <set>

#include "catalog/import/csv.h"
#include "catalog/import/price_import.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What a column is in a row of a price file.
struct FocusColumn {
  const char* name;
  const char* key;
  bool needed;
  bool number;
};

constexpr const char* kSeller = "ServiceProviderName";
constexpr const char* kTenancy = "x_Tenancy";
constexpr const char* kExcluded = "x_Excluded";
constexpr std::string_view kSettled = "a settled conflict: ";

constexpr FocusColumn kFocusColumns[] = {
    {"x_GpuId", "gpu", true, false},
    {"RegionId", "region", true, false},
    {"SkuId", "instance", true, false},
    {"x_GpusPerInstance", "gpus", true, true},
    {"x_Tier", "tier", true, false},
    {"x_Offer", "offer", true, false},
    {"ListUnitPrice", "usd_per_instance_hour", true, true},
    {"x_AsOf", "as_of", true, false},
    {"x_Source", "source", true, false},
    {"x_Note", "note", false, false},
    {kTenancy, "tenancy", false, false},
    {"x_Stock", "stock", false, false},
    {"x_Interconnect", "interconnect", false, false},
    {"x_MinimumGpus", "minimum_gpus", false, true},
    {"x_MinimumTermDays", "minimum_term_days", false, true},
    {"x_MinimumTermHours", "minimum_term_hours", false, true},
    {"x_Counts", "counts", false, false},
    {"x_Sale", "sale", false, false},
    {"x_SecondReading", "second_reading", false, false},
    {"x_ValidFrom", "valid_from", false, false},
    {"x_ValidUntil", "valid_until", false, false},
};

/// Columns that say in what the price is, and the one value that they may have.
constexpr std::pair<const char*, const char*> kFocusUnits[] = {{"PricingUnit", "Hours"},
                                                               {"PricingCurrency", "USD"}};

void check_focus_columns(const CsvTable& table, const std::string& file) {
  if (table.column("x_ChargeFor")) {
    throw InputError(file + ": expected the prices.csv of an edition, got its charges.csv, which " +
                     "has what runs cost");
  }
  std::vector<std::string> needed{kSeller};
  for (const FocusColumn& column : kFocusColumns) {
    if (column.needed) needed.emplace_back(column.name);
  }
  for (const auto& [name, value] : kFocusUnits) needed.emplace_back(name);
  for (const std::string& name : needed) {
    if (table.column(name)) continue;
    throw InputError(file + ": expected a column " + in_quotes(name) + " as in the prices.csv of " +
                     "an edition, got " + column_names(table) + did_you_mean(name, table.header));
  }
}

class FocusReader {
 public:
  FocusReader(const CsvTable& table, const Provider* known) : table_(table), known_(known) {}

  /// The row as a price file has it, or why it is none.
  Json row_of(const CsvRow& row, std::string& why_not) const {
    for (const auto& [name, value] : kFocusUnits) {
      if (cell(row, name) == value) continue;
      why_not = std::string(name) + ": expected " + value + ", got " + in_quotes(cell(row, name));
    }
    Json json = Json::object();
    for (const FocusColumn& column : kFocusColumns) put(column, cell(row, column.name), json);
    if (const std::string excluded = cell(row, kExcluded); starts_with(excluded, kSettled)) {
      json["settled"] = excluded.substr(kSettled.size());
    }
    return json;
  }

  std::string cell(const CsvRow& row, const std::string& name) const {
    const auto place = table_.column(name);
    if (!place) return "";
    const std::string& text = row.cells[*place];
    // A quote before what a spreadsheet would run is the export's.
    const bool guarded = text.size() > 1 && text[0] == '\'' &&
                         std::string_view("=+-@\t\r").find(text[1]) != std::string_view::npos;
    return guarded ? text.substr(1) : text;
  }

 private:
  void put(const FocusColumn& column, const std::string& text, Json& json) const {
    const std::string key = column.key;
    if (text.empty() && key != "instance") return;
    const bool of_seller =
        key == "tenancy" && (text == kUnstated || (known_ != nullptr && text == known_->tenancy));
    if (of_seller) return;
    if (key == "counts" || key == "second_reading") {
      json[key] = key == "counts" ? counts_of(text) : truth_of(text);
      return;
    }
    const Json number = column.number ? Json::parse(text, nullptr, false) : Json();
    json[key] = number.is_number() ? number : Json(text);
  }

  const CsvTable& table_;
  const Provider* known_;
};

}  // namespace

std::vector<std::string> focus_sellers(const CsvTable& table, const std::string& file) {
  check_focus_columns(table, file);
  std::set<std::string> sellers;
  for (const CsvRow& row : table.rows) {
    const std::size_t place = *table.column(kSeller);
    if (place < row.cells.size()) sellers.insert(row.cells[place]);
  }
  return {sellers.begin(), sellers.end()};
}

PriceImport read_focus_prices(const CsvTable& table, const std::string& file,
                              const std::string& provider, const Provider* known) {
  check_focus_columns(table, file);
  const FocusReader reader(table, known);
  PriceImport result;
  result.provider = provider;
  for (const CsvRow& row : table.rows) {
    if (!is_whole_row(table, row, result)) continue;
    if (reader.cell(row, kSeller) != provider) {
      ++result.other_sellers;
      continue;
    }
    std::string why_not;
    Json json = reader.row_of(row, why_not);
    if (why_not.empty()) {
      result.rows.push_back({row.line, "", std::move(json)});
    } else {
      result.notes.push_back({row.line, ImportNote::Kind::kRefuse, why_not});
    }
  }
  return result;
}

}  // namespace sizesheet
