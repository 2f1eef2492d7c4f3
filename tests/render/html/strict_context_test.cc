// SPDX-License-Identifier: Apache-2.0
#include "render/html/strict_context.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sizesheet {
namespace {

const Json& values() {
  static const Json kValues = {{"name", "a<b"},
                               {"rows", Json::array({{{"cell", "1"}}, {{"cell", "2"}}})},
                               {"none", Json::array()},
                               {"shown", true},
                               {"inner", {{"deep", "d"}}}};
  return kValues;
}

std::string render(const std::string& page, const std::string& partial = "") {
  return render_template({{"page.mustache", page}, {"part.mustache", partial}}, "page.mustache",
                         values());
}

std::string fault(const std::string& page, const std::string& partial = "") {
  try {
    return "rendered: " + render(page, partial);
  } catch (const TemplateError& error) {
    return error.what();
  }
}

TEST(StrictContext, renders_what_exists) {
  EXPECT_EQ(render("{{name}}{{#rows}}[{{cell}}{{name}}]{{/rows}}{{^none}}-{{/none}}{{inner.deep}}"),
            "a&lt;b[1a&lt;b][2a&lt;b]-d");
  EXPECT_EQ(render("{{#shown}}{{>part}}{{/shown}}", "({{name}})"), "(a&lt;b)");
}

TEST(StrictContext, six_kinds_of_miss_name_template_and_name) {
  EXPECT_EQ(fault("{{nope}}"), "template 'page.mustache': no value named 'nope'");
  EXPECT_EQ(fault("{{inner.nope}}"), "template 'page.mustache': no value named 'inner.nope'");
  EXPECT_EQ(fault("{{#nope}}x{{/nope}}"), "template 'page.mustache': no value named 'nope'");
  EXPECT_EQ(fault("{{^nope}}x{{/nope}}"), "template 'page.mustache': no value named 'nope'");
  EXPECT_EQ(fault("{{>nope}}"), "template 'page.mustache': no partial named 'nope'");
  EXPECT_EQ(fault("{{{nope_svg}}}"), "template 'page.mustache': no value named 'nope_svg'");
}

TEST(StrictContext, misses_inside_rows_and_partials_are_found) {
  EXPECT_EQ(fault("{{#rows}}{{nope}}{{/rows}}"), "template 'page.mustache': no value named 'nope'");
  EXPECT_EQ(fault("{{>part}}", "{{nope}}"), "template 'part.mustache': no value named 'nope'");
}

TEST(StrictContext, malformed_templates_are_refused) {
  EXPECT_EQ(fault("{{#rows}}"), "template 'page.mustache': Unclosed section \"rows\" at 0");
  EXPECT_EQ(fault("{{>part}}", "{{#rows}}"),
            "template 'page.mustache': Unclosed section \"rows\" at 0");
}

TEST(StrictContext, unknown_page_and_foreign_values_are_refused) {
  EXPECT_THROW(render_template({}, "page.mustache", values()), TemplateError);
  EXPECT_THROW(render_template({{"p.mustache", "{{n}}"}}, "p.mustache", {{"n", 3}}),
               std::logic_error);
  EXPECT_THROW(render_template({{"p.mustache", "{{n}}"}}, "p.mustache", {{"n", nullptr}}),
               std::logic_error);
}

}  // namespace
}  // namespace sizesheet
