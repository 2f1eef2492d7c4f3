// SPDX-License-Identifier: Apache-2.0
// Bars of amounts and bars on both sides of zero.
#include <gtest/gtest.h>

#include <regex>

#include "render/html/site.h"
#include "render/svg/svg.h"

namespace sizesheet {
namespace {

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
