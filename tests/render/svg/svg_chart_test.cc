// SPDX-License-Identifier: Apache-2.0
// Charts drawn whole, and the elements they are made of.
#include <gtest/gtest.h>

#include "render/charts.h"
#include "render/html/site.h"
#include "render/sample_sheet.h"
#include "render/svg/svg.h"
#include "support/golden.h"

namespace sizesheet {
namespace {

std::string bill() { return svg(memory_bill_chart(sample_sheet(), "llama-3.1-70b")); }

std::string rent_or_own() {
  const Sheet& sheet = sample_sheet();
  return svg(rent_or_own_chart(sheet, *sheet.find("llama-3.1-70b", "full", "mi300x", "main")));
}

std::string sequences() { return svg(memory_by_sequence_chart(sample_sheet(), "llama-3.1-70b")); }

TEST(SvgChart, is_named_and_described_with_ids_of_its_own) {
  const std::string text = bill();
  EXPECT_NE(text.find("role=\"img\" aria-labelledby=\"memory-bill-t memory-bill-d\""),
            std::string::npos);
  EXPECT_NE(text.find("<title id=\"memory-bill-t\">Llama 3.1 70B: memory per GPU, GiB</title>"),
            std::string::npos);
  EXPECT_NE(text.find("<desc id=\"memory-bill-d\">full on 8"), std::string::npos);
}

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

}  // namespace
}  // namespace sizesheet
