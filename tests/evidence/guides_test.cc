// SPDX-License-Identifier: Apache-2.0
// Every figure of five published guides, under the guide's own accounting: what agrees, what only
// rounds to it, what contradicts the guide's rules, what has no rule.

#include "evidence/guides.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "catalog/catalog.h"
#include "catalog/published/convention.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

/// The oracle's values have seven digits.
constexpr double kSevenDigits = 1e-6;

Json value_of(const GuideValue& value) {
  if (value.answer) return *value.answer;
  if (value.numbers.size() == 1) return value.numbers.front();
  return value.numbers;
}

bool near(const Json& expected, const Json& got) {
  if (expected.is_boolean() || got.is_boolean()) return expected == got;
  if (expected.is_array() != got.is_array()) return false;
  if (expected.is_array()) {
    if (expected.size() != got.size()) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!near(expected[i], got[i])) return false;
    }
    return true;
  }
  const double want = expected.get<double>();
  return std::fabs(got.get<double>() - want) <= kSevenDigits * std::fabs(want);
}

TEST(Guides, every_figure_comes_out_as_its_guide_s_rules_say) {
  const Json expected = oracle("guides.json");
  std::map<std::string, int> counts;
  for (const auto& [id, convention] : project_catalog().conventions) {
    ASSERT_EQ(convention.figures.size(), expected.at(id).size()) << id;
    for (const JudgedFigure& judged : judge_all(convention)) {
      const std::string name = id + "/" + judged.figure->id;
      const Json& row = expected.at(id).at(judged.figure->id);
      EXPECT_EQ(row.at(0), judged.status) << name;
      EXPECT_EQ(row.at(0), judged.figure->status) << name;
      ++counts[judged.status];
      if (row.size() < 2) continue;
      EXPECT_TRUE(near(row.at(1), value_of(judged.computed)))
          << name << ": expected " << row.at(1) << ", got " << value_of(judged.computed);
    }
  }
  EXPECT_EQ(
      counts,
      (std::map<std::string, int>{
          {"exact", 340}, {"within-rounding", 191}, {"inconsistent", 75}, {"not-derivable", 45}}));
}

/// What is printed must not be what the rules give: the contradiction is the point.
TEST(Guides, an_inconsistent_figure_is_not_the_printed_one) {
  for (const auto& [id, convention] : project_catalog().conventions) {
    for (const JudgedFigure& judged : judge_all(convention)) {
      if (judged.status != "inconsistent") continue;
      EXPECT_NE(judged.computed, judged.figure->printed) << id << "/" << judged.figure->id;
      EXPECT_FALSE(judged.figure->reason.empty()) << id << "/" << judged.figure->id;
    }
  }
}

TEST(Guides, what_cannot_be_derived_says_why) {
  for (const auto& [id, convention] : project_catalog().conventions) {
    for (const GuideFigure& figure : convention.figures) {
      if (figure.status != "not-derivable") continue;
      EXPECT_TRUE(figure.quantity.empty()) << id << "/" << figure.id;
      EXPECT_FALSE(figure.reason.empty()) << id << "/" << figure.id;
    }
  }
}

/// No figure may be reproduced by handing its own printed value in, but for those that a guide
/// really says twice; these are few and all plain.
TEST(Guides, few_figures_rest_on_another_printed_one_alone) {
  int restated = 0;
  for (const auto& [id, convention] : project_catalog().conventions) {
    for (const GuideFigure& figure : convention.figures) {
      restated += figure.quantity == "said-elsewhere" ? 1 : 0;
    }
  }
  EXPECT_EQ(restated, 14);
}

/// A convention of one rule each, and one figure.
Convention sample() {
  Convention convention;
  convention.id = "sample";
  convention.rules.rules = {{"shard", {"zero-stages", 0, false, "w"}},
                            {"trainable", {"total", 0, false, "w"}},
                            {"display", {"one-decimal", 0, false, "w"}}};
  convention.rules.constants = {{"weights", {2, 2, false, "w"}}};
  GuideFigure figure;
  figure.id = "seven";
  figure.status = "exact";
  figure.printed = {{14}, {}};
  figure.quantity = "memory";
  figure.inputs = {{"params_bn", 7}, {"terms", {"weights"}}};
  figure.place = "/figures/0";
  convention.figures = {figure};
  return convention;
}

std::vector<std::string> faults_of(const Convention& convention) {
  Catalog catalog;
  catalog.conventions["sample"] = convention;
  Faults faults;
  check_guides(catalog, "catalog", faults);
  return texts_of(faults);
}

TEST(Guides, judges_by_the_display_rule) {
  Convention convention = sample();
  EXPECT_EQ(judge(convention, convention.figures[0]).status, "exact");
  convention.figures[0].printed.numbers = {14.04};
  EXPECT_EQ(judge(convention, convention.figures[0]).status, "within-rounding");
  convention.figures[0].printed.numbers = {14.06};
  EXPECT_EQ(judge(convention, convention.figures[0]).status, "inconsistent");
  convention.figures[0].tolerance = 0.1;
  EXPECT_EQ(judge(convention, convention.figures[0]).status, "within-rounding");
  convention.figures[0].printed.numbers = {13, 15};
  EXPECT_EQ(judge(convention, convention.figures[0]).status, "within-rounding");
  convention.figures[0].quantity = "";
  EXPECT_EQ(judge(convention, convention.figures[0]).status, "not-derivable");
}

TEST(Guides, check_names_the_fault_and_its_place) {
  EXPECT_EQ(faults_of(sample()), Texts{});
  const std::vector<std::pair<void (*)(GuideFigure & figure), std::string>> breaks = {
      {[](GuideFigure& f) { f.printed.numbers = {15}; },
       "/status: expected what the arithmetic says, \"inconsistent\", got \"exact\""},
      {[](GuideFigure& f) { f.quantity = "memori"; },
       ": no quantity \"memori\" (did you mean \"memory\"?)"},
      {[](GuideFigure& f) { f.inputs["seq_len"] = 8; }, "/inputs/seq_len: unknown key"},
      {[](GuideFigure& f) { f.inputs["terms"] = {"wieghts"}; },
       ": no term \"wieghts\" (did you mean \"weights\"?)"},
      {[](GuideFigure& f) { f.inputs["terms"] = {"gradients"}; },
       ": the convention has no constant \"gradients\""},
      {[](GuideFigure& f) { f.variant = "other"; },
       ": convention \"sample\" has no variant \"other\""}};
  for (const auto& [change, fault] : breaks) {
    Convention broken = sample();
    change(broken.figures[0]);
    EXPECT_EQ(faults_of(broken),
              Texts{"catalog/conventions/figures/sample.json:/figures/0" + fault});
  }
}

}  // namespace
}  // namespace sizesheet
