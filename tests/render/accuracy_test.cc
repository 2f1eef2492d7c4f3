// SPDX-License-Identifier: Apache-2.0
// The page and the chart of accuracy: what they say of a made-up comparison.
#include <gtest/gtest.h>

#include "render/charts.h"
#include "render/html/pages.h"
#include "render/html/site.h"
#include "render/phrases.h"
#include "render/sample_sheet.h"
#include "render/svg/svg.h"
#include "sheet/sheet_json.h"

namespace sizesheet {
namespace {

Json page() { return accuracy_values(*tiny_sheet().accuracy); }

const Json& row(const Json& values, const std::string& id) {
  for (const Json& one : values.at("accuracy").at("rows")) {
    if (one.at("id") == id) return one;
  }
  throw std::out_of_range(id);
}

/// Whether the page prints these words, and no more, under a figure of a row.
bool says(const std::string& id, const std::string& words) {
  const std::string& page = sample_site().at("accuracy.html");
  const std::size_t at = page.find("<tr id=\"row-" + id + "\"");
  const std::string line = page.substr(at, page.find("</tr>", at) - at);
  return count(line, "<br><span class=\"quiet\">" + words + "</span>") == 1;
}

TEST(AccuracyChart, draws_each_source_from_its_lowest_to_its_highest_error) {
  const Chart chart = error_ranges_chart(*tiny_sheet().accuracy);
  const Ranges& body = std::get<Ranges>(chart.body);
  ASSERT_EQ(body.ranges.size(), 2U);
  EXPECT_EQ(body.ranges[0].label, "Bench A");
  EXPECT_EQ(body.ranges[0].sublabel, "2 figures, median 7.5\u00a0%");
  EXPECT_NEAR(body.ranges[0].low, -5, 1e-9);
  EXPECT_NEAR(body.ranges[0].mark, 2.5, 1e-9);
  EXPECT_NEAR(body.ranges[0].high, 10, 1e-9);
  EXPECT_EQ(body.ranges[1].sublabel, "held out, 1 figure, median 2.5\u00a0%");
  EXPECT_EQ(body.axis.ticks, (std::vector<double>{-10, 0, 10}));
  EXPECT_EQ(chart.description,
            "Bench A: \u22125.0 to 10.0 %, 2 figures, median 7.5\u00a0%; "
            "Bench B: 2.5 to 2.5 %, held out, 1 figure, median 2.5\u00a0%.");
}

TEST(AccuracyChart, a_single_figure_still_shows) {
  const std::string drawn = svg(error_ranges_chart(*tiny_sheet().accuracy));
  EXPECT_NE(drawn.find("class=\"range-mark\""), std::string::npos);
  EXPECT_NE(drawn.find("width=\"0.6%\""), std::string::npos);
}

TEST(AccuracyPage, a_row_says_what_was_found) {
  const Json values = page();
  EXPECT_EQ(formatted("error", row(values, "a-1").at("error")), "+10.0\u00a0%");
  EXPECT_EQ(formatted("error", row(values, "a-2").at("error")), "\u22125.0\u00a0%");
  EXPECT_TRUE(says("a-3", "at least"));
  EXPECT_TRUE(says("a-4", "near-capacity"));
  EXPECT_EQ(row(values, "a-5").at("class"), "no");
  EXPECT_EQ(formatted("gib", row(values, "a-5").at("measured_bytes")), "–");
  EXPECT_TRUE(says("b-2", "out of memory"));
  EXPECT_TRUE(says("b-3", "refused: layout.pp: not modelled"));
}

TEST(AccuracyPage, without_figures_says_so) {
  const Json values = accuracy_values(Accuracy{});
  EXPECT_EQ(values.at("tables"), Json::array());
}

TEST(AccuracyJson, stands_in_the_sheets_and_is_an_empty_list_without) {
  Sheet sheet = tiny_sheet();
  Json json = to_json(sheet);
  EXPECT_EQ(json.at("accuracy").at("rows").at(4).at("measured_bytes"), Json());
  EXPECT_EQ(json.at("accuracy"), to_json(*sheet.accuracy));
  sheet.accuracy.reset();
  json = to_json(sheet);
  EXPECT_EQ(json.at("accuracy"), Json::array());
  EXPECT_FALSE(sheet_from_json(json, "sheet.json").accuracy);
}

}  // namespace
}  // namespace sizesheet
