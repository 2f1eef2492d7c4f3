// SPDX-License-Identifier: Apache-2.0
// Rules that templates must keep so that no value can leave its place, and the loading of
// overrides.
#include "render/html/templates/templates.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "render/html/site.h"
#include "support/error.h"

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

class TemplateDirectory : public testing::Test {
 protected:
  TemplateDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "templates-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~TemplateDirectory() override { std::filesystem::remove_all(directory_); }

  void add(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name) << text;
  }

  std::filesystem::path directory_;
};

TEST_F(TemplateDirectory, a_file_replaces_the_built_in_one) {
  add("footer.mustache", "own footer");
  const TemplateSet templates = load_templates(directory_);
  EXPECT_EQ(templates.at("footer.mustache"), "own footer");
  EXPECT_EQ(templates.at("nav.mustache"), builtin_templates().at("nav.mustache"));
}

TEST_F(TemplateDirectory, an_unknown_file_is_refused_with_a_near_miss) {
  add("foter.mustache", "");
  try {
    load_templates(directory_);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), (directory_ / "foter.mustache").string() +
                                ": no page uses a template of this name" +
                                did_you_mean("foter.mustache", {"footer.mustache"}));
  }
}

TEST_F(TemplateDirectory, a_missing_directory_is_refused) {
  EXPECT_THROW(load_templates(directory_ / "none"), InputError);
}

}  // namespace
}  // namespace sizesheet
