// SPDX-License-Identifier: Apache-2.0
// The guides' part of a sheet: counts, the figures kept, and the way through sheet.json and back.
#include <gtest/gtest.h>

#include <set>

#include "sheet/sheet_json.h"
#include "sheet/tables/tables.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

const Sheet& guides_sheet() {
  static const Sheet sheet = [] {
    Sheet made;
    made.inputs = Json::object();
    add_guides(project_catalog(), made);
    return made;
  }();
  return sheet;
}

TEST(SheetGuides, count_every_figure_and_keep_those_that_do_not_agree) {
  std::int64_t agree = 0;
  std::int64_t contradict = 0;
  std::int64_t underived = 0;
  for (const SheetGuide& guide : guides_sheet().guides) {
    agree += guide.exact + guide.within_rounding;
    contradict += guide.inconsistent;
    underived += guide.not_derivable;
    EXPECT_EQ(static_cast<std::int64_t>(guide.figures.size()),
              guide.inconsistent + guide.not_derivable)
        << guide.id;
    EXPECT_FALSE(guide.rules.empty()) << guide.id;
  }
  EXPECT_EQ(agree, 531);
  EXPECT_EQ(contradict, 75);
  EXPECT_EQ(underived, 45);
  EXPECT_EQ(guides_sheet().guide_differences.size(), 12U);
}

TEST(SheetGuides, say_every_rule_once) {
  for (const SheetGuide& guide : guides_sheet().guides) {
    std::set<std::string> told;
    for (const SheetGuideRule& rule : guide.rules) {
      EXPECT_TRUE(told.insert(rule.words).second) << guide.id << ": " << rule.words;
    }
  }
}

TEST(SheetGuides, go_through_json_and_back) {
  const Json json = to_json(guides_sheet());
  EXPECT_EQ(to_json(sheet_from_json(json, "sheet.json")), json);
  const Json& figure = json.at("guides").at(0).at("figures").at(0);
  EXPECT_EQ(figure.at("id"), "full.100b.peak");
  EXPECT_EQ(figure.at("printed"), Json({{"numbers", {1600}}, {"answer", nullptr}}));
  EXPECT_EQ(figure.at("computed").at("numbers"), Json({1800}));
}

}  // namespace
}  // namespace sizesheet
