// SPDX-License-Identifier: Apache-2.0
// The tables as CSV: charges and prices by their names in FOCUS, and the cells of sheet.csv; every
// tier that a row is priced in stands in every table of its money.
#include "catalog/import/csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "catalog/catalog.h"
#include "catalog/import/focus_prices.h"
#include "catalog/import/price_import.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "render/html/model_page.h"
#include "render/html/proof.h"
#include "render/phrases.h"
#include "render/sample_sheet.h"
#include "render/table/csv.h"
#include "render/xlsx/prices_table.h"
#include "render/xlsx/table.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/rows/price_row.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"

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

/// A price of the catalog as a sheet shows it.
SheetPrice shown_price(const Price& price) {
  SheetPrice shown{price};
  shown.key = price.key();
  shown.usd_per_gpu_hour = scaled(price.usd_per_instance_hour, 1, price.gpus);
  if (!price.settled.empty()) shown.excluded = "a settled conflict: " + price.settled;
  return shown;
}

/// The row of a price file but for what only an edit of the catalog says.
Json plain_row(const Price& price) {
  Json row = price_row(price);
  row.erase("confirmed");
  return row;
}

TEST(FocusPrices, EveryRowOfTheCatalogComesBackFromTheTable) {
  const Catalog& catalog = project_catalog();
  Sheet sheet;
  std::map<std::string, std::vector<Json>> rows;
  for (const Price& price : catalog.prices) {
    if (price.asked) continue;  // comes back in dollars
    sheet.prices.push_back(shown_price(price));
    rows[price.provider].push_back(plain_row(price));
  }
  const CsvTable table = parse_csv(focus_prices(sheet), "prices.csv");
  EXPECT_EQ(focus_sellers(table, "prices.csv"), keys_of(rows));
  for (auto& [provider, of_seller] : rows) {
    SCOPED_TRACE(provider);
    const PriceImport import =
        take_prices(read_focus_prices(table, "prices.csv", provider,
                                      entry_with(catalog.providers, &Provider::id, provider)),
                    catalog);
    for (const ImportNote& note : import.notes) {
      EXPECT_EQ(note.kind, ImportNote::Kind::kWarn) << note.text;
    }
    std::vector<Json> back;
    for (const Price& price : import.prices) back.push_back(price_row(price));
    std::ranges::sort(of_seller, {}, [](const Json& row) { return row.dump(); });
    std::ranges::sort(back, {}, [](const Json& row) { return row.dump(); });
    EXPECT_EQ(Json(back), Json(of_seller));
  }
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

/// The cells of a row in sheet.csv, by column.
Record csv_record(const Row& row) {
  Record record;
  const std::vector<std::string> cells = csv_cells(row);
  for (std::size_t i = 0; i < cells.size(); ++i) record[csv_header().at(i)] = cells[i];
  return record;
}

TEST(Csv, ATierSaysHowManyGpusItsPriceIsOf) {
  Row row;
  row.layout.gpus = 1;
  row.rents[kSpot] = RentLine{};
  row.rents[kSpot]->gpus_paid = 8;
  const Record record = csv_record(row);
  EXPECT_EQ(record.at("spot_gpus_paid"), "8");
  EXPECT_EQ(record.at("list_gpus_paid"), "");
  EXPECT_EQ(record.at("capacity_block_gpus_paid"), "");
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

/// Row key and offer of every line of charges.csv, with its quantity.
std::map<std::pair<std::string, std::string>, double> charged(const Sheet& sheet) {
  std::map<std::pair<std::string, std::string>, double> lines;
  for (const Record& charge : records(focus_charges(sheet))) {
    const std::string& offer = charge.at("SkuPriceId");
    if (offer.empty()) continue;
    lines[{charge.at("x_RowKey"), offer}] = number(charge, "PricingQuantity");
  }
  return lines;
}

TEST(RentTiers, EveryTierOfARowHasAChargeLine) {
  const Sheet& sheet = quarterly_sheet();
  const auto lines = charged(sheet);
  std::set<std::string> found;
  for (const Row& row : sheet.rows) {
    for (const SheetTier& tier : kRentTiers) {
      const auto& rent = row.rents[tier];
      const auto hours = billed_hours(sheet.options, row, tier);
      if (!rent || !hours) continue;
      const auto line = lines.find({row.key(), offer_of(rent->price_key)});
      ASSERT_NE(line, lines.end()) << row.key() << " " << tier.key;
      EXPECT_DOUBLE_EQ(line->second, *hours * static_cast<double>(rent->instances)) << row.key();
      found.insert(tier.key);
    }
  }
  for (const char* tier : {"on_demand", "spot", "reserved_1y", "capacity_block"}) {
    EXPECT_TRUE(found.contains(tier)) << tier;
  }
}

TEST(RentTiers, EveryTierOfARowHasALinkToItsPrice) {
  const Sheet& sheet = quarterly_sheet();
  for (const Row& row : sheet.rows) {
    std::set<std::pair<std::string, std::string>> expected;
    for (const SheetTier& tier : kRentTiers) {
      if (const auto& rent = row.rents[tier]) {
        expected.emplace(tier.words, rent->price_key);
      }
    }
    std::set<std::pair<std::string, std::string>> linked;
    const Json proof = proof_values(sheet, row);
    for (const Json& link : proof.at("proof_prices")) {
      linked.emplace(link.at("words"), link.at("price_key"));
    }
    EXPECT_EQ(linked, expected) << row.key();
  }
}

/// Cells of the line of the money table that begins with the tier's title; empty without one.
std::vector<std::string> cells_of(const Json& lines, const std::string& title) {
  for (const Json& line : lines) {
    const std::string label = line.at("label");
    if (!label.starts_with(title)) continue;
    if (!label.ends_with(", $/run") && !label.ends_with(", $/month")) continue;
    return line.at("texts");
  }
  return {};
}

TEST(RentTiers, EveryTierOfAShownRowStandsInTheMoneyTable) {
  const Sheet& sheet = quarterly_sheet();
  for (const SheetModel& model : sheet.models) {
    const Json values = model_values(sheet, model);
    for (const SheetTier& tier : kRentTiers) {
      const auto cells = cells_of(values.at("tier_lines"), tier.title);
      std::size_t place = 0;
      for (const SheetMethod& method : sheet.methods) {
        const Row* row = shown_row(sheet, model.id, method.id);
        if (row == nullptr) continue;
        ASSERT_LT(place, cells.size()) << model.id << " " << tier.key;
        const auto& rent = row->rents[tier];
        const auto& amount = rent ? amount_paid(tier, *rent) : std::nullopt;
        EXPECT_EQ(cells[place] != "–", amount.has_value()) << row->key() << " " << tier.key;
        if (amount) {
          const std::string figure = tier.by_month() ? whole_usd(*amount) : run_usd(*amount);
          EXPECT_TRUE(cells[place].starts_with(figure)) << cells[place];
        }
        ++place;
      }
    }
  }
}

TEST(RentTiers, EveryTierHasItsColumnsInSheetCsv) {
  std::set<std::string> names;
  for (const std::string& name : csv_header()) names.insert(name);
  for (const SheetTier& tier : kRentTiers) {
    EXPECT_TRUE(names.contains(std::string(tier.name) + "_usd_per_hour")) << tier.key;
    EXPECT_TRUE(names.contains(std::string(tier.name) +
                               (tier.by_month() ? "_usd_per_month" : "_usd_per_run")));
  }
}

}  // namespace

}  // namespace sizesheet
