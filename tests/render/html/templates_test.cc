// SPDX-License-Identifier: Apache-2.0
// Rules that templates must keep so that no value can leave its place, the loading of overrides,
// and those that are refused before anything is drawn.
#include "render/html/templates/templates.h"

#include <gtest/gtest.h>

#include <set>

#include "render/html/site.h"
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
      "plan.mustache"};
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
                      "img-src 'self' data:"),
            std::string::npos);
  for (const auto& [name, text] : templates) {
    EXPECT_EQ(text.find("http://"), std::string::npos) << name;
    EXPECT_EQ(text.find("https://"), std::string::npos) << name;
  }
}

TEST(Templates, the_scripts_are_short) {
  const TemplateSet templates = builtin_templates();
  for (const char* script : {"table.js", "filters.js"}) {
    EXPECT_LE(all_of(templates.at(script), "\n").size(), 200U) << script;
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

}  // namespace
}  // namespace sizesheet
