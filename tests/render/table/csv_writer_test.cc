// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "render/writers.h"

namespace sizesheet {
namespace {

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
