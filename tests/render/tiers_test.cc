// SPDX-License-Identifier: Apache-2.0
// Every tier that a row of the quarterly sheet is priced in stands in every table of its money.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "catalog/prices/price_import.h"
#include "render/html/pages.h"
#include "render/phrases.h"
#include "render/writers.h"
#include "sheet/build/rows.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"

namespace sizesheet {
namespace {

/// Row key and offer of every line of charges.csv, with its quantity.
std::map<std::pair<std::string, std::string>, double> charged(const Sheet& sheet) {
  const CsvTable table = parse_csv(focus_charges(sheet), "charges.csv");
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(table.header.begin(), table.header.end(), name) -
                                    table.header.begin());
  };
  std::map<std::pair<std::string, std::string>, double> lines;
  for (const CsvRow& row : table.rows) {
    const std::string& offer = row.cells.at(column("SkuPriceId"));
    if (offer.empty()) continue;
    lines[{row.cells.at(column("x_RowKey")), offer}] =
        std::stod(row.cells.at(column("PricingQuantity")));
  }
  return lines;
}

TEST(RentTiers, EveryTierOfARowHasAChargeLine) {
  const Sheet& sheet = quarterly_sheet();
  const auto lines = charged(sheet);
  std::set<std::string> found;
  for (const Row& row : sheet.rows) {
    for (const RentTier& tier : kRentTiers) {
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
    for (const RentTier& tier : kRentTiers) {
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
    if (!label.starts_with(title + ", $/run") && !label.starts_with(title + ", $/month")) continue;
    return line.at("texts");
  }
  return {};
}

TEST(RentTiers, EveryTierOfAShownRowStandsInTheMoneyTable) {
  const Sheet& sheet = quarterly_sheet();
  for (const SheetModel& model : sheet.models) {
    const Json values = model_values(sheet, model);
    for (const RentTier& tier : kRentTiers) {
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
  for (const RentTier& tier : kRentTiers) {
    EXPECT_TRUE(names.contains(std::string(tier.name) + "_usd_per_hour")) << tier.key;
    EXPECT_TRUE(names.contains(std::string(tier.name) +
                               (tier.by_month() ? "_usd_per_month" : "_usd_per_run")));
  }
}

}  // namespace
}  // namespace sizesheet
