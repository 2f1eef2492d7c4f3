// SPDX-License-Identifier: Apache-2.0
// The tables as CSV: charges and prices by their names in FOCUS, and the cells of sheet.csv.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "catalog/prices/price_import.h"
#include "render/phrases.h"
#include "render/sample_sheet.h"
#include "render/writers.h"
#include "render/xlsx/sheets.h"
#include "sheet/quarterly.h"

namespace sizesheet {
namespace {

using Record = std::map<std::string, std::string>;

std::vector<Record> records(const std::string& csv) {
  const CsvTable table = parse_csv(csv, "table.csv");
  std::vector<Record> all;
  for (const CsvRow& row : table.rows) {
    EXPECT_EQ(row.cells.size(), table.header.size()) << row.line;
    Record& record = all.emplace_back();
    for (std::size_t i = 0; i < table.header.size() && i < row.cells.size(); ++i) {
      record[table.header[i]] = row.cells[i];
    }
  }
  return all;
}

double number(const Record& record, const char* name) { return std::stod(record.at(name)); }

TEST(FocusCharges, UnitPriceTimesQuantityIsTheListCost) {
  std::size_t checked = 0;
  for (const Record& charge : records(focus_charges(quarterly_sheet()))) {
    if (charge.at("ListUnitPrice").empty()) continue;
    const double cost = number(charge, "ListUnitPrice") * number(charge, "PricingQuantity");
    EXPECT_NEAR(number(charge, "ListCost"), cost, 1e-6 + 1e-12 * cost) << charge.at("x_RowKey");
    EXPECT_EQ(charge.at("ListCost"), charge.at("EffectiveCost"));
    ++checked;
  }
  EXPECT_GT(checked, 500U);
}

TEST(FocusCharges, APurchaseIsBilledWholeAndItsRunsCarryTheCost) {
  std::set<std::string> bought;
  std::set<std::string> used;
  for (const Record& charge : records(focus_charges(sample_sheet()))) {
    if (charge.at("ChargeCategory") == "Purchase") {
      EXPECT_EQ(charge.at("EffectiveCost"), "0");
      EXPECT_GT(number(charge, "BilledCost"), 0);
      bought.insert(charge.at("x_RowKey"));
    } else if (charge.at("ServiceProviderName").empty()) {
      EXPECT_EQ(charge.at("BilledCost"), "");
      EXPECT_GT(number(charge, "EffectiveCost"), 0);
      used.insert(charge.at("x_RowKey"));
    }
  }
  EXPECT_FALSE(bought.empty());
  EXPECT_EQ(bought, used);
}

TEST(FocusCharges, EveryChargeNamesAPriceOfPricesCsv) {
  const Sheet& sheet = quarterly_sheet();
  std::set<std::string> known;
  for (const Record& price : records(focus_prices(sheet))) known.insert(price.at("SkuPriceId"));
  for (const Record& charge : records(focus_charges(sheet))) {
    if (charge.at("SkuPriceId").empty()) continue;
    EXPECT_TRUE(known.contains(charge.at("SkuPriceId"))) << charge.at("SkuPriceId");
  }
}

TEST(FocusPrices, AnOfferKeepsItsIdFromDayToDay) {
  Sheet sheet;
  SheetPrice price;
  price.provider = "p";
  price.gpu = "h100-sxm";
  price.tier = "spot";
  price.gpus = 8;
  price.usd_per_instance_hour = {12'500'000};
  price.key = "p/any/x/h100-sxm/spot/8/2026-10-10";
  price.as_of = "2026-10-10";
  sheet.prices = {price};
  const Record record = records(focus_prices(sheet)).at(0);
  EXPECT_EQ(record.at("SkuPriceId"), "p/any/x/h100-sxm/spot/8");
  EXPECT_EQ(record.at("PricingCategory"), "Dynamic");
  EXPECT_EQ(record.at("ListUnitPrice"), "12.5");
  EXPECT_EQ(record.at("PricingUnit"), "Hours");
}

std::set<std::string> focus_names() {
  std::set<std::string> names;
  for (const std::string& csv : {focus_prices(sample_sheet()), focus_charges(sample_sheet())}) {
    for (const std::string& name : parse_csv(csv, "table.csv").header) names.insert(name);
  }
  return names;
}

TEST(FocusNames, TheWorkbookCallsAColumnWhatTheTableDoes) {
  const std::set<std::string> known = focus_names();
  const Sheet& sheet = sample_sheet();
  std::set<std::string> shown;
  for (const xlsx::Column& column : xlsx::prices_table(sheet).columns) {
    const bool focus = !column.note.empty() && column.note[0] >= 'A' && column.note[0] <= 'Z';
    if (focus) shown.insert(column.note);
  }
  EXPECT_EQ(shown, (std::set<std::string>{"ServiceProviderName", "RegionId", "SkuId", "SkuPriceId",
                                          "PricingCategory", "ListUnitPrice"}));
  for (const xlsx::TableRow& row : xlsx::terms_table(sheet).rows) {
    if (row.cells.at("where") != xlsx::cell(std::string("FOCUS"))) continue;
    shown.insert(std::get<std::string>(row.cells.at("term")));
  }
  for (const std::string& name : shown) EXPECT_TRUE(known.contains(name)) << name;
}

TEST(PricingCategory, FollowsTheTier) {
  EXPECT_EQ(pricing_category("on_demand"), "Standard");
  EXPECT_EQ(pricing_category("spot"), "Dynamic");
  EXPECT_EQ(pricing_category("reserved_1y"), "Committed");
  EXPECT_EQ(pricing_category("capacity_block"), "Committed");
}

TEST(Csv, QuotesWhatNeedsQuotes) {
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_cell(""), "");
}

TEST(Csv, DefusesSpreadsheetFormulas) {
  EXPECT_EQ(csv_cell("=1+1"), "'=1+1");
  EXPECT_EQ(csv_cell("@cmd"), "'@cmd");
  for (const std::string wide : {"＝1+1", "＋1", "－1", "＠cmd"})
    EXPECT_EQ(csv_cell(wide), "'" + wide);
  EXPECT_EQ(csv_cell("-x,y"), "\"'-x,y\"");
}

TEST(Csv, ATierSaysHowManyGpusItsPriceIsOf) {
  Row row;
  row.layout.gpus = 1;
  row.rents[kSpot] = RentLine{};
  row.rents[kSpot]->gpus_paid = 8;
  const std::vector<std::string> header = csv_header();
  const std::vector<std::string> cells = csv_cells(row);
  const auto at = [&](const std::string& name) {
    const auto found = std::find(header.begin(), header.end(), name);
    return found == header.end() ? "no column"
                                 : cells[static_cast<std::size_t>(found - header.begin())];
  };
  EXPECT_EQ(at("spot_gpus_paid"), "8");
  EXPECT_EQ(at("list_gpus_paid"), "");
  EXPECT_EQ(at("capacity_block_gpus_paid"), "");
}

TEST(Csv, ARefusedRowHasNoFigures) {
  Row row;
  row.model = "m";
  row.method = "full";
  row.gpu = "g";
  row.scenario = "s";
  row.modelled = false;
  const std::vector<std::string> header = csv_header();
  const std::vector<std::string> cells = csv_cells(row);
  for (std::size_t i = 5; i < cells.size(); ++i) EXPECT_EQ(cells[i], "") << header[i];
  EXPECT_EQ(cells[4], "not modelled");
}

}  // namespace
}  // namespace sizesheet
