// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "render/charts.h"
#include "render/phrases.h"
#include "render/sample_sheet.h"

namespace sizesheet {
namespace {

const Ranges& ranges(const Chart& chart) { return std::get<Ranges>(chart.body); }

Sensitivity bar(const std::string& title, std::int64_t low, std::int64_t high) {
  Sensitivity bar;
  bar.title = title;
  bar.unit = "USD per kWh";
  bar.low = 0.065;
  bar.high = 0.12;
  bar.own_usd_per_gpu_hour_low = {low};
  bar.own_usd_per_gpu_hour_high = {high};
  return bar;
}

Tornado tornado_of(const Sheet& sheet, std::vector<Sensitivity> bars) {
  return {sheet.rows.front().key(), {2'500'000}, std::nullopt, std::move(bars)};
}

TEST(InputValue, ReadsAsPeopleWriteIt) {
  EXPECT_EQ(input_value(0.083, "USD per kWh"), "$0.083 per kWh");
  EXPECT_EQ(input_value(325000, "USD"), "$325,000");
  EXPECT_EQ(input_value(0.09, "share per year"), "9\u00a0%");
  EXPECT_EQ(input_value(1.4, "ratio"), "1.4");
  EXPECT_EQ(input_value(5, "years"), "5\u00a0years");
}

TEST(TornadoChart, RunsFromTheLowerToTheHigherPriceWhicheverEndOfTheInputIsWhich) {
  const Sheet sheet = tiny_sheet();
  const Chart chart = tornado_chart(sheet, tornado_of(sheet, {bar("life", 2'900'000, 2'200'000),
                                                              bar("power", 2'400'000, 2'600'000)}));
  ASSERT_EQ(ranges(chart).ranges.size(), 2U);
  const Range& first = ranges(chart).ranges.front();
  EXPECT_DOUBLE_EQ(first.low, 2.2);
  EXPECT_DOUBLE_EQ(first.mark, 2.5);
  EXPECT_DOUBLE_EQ(first.high, 2.9);
  EXPECT_EQ(first.sublabel, "$0.065 to $0.12 per kWh: $2.90 to $2.20");
}

TEST(TornadoChart, LeavesOutWhatMovesNothingByACent) {
  const Sheet sheet = tiny_sheet();
  const Chart chart = tornado_chart(sheet, tornado_of(sheet, {bar("life", 2'200'000, 2'900'000),
                                                              bar("rent", 2'500'000, 2'509'999)}));
  EXPECT_EQ(ranges(chart).ranges.size(), 1U);
}

TEST(TornadoChart, TheAxisHoldsEveryRangeBetweenTwoTicks) {
  const Sheet sheet = tiny_sheet();
  const Chart chart = tornado_chart(sheet, tornado_of(sheet, {bar("life", 2'230'000, 2'870'000)}));
  const Axis& axis = ranges(chart).axis;
  EXPECT_LE(axis.low, 2.23);
  EXPECT_GE(axis.high, 2.87);
  EXPECT_DOUBLE_EQ(axis.ticks.front(), axis.low);
  EXPECT_NEAR(axis.ticks.back(), axis.high, 1e-12);
}

TEST(TornadoChart, SaysWhichInputMovesItMost) {
  const Sheet sheet = tiny_sheet();
  const Tornado tornado = tornado_of(sheet, {bar("Useful life", 2'200'000, 2'900'000)});
  EXPECT_EQ(tornado_conclusion(sheet, tornado),
            "A used GPU-hour of " + set_up(sheet, sheet.rows.front()) +
                " costs $2.50. Widest with “Useful life”: $2.20 to $2.90.");
  EXPECT_EQ(tornado_chart(sheet, tornado_of(sheet, {})).description,
            "No input moves it by a cent.");
}

}  // namespace
}  // namespace sizesheet
