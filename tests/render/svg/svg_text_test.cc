// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "render/svg/svg.h"

namespace sizesheet {
namespace {

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
