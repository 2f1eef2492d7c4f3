// SPDX-License-Identifier: Apache-2.0
// Charts drawn whole, the elements they are made of, bars of amounts and bars on both sides of
// zero.

#include "render/svg/svg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "render/charts.h"
#include "render/html/site.h"
#include "render/sample_sheet.h"
#include "render/svg/svg_bars.h"
#include "sheet/sheet.h"
#include "support/golden.h"

namespace sizesheet {
namespace {

std::string bill() { return svg(memory_bill_chart(sample_sheet(), "llama-3.1-70b")); }

std::string rent_or_own() {
  const Sheet& sheet = sample_sheet();
  return svg(rent_or_own_chart(sheet, *sheet.find("llama-3.1-70b", "full", "mi300x", "main")));
}

std::string sequences() { return svg(memory_by_sequence_chart(sample_sheet(), "llama-3.1-70b")); }

TEST(SvgChart, stretches_without_scaling_text_and_carries_no_style) {
  for (const std::string& text : {bill(), rent_or_own(), sequences()}) {
    EXPECT_EQ(text.find("viewBox"), std::string::npos);
    EXPECT_EQ(text.find("style"), std::string::npos);
    EXPECT_EQ(text.find("fill="), std::string::npos);
  }
}

TEST(SvgChart, every_x_is_a_percentage_inside_the_picture) {
  for (const std::string& text : {bill(), rent_or_own(), sequences()}) {
    const std::vector<double> found = numbers_of(text, R"re( (?:x|x1|x2|cx)="([-0-9.]+)%")re");
    for (const double x : found) {
      EXPECT_GE(x, 0);
      EXPECT_LE(x, 100);
    }
    EXPECT_GT(found.size(), 5U);
  }
}

/// Names of lines with discs stand right of every line and circle, and apart from each other.
TEST(SvgChart, names_of_lines_with_discs_touch_nothing) {
  Lines body;
  body.x = {"hours per run", 0.1, 100, {1, 10}, true};
  body.y = {"$ per run", 0, 100, {0, 50}};
  for (int i = 0; i < 9; ++i) {
    const LineKind kind = i == 0 ? LineKind::kPick : i == 1 ? LineKind::kNext : LineKind::kOther;
    body.lines.push_back({"8 × PRO 6000 ~", kind, {{1, 50}, {90, 95.0 + i / 4.0}}, {"16", "8"}});
  }
  const std::string text = svg({"hours", "Hours", "", "", std::move(body)});
  const auto names = numbers_of(text, R"re(<text class="name[^"]*" x="([0-9.]+)%")re");
  const auto heights = numbers_of(text, R"re(<text class="name[^>]* y="([0-9.]+)")re");
  ASSERT_EQ(names.size(), 9U);
  ASSERT_EQ(heights.size(), 9U);
  for (const double x : names) {
    for (const double drawn : numbers_of(text, R"re(<circle [^>]*cx="([0-9.]+)%")re")) {
      EXPECT_LT(drawn + 3, x);
    }
    for (const double end : numbers_of(text, R"re(<line [^>]*x2="([0-9.]+)%")re"))
      EXPECT_LT(end, x);
  }
  for (std::size_t i = 0; i < heights.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_GE(std::abs(heights[i] - heights[j]), 14);
  }
  // A circle that another would touch is a dot without its number.
  EXPECT_EQ(numbers_of(text, R"re(<text class="disc"[^>]*>([0-9]+)<)re").size(), 2U);
}

TEST(SvgChart, hostile_words_stay_words) {
  Sheet sheet = tiny_sheet();
  const std::string hostile = "<script>alert('x')</script>&\"";
  sheet.models[0].title = hostile;
  sheet.methods[0].short_title = hostile;
  sheet.gpus[0].short_name = hostile;
  const std::string model = sheet.models[0].id;
  const Row& row = *sheet.find(model, "full", "h100-sxm", "main");
  for (const Chart& chart : {memory_bill_chart(sheet, model), rent_or_own_chart(sheet, row),
                             memory_by_sequence_chart(sheet, model)}) {
    const std::string text = svg(chart);
    EXPECT_EQ(text.find("<script"), std::string::npos);
    EXPECT_NE(text.find("&lt;script&gt;alert(&#39;x&#39;)"), std::string::npos);
  }
}

TEST(SvgChart, matches_the_kept_pictures) {
  expect_golden("svg/memory-bill.svg", bill() + "\n");
  expect_golden("svg/rent-or-own.svg", rent_or_own() + "\n");
  expect_golden("svg/memory-by-sequence.svg", sequences() + "\n");
}

TEST(SvgChart, an_empty_chart_is_still_a_picture) {
  Sheet sheet = tiny_sheet();
  sheet.picks.clear();
  sheet.series.clear();
  EXPECT_NE(svg(memory_bill_chart(sheet, "llama-3.1-8b")).find("</svg>"), std::string::npos);
  const std::string lines = svg(memory_by_sequence_chart(sheet, "llama-3.1-8b"));
  EXPECT_EQ(lines.find("nan"), std::string::npos);
  EXPECT_EQ(lines.find("inf"), std::string::npos);
}

TEST(SvgCell, bar_is_hidden_decoration_within_its_width) {
  EXPECT_EQ(svg_cell_bar(0.5),
            "<svg class=\"cell-bar\" aria-hidden=\"true\" width=\"120\" height=\"14\">"
            "<rect class=\"bar\" y=\"2\" width=\"60\" height=\"10\"/></svg>");
  EXPECT_NE(svg_cell_bar(7.0).find("width=\"120\" height=\"10\""), std::string::npos);
  EXPECT_NE(svg_cell_bar(0.0001).find("width=\"1\" height=\"10\""), std::string::npos);
  EXPECT_NE(svg_cell_bar(0.9, CellBar::kOver, 0.5, 80).find("class=\"bar-over\""),
            std::string::npos);
}

TEST(SvgText, escapes_what_could_leave_text_or_attribute) {
  EXPECT_EQ(escape_xml("<script>alert('x')</script>&\""),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;");
  EXPECT_EQ(escape_xml("8 × H100 – ≥"), "8 × H100 – ≥");
}

TEST(SvgText, numbers_have_two_decimals_at_most_and_no_minus_zero) {
  EXPECT_EQ(svg_number(12.3456), "12.35");
  EXPECT_EQ(svg_number(12), "12");
  EXPECT_EQ(svg_number(-0.001), "0");
  EXPECT_EQ(svg_percent(33.333333), "33.33%");
}

TEST(SvgText, elements_escape_attributes_and_text) {
  EXPECT_EQ(svg_element("rect", {{"class", "a\"b"}, {"x", "1"}}),
            "<rect class=\"a&quot;b\" x=\"1\"/>");
  EXPECT_EQ(svg_element("text", {}, "a<b"), "<text>a&lt;b</text>");
  EXPECT_EQ(svg_parent("g", {{"id", "i"}}, "<rect/>"), "<g id=\"i\"><rect/></g>");
}

std::vector<double> widths(const std::string& text) {
  return numbers_of(text, "<rect [^>]*width=\"([0-9.]+)%\"");
}

TEST(SvgAmounts, bars_begin_at_zero_on_one_scale) {
  const SvgBody body =
      svg_body(AmountBars{{{"a", 10, "10", true}, {"b", 20, "20"}, {"c", 40, "40"}}});
  const std::vector<double> found = widths(body.markup);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found[1], 2 * found[0], 0.02);
  EXPECT_NEAR(found[2], 4 * found[0], 0.02);
  EXPECT_EQ(body.height, 3 * 23);
}

TEST(SvgAmounts, the_marked_one_differs_in_class_and_weight) {
  const std::string text = svg_body(AmountBars{{{"a", 1, "1", true}, {"b", 2, "2"}}}).markup;
  EXPECT_EQ(
      std::regex_replace(text, std::regex("^(<text[^>]*>a</text><rect class=\"[a-z-]*\").*"), "$1"),
      "<text class=\"strong\" x=\"0%\" y=\"15\">a</text><rect class=\"amount-marked\"");
  EXPECT_NE(
      text.find("<text class=\"amount-label\" x=\"0%\" y=\"38\">b</text><rect class=\"amount\""),
      std::string::npos)
      << text;
}

TEST(SvgAmounts, a_small_amount_shows_and_none_has_no_bar) {
  const std::vector<double> found = widths(
      svg_body(AmountBars{{{"a", 0, "none"}, {"b", 0.001, "0.001"}, {"c", 100, "100"}}}).markup);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_DOUBLE_EQ(found[0], 0.4);
}

TEST(SvgAmounts, words_are_escaped) {
  const std::string text = svg_body(AmountBars{{{"<a>", 1, "\"&\""}}}).markup;
  EXPECT_NE(text.find("&lt;a&gt;"), std::string::npos);
  EXPECT_NE(text.find("&quot;&amp;&quot;"), std::string::npos);
}

/// The attribute of every element of a class, in order.
std::vector<double> attributes(const std::string& markup, const std::string& shade,
                               const std::string& name) {
  return numbers_of(markup, "<[a-z]+ class=\"" + shade + "\"[^>]* " + name + "=\"([-0-9.]+)");
}

SignedBars sample() {
  return {{{"Price", -30, "−30", false},
           {"Quantity", 10, "+10", false},
           {"Time", 0, "0", false},
           {"Total", -20, "−20", true}}};
}

TEST(SvgSigned, bars_are_as_long_as_their_amounts_from_one_zero_line) {
  const std::string markup = svg_body(sample()).markup;
  const std::vector<double> less = attributes(markup, "bar-less", "width");
  const std::vector<double> more = attributes(markup, "bar-more", "width");
  ASSERT_EQ(less.size(), 2U);
  ASSERT_EQ(more.size(), 1U);
  EXPECT_NEAR(less[0], 3 * more[0], 0.02);
  EXPECT_NEAR(less[1], 2 * more[0], 0.02);
  const double zero = attributes(markup, "bar-more", "x")[0];
  EXPECT_NEAR(attributes(markup, "bar-less", "x")[0] + less[0], zero, 0.02);
  EXPECT_NEAR(attributes(markup, "bar-less", "x")[1] + less[1], zero, 0.02);
}

TEST(SvgSigned, every_amount_is_written_and_zero_has_no_bar) {
  const SvgBody body = svg_body(sample());
  for (const char* words : {">−30<", ">+10<", ">0<", ">−20<"}) {
    EXPECT_NE(body.markup.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(body.height, 4 * 31);
}

TEST(SvgSigned, one_sided_and_empty_charts_stay_inside) {
  for (const double value : {-5.0, 0.0, 5.0}) {
    const std::string markup = svg_body(SignedBars{{{"Price", value, "x", false}}}).markup;
    const std::vector<double> found = numbers_of(markup, R"re( (?:x|x1|x2|width)="([-0-9.]+)%")re");
    for (const double share : found) {
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 100);
    }
    EXPECT_GE(found.size(), 4U);
  }
}

TEST(SvgSigned, a_cell_bar_starts_in_the_middle_and_is_hidden_from_readers) {
  const std::string less = svg_cell_signed(-0.5, 64);
  EXPECT_NE(less.find("aria-hidden=\"true\""), std::string::npos);
  EXPECT_EQ(attributes(less, "bar-less", "x"), std::vector<double>{16});
  EXPECT_EQ(attributes(less, "bar-less", "width"), std::vector<double>{16});
  EXPECT_EQ(attributes(svg_cell_signed(1, 64), "bar-more", "width"), std::vector<double>{32});
  EXPECT_EQ(svg_cell_signed(0).find("bar-more"), std::string::npos);
  EXPECT_EQ(svg_cell_signed(0).find("bar-less"), std::string::npos);
}

}  // namespace

}  // namespace sizesheet
