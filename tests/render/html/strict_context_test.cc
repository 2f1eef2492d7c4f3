// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "render/html/templates/templates.h"
#include "support/refusal.h"

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

std::string render(const std::string& page, const std::string& partial = "",
                   const PageLimits& limits = {}) {
  return render_template({{"page.mustache", page}, {"part.mustache", partial}}, "page.mustache",
                         values(), limits);
}

std::string fault(const std::string& page, const std::string& partial = "",
                  const PageLimits& limits = {}) {
  return refusal_of([&] { render(page, partial, limits); });
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

TEST(StrictContext, a_miss_names_the_template_that_is_not_as_built) {
  TemplateSet templates = builtin_templates();
  templates["page.mustache"] = "{{>footer}}";
  templates["footer.mustache"] =
      "{{# count_gpus }}x{{/count_gpus}}";  // other pages have this value
  EXPECT_EQ(refusal_of([&] { render_template(templates, "page.mustache", values()); }),
            "template 'footer.mustache': no value named 'count_gpus'");
}

TEST(StrictContext, a_list_within_itself_is_refused) {
  const std::string said = "template 'page.mustache': goes through a list within the same list";
  EXPECT_EQ(fault("{{#rows}}{{#rows}}{{cell}}{{/rows}}{{/rows}}"), said);
  EXPECT_EQ(fault("{{#rows}}{{>part}}{{/rows}}", "{{#shown}}{{#rows}}x{{/rows}}{{/shown}}"), said);
  EXPECT_EQ(render("{{#rows}}{{cell}}{{/rows}}{{#rows}}{{cell}}{{/rows}}"), "1212");
  EXPECT_EQ(
      render("{{#shown}}{{#shown}}{{#inner}}{{#inner}}y{{/inner}}{{/inner}}{{/shown}}{{/shown}}"),
      "y");
}

TEST(StrictContext, what_becomes_too_long_is_refused) {
  const std::string page = "{{#rows}}{{>part}}\n{{/rows}}";
  EXPECT_EQ(render(page, "abc", {3, 8}), "abc\nabc\n");
  EXPECT_EQ(fault(page, "abc", {2, 8}),
            "template 'page.mustache': expected at most 2 sections and partials on a page");
  EXPECT_EQ(fault(page, "abc", {3, 7}),
            "template 'page.mustache': expected a page of at most 7 bytes");
  EXPECT_EQ(fault("{{>part}}{{>part}}{{>part}}{{>part}}x", std::string(1U << 20U, 'y')),
            "template 'page.mustache': expected at most 4194304 bytes with its partials");
}

TEST(StrictContext, an_unknown_page_and_a_number_without_a_format_are_refused) {
  EXPECT_THROW(render_template({}, "page.mustache", values()), TemplateError);
  EXPECT_EQ(refusal_of([] {
              render_template({{"p.mustache", "{{n}}"}}, "p.mustache", {{"n", 3}});
            }),
            "template 'p.mustache': 'n' is a number: say its format behind a bar");
}

}  // namespace
}  // namespace sizesheet
