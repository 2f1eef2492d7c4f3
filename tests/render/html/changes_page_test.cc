// SPDX-License-Identifier: Apache-2.0
#include "render/html/changes_page.h"

#include <gtest/gtest.h>

#include <set>

#include "render/html/site.h"
#include "render/html/templates/templates.h"
#include "render/sample_sheet.h"
#include "sheet/changes.h"
#include "sheet/sheet.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/json.h"

namespace sizesheet {
namespace {

/// The site of the changed sheet, rendered once for all tests that only read it.
const FileSet& changed_site() {
  static const FileSet kFiles = site(changed_sheet());
  return kFiles;
}

TEST(ChangesPage, matches_the_kept_one) {
  expect_golden("changes/changes.html", changed_site().at("changes.html"));
}

TEST(ChangesPage, stands_alone_as_kept) {
  const std::string page = changes_page(*changed_sheet().changes);
  const std::string main = page.substr(page.find("<body>"));
  expect_golden("changes/alone.html", main.substr(0, main.find("<script>")));
}

TEST(ChangesPage, without_a_baseline_there_is_none) {
  const FileSet files = site(tiny_sheet());
  EXPECT_FALSE(files.contains("changes.html"));
  for (const auto& [name, text] : files) {
    EXPECT_EQ(text.find("changes.html"), std::string::npos) << name;
  }
  const std::string none = "There is no comparison: this edition was built without an earlier one.";
  EXPECT_NE(files.at("index.html").find(none), std::string::npos);
}

TEST(ChangesPage, banner_and_lead_say_the_same) {
  const FileSet& files = changed_site();
  const std::string words =
      "One run of each of the 4 comparable picks cost $253 in 2026-Q3 and costs $236 now: "
      "<strong>−$17 (−6.6\u00a0%)</strong>.";
  EXPECT_EQ(count(files.at("index.html"), words), 1U);
  EXPECT_EQ(count(files.at("changes.html"), words), 1U);
}

TEST(ChangesPage, every_page_of_the_edition_leads_to_it) {
  for (const auto& [name, text] : changed_site()) {
    if (!name.ends_with(".html")) continue;
    const std::string root = name.find('/') != std::string::npos ? "../" : "";
    EXPECT_NE(text.find("<a href=\"" + root + "changes.html\""), std::string::npos) << name;
  }
}

TEST(ChangesPage, picks_come_largest_change_first_and_unknown_last) {
  const Json rows = changes_values(changed_sheet()).at("pick_rows");
  ASSERT_EQ(rows.size(), 5U);
  double last = INFINITY;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const double moved = std::abs(rows[i].at("effects_usd").at("total").get<double>());
    EXPECT_LE(moved, last) << i;
    last = moved;
  }
  EXPECT_TRUE(rows.back().at("effects_usd").is_null());
  EXPECT_EQ(rows.back().at("pick_id"), "d-gone-7b-full");
}

TEST(ChangesPage, the_parts_of_every_change_add_up) {
  const Sheet& sheet = changed_sheet();
  std::size_t compared = 0;
  const Json rows = changes_values(sheet).at("pick_rows");
  for (const Json& row : rows) {
    const Json& effects = row.at("effects_usd");
    if (effects.is_null()) continue;
    double sum = 0;
    for (const char* part : {"price", "quantity", "time", "mix"})
      sum += effects.at(part).get<double>();
    EXPECT_NEAR(sum, effects.at("total").get<double>(), 1e-6);
    ++compared;
  }
  EXPECT_EQ(compared, static_cast<std::size_t>(sheet.changes->pick_totals.comparable));
}

TEST(ChangesPage, causes_and_effects_have_the_same_total) {
  const Sheet& sheet = changed_sheet();
  const Json values = changes_values(sheet);
  EXPECT_NEAR(values.at("cause_total").get<double>(), values.at("effect_total").get<double>(),
              0.005);
}

TEST(ChangesPage, unknown_causes_are_said_in_words_and_have_no_column) {
  Sheet sheet = changed_sheet();
  sheet.changes->causes.clear();
  sheet.changes->moved.clear();
  sheet.changes->causes_unknown = "old.json lacks /inputs/sheet";
  for (Change& change : sheet.changes->changes) change.cause.clear(), change.because.clear();
  const std::string page = site(sheet).at("changes.html");
  EXPECT_EQ(count(page, "The causes are not known: old.json lacks /inputs/sheet."), 1U);
  EXPECT_EQ(count(page, ">Cause</th>"), 0U);
  EXPECT_EQ(count(page, "id=\"prices-behind\""), 0U);
}

TEST(ChangesPage, equal_editions_differ_in_nothing) {
  const Sheet& sheet = unchanged_sheet();
  const std::string page = site(sheet).at("changes.html");
  EXPECT_NE(page.find("No differences. 8\u00a0rows compared: 0 breaking, 0 notable, 0 in details, "
                      "8 unchanged, 0 under the thresholds."),
            std::string::npos);
  EXPECT_EQ(count(page, "One run of each of the 4 comparable picks costs $236, as before."), 1U);
  EXPECT_EQ(count(page, "<tr id=\"d-"), 0U);
}

TEST(ChangesPage, hostile_names_stay_words) {
  Sheet sheet = changed_sheet();
  const std::string words = "<script>alert('x')</script>&\"`";
  sheet.models[0].title = sheet.methods[0].short_title = words;
  SheetChanges& changes = *sheet.changes;
  for (Change& change : changes.changes) {
    change.was = change.scenario = words;
    if (change.old_side) change.old_side->gpu_name = words;
    if (change.new_side) change.new_side->gpu_name = words;
    change.cause = {words};
  }
  for (MovedInput& moved : changes.moved) {
    moved.what = moved.unit = moved.old_as_of = moved.source = moved.how = words;
    moved.old_value = "\"<script>alert('x')</script>\"";
  }
  changes.causes[0].group = changes.causes_unknown = words;
  changes.old_edition.edition = words;
  changes.changes[0].model = changes.changes[0].method = words;
  const FileSet files = site(sheet);
  EXPECT_EQ(count(files.at("index.html"), "<script"), 3U) << "only the page's own";
  EXPECT_EQ(count(files.at("index.html"), "in &lt;script&gt;alert("), 1U) << "the banner";
  for (const std::string& page : {files.at("changes.html"), changes_page(changes)}) {
    EXPECT_EQ(count(page, "<script"), 1U);
    EXPECT_GT(count(page, "&lt;script&gt;alert("), 20U);
    EXPECT_EQ(count(page, "alert('x')"), 0U);
    const std::string body = page.substr(page.find("<main"), page.find("</main>"));
    EXPECT_TRUE(all_of(body, R"(<[a-z][^>]*\son[a-z]+=)").empty());
  }
}

TEST(ChangesPage, alone_it_links_to_nothing_and_allows_only_its_own_texts) {
  const std::string page = changes_page(*changed_sheet().changes);
  const TemplateSet templates = builtin_templates();
  EXPECT_NE(page.find("content=\"default-src 'none'; style-src " +
                      policy_hash(templates.at("style.css")) + "; script-src " +
                      policy_hash(templates.at("table.js")) +
                      "; img-src data:; base-uri 'none'; form-action 'none'\""),
            std::string::npos);
  EXPECT_EQ(count(page, "<style>" + templates.at("style.css") + "</style>"), 1U);
  EXPECT_EQ(count(page, "<script>" + templates.at("table.js") + "</script>"), 1U);
  const auto targets = all_of(page, R"( (?:href|src)=\"([^\"]*)\")");
  EXPECT_EQ(std::set<std::string>(targets.begin(), targets.end()),
            (std::set<std::string>{"#main", "data:,", "https://example.invalid/prices"}));
}

// The SHA-256 of nothing, as every list of allowed hashes writes it.
TEST(Standalone, policy_hash_is_base64_of_sha256) {
  EXPECT_EQ(policy_hash(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
}

TEST(ChangesPage, a_long_list_is_cut_and_says_so) {
  Sheet sheet = changed_sheet();
  SheetChanges& changes = *sheet.changes;
  Change row;
  for (const Change& change : changes.changes) {
    if (change.of == "row") row = change;
  }
  for (int i = 0; i < 5000; ++i) changes.changes.push_back(row);
  changes.rows.detail += 5000;
  const Json values = changes_values(sheet);
  EXPECT_EQ(values.at("changed_rows").size(), 600U);
  EXPECT_EQ(values.at("changed_rows_words"), "5,007\u00a0changed rows, the first 600 of them here");
  EXPECT_LE(site(sheet).at("changes.html").size(), 1'000'000U);
}

}  // namespace
}  // namespace sizesheet
