// SPDX-License-Identifier: Apache-2.0
// Rules that templates must keep so that no value can leave its place, the loading of overrides,
// those that are refused before anything is drawn, and those that are while it is.

#include "render/html/templates/templates.h"

#include <gtest/gtest.h>

#include <set>

#include "render/html/site.h"
#include "render/html/templates/strict_context.h"
#include "support/error.h"
#include "support/json.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

bool is_template(const std::string& name) { return name.ends_with(".mustache"); }

TEST(Templates, raw_values_are_pictures_only) {
  for (const auto& [name, text] : builtin_templates()) {
    if (!is_template(name)) continue;
    for (const std::string& raw : all_of(text, R"(\{\{\{\s*([^}]*?)\s*\}\}\})")) {
      EXPECT_TRUE(raw.ends_with("_svg")) << name << ": " << raw;
    }
    EXPECT_EQ(text.find("{{&"), std::string::npos) << name;
    EXPECT_EQ(text.find("{{="), std::string::npos) << name;
  }
}

TEST(Templates, attributes_are_double_quoted_and_never_style_or_handlers) {
  for (const auto& [name, text] : builtin_templates()) {
    if (!is_template(name)) continue;
    EXPECT_TRUE(all_of(text, R"(=\{\{)").empty()) << name;
    EXPECT_TRUE(all_of(text, R"(='[^']*\{\{)").empty()) << name;
    EXPECT_TRUE(all_of(text, R"(\sstyle=)").empty()) << name;
    EXPECT_TRUE(all_of(text, R"(\son[a-z]+=)").empty()) << name;
  }
}

TEST(Templates, no_script_or_style_stands_in_a_page) {
  for (const auto& [name, text] : builtin_templates()) {
    if (!is_template(name)) continue;
    EXPECT_TRUE(all_of(text, R"(<script(?![^>]* src=)[^>]*>)").empty()) << name;
    EXPECT_TRUE(all_of(text, R"(<script[^>]*>([^<]+)</script>)").empty()) << name;
    EXPECT_TRUE(all_of(text, R"(<style)").empty()) << name;
  }
}

TEST(Templates, partials_exist_and_every_template_is_used) {
  const TemplateSet templates = builtin_templates();
  std::set<std::string> used = {
      "index.mustache",      "model.mustache",         "prices.mustache", "accuracy.mustache",
      "guides.mustache",     "frameworks.mustache",    "method.mustache", "own.mustache",
      "calculator.mustache", "gpu.mustache",           "gpus.mustache",   "glossary.mustache",
      "changes.mustache",    "changes_alone.mustache", "rows.mustache",   "advice.mustache",
      "plan.mustache",       "gpus-needed.mustache"};
  for (const auto& [name, text] : templates) {
    if (!is_template(name)) continue;
    for (const std::string& partial : all_of(text, R"(\{\{>\s*([^}\s]+)\s*\}\})")) {
      EXPECT_TRUE(templates.contains(partial + ".mustache")) << name << ": " << partial;
      used.insert(partial + ".mustache");
    }
  }
  for (const auto& [name, text] : templates) {
    if (!is_template(name)) continue;
    EXPECT_TRUE(used.contains(name)) << name << " is used by no page";
  }
}

TEST(Templates, the_policy_allows_nothing_from_elsewhere) {
  const TemplateSet templates = builtin_templates();
  EXPECT_NE(templates.at("head.mustache")
                .find("default-src 'none'; style-src 'self'; script-src 'self'"
                      "{{#has_calculator}} 'wasm-unsafe-eval'{{/has_calculator}}; "
                      "img-src 'self' data:; base-uri 'none'; form-action 'none'\""),
            std::string::npos);
  for (const auto& [name, text] : templates) {
    EXPECT_EQ(text.find("http://"), std::string::npos) << name;
    EXPECT_EQ(text.find("https://"), std::string::npos) << name;
  }
}

TEST(Templates, the_scripts_are_short) {
  const TemplateSet templates = builtin_templates();
  for (const char* script : {"table.js", "filters.js"}) {
    EXPECT_LE(all_of(templates.at(script), "\n").size(), 220U) << script;
  }
}

TEST(TemplateDirectory, a_file_replaces_the_built_in_one) {
  const TempDir directory;
  directory.write("footer.mustache", "own footer");
  const TemplateSet templates = load_templates(directory.path());
  EXPECT_EQ(templates.at("footer.mustache"), "own footer");
  EXPECT_EQ(templates.at("nav.mustache"), builtin_templates().at("nav.mustache"));
}

TEST(TemplateDirectory, an_unknown_file_is_refused_with_a_near_miss) {
  const TempDir directory;
  directory.write("foter.mustache", "");
  EXPECT_EQ(refusal_of([&] { load_templates(directory.path()); }),
            (directory.path() / "foter.mustache").string() +
                ": no page uses a template of this name" +
                did_you_mean("foter.mustache", {"footer.mustache"}));
}

TEST(TemplateDirectory, a_missing_directory_is_refused) {
  const TempDir directory;
  EXPECT_THROW(load_templates(directory.path() / "none"), InputError);
}

std::string check_refusal(const TemplateSet& templates) {
  return refusal_of([&] { check_templates(templates, "mine"); });
}

TEST(TemplatesCheck, takes_the_built_in_ones) {
  EXPECT_EQ(check_refusal(builtin_templates()), "no refusal");
}

TEST(TemplatesCheck, refuses_circles) {
  EXPECT_EQ(check_refusal({{"a.mustache", "{{>a}}"}}),
            "mine/a.mustache: takes itself in: a.mustache > a.mustache");
  EXPECT_EQ(check_refusal({{"a.mustache", "{{> b }}"}, {"b.mustache", "{{#x}}{{ >a}}{{/x}}"}}),
            "mine/a.mustache: takes itself in: a.mustache > b.mustache > a.mustache");
  EXPECT_EQ(check_refusal({{"a.mustache", "{{>b}}{{>b}}"}, {"b.mustache", "{{>c}}"}}),
            "no refusal");
}

TEST(TemplatesCheck, refuses_depth_and_other_delimiters) {
  std::string deep;
  for (int i = 0; i < 101; ++i) deep += "{{#x}}";
  EXPECT_EQ(check_refusal({{"a.mustache", deep}}),
            "mine/a.mustache: expected at most 100 sections in each other");
  EXPECT_EQ(check_refusal({{"a.mustache", "{{=<% %>=}}<%>a%>"}}),
            "mine/a.mustache: expected the delimiters {{ and }} throughout, got others");
}

TEST(TemplatesCheck, refuses_what_is_malformed_by_its_own_name) {
  EXPECT_EQ(check_refusal({{"a.mustache", "{{>b}}"}, {"b.mustache", "{{#x}}"}}),
            "mine/b.mustache: Unclosed section \"x\" at 0");
}

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
