// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <regex>

#include "render/svg/svg.h"

namespace sizesheet {
namespace {

std::vector<double> widths(const std::string& text) {
  const std::regex expression("<rect [^>]*width=\"([0-9.]+)%\"");
  std::vector<double> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
    found.push_back(std::stod((*it)[1].str()));
  }
  return found;
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

}  // namespace
}  // namespace sizesheet
