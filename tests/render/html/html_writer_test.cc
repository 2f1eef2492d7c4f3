// SPDX-License-Identifier: Apache-2.0
#include "render/html/html_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "evidence/accuracy.h"
#include "render/html/site.h"
#include "render/html/templates/templates.h"
#include "render/sample_sheet.h"
#include "render/writers.h"
#include "sheet/money.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "support/error.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

bool is_page(const std::string& name) { return name.ends_with(".html"); }

/// Every value of an attribute, given as it begins: ` id="`.
std::vector<std::string> values_of(const std::string& text, const std::string& attribute) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(attribute); at != std::string::npos;) {
    const std::size_t begin = at + attribute.size();
    const std::size_t end = text.find('"', begin);
    found.push_back(text.substr(begin, end - begin));
    at = text.find(attribute, end);
  }
  return found;
}

/// Keys of sheet.json under which people, catalogs and providers write free text: wherever they
/// stand, and those that name something elsewhere.
const std::set<std::string> kFree = {
    "acts_on",     "bill",         "binding",     "buy_why",     "cause",         "command",
    "commit",      "dated",        "description", "edition",     "flags",         "gives_up",
    "gpu_name",    "group",        "hardware",    "instance",    "held_out_rule", "machine_title",
    "model_title", "interconnect", "node_title",  "note",        "part",          "path",
    "provider",    "publisher",    "reason",      "refusal",     "region",        "remedy",
    "rent_why",    "repository",   "rows_title",  "setting",     "setup",         "short_name",
    "short_title", "size",         "source",      "stack_title", "summary",       "term",
    "title",       "unit",         "vendor",      "warnings",    "what",          "where",
    "why",         "words"};
const std::set<std::string> kFreeThere = {
    "accuracy/basis",           "accuracy/evidence",       "accuracy/framework", "gpus/name",
    "guide_differences/guides", "guide_differences/sheet", "prices/key",         "worksheets/date"};

void poison(Json& json, const std::string& section, const std::string& key,
            const std::string& words) {
  if (json.is_structured() && !json.empty()) {
    for (const auto& [name, part] : json.items()) {
      poison(part, section, json.is_array() ? key : name, words);
    }
  } else if (kFree.contains(key) || kFreeThere.contains(section + "/" + key)) {
    if (json.is_string()) json = words;
    if (json.is_array()) json = {words};
  }
}

/// The sheet with `words` in all those places, in the inputs and steps of every formula, and as the
/// model of a request.
Sheet poisoned(const Sheet& sheet, const std::string& words) {
  Json json = to_json(sheet);
  for (const auto& [section, part] : json.items()) poison(part, section, section, words);
  Sheet hostile = sheet_from_json(json, "hostile.json");
  for (SheetPrice& price : hostile.prices) {
    if (&price != &hostile.prices.front()) price.excluded = words;
  }
  for (AccuracyGroup& group : hostile.accuracy->all.by_framework) group.name = words;
  for (Row& row : hostile.rows) {
    for (MemoryTerm& term : row.terms) {
      term.formula = {words, {{words, 1.5}}, {{words, words, 2}}};
    }
  }
  for (SheetAdviceTopic& topic : hostile.advice->topics) {
    for (SheetAdviceEntry& entry : topic.entries) {
      for (SheetAdviceRun& run : entry.runs) run.request["model"] = words;
    }
  }
  return hostile;
}

/// What the sample must show, so that a writer draws every state.
TEST(HtmlWriter, every_state_occurs_in_the_sample) {
  using Holds = bool (*)(const Row&);
  const std::pair<const char*, Holds> states[] = {
      {"refused", [](const Row& row) { return !row.modelled; }},
      {"fits nowhere", [](const Row& row) { return row.verdict == Verdict::kNo; }},
      {"tight at most", [](const Row& row) { return row.tight && !row.rentable; }},
      {"tight on fewer", [](const Row& row) { return row.rentable && *row.tight < *row.rentable; }},
      {"without a price",
       [](const Row& row) { return row.verdict == Verdict::kFits && !row.rents[kOnDemand]; }},
      {"not sold", [](const Row& row) { return row.rents[kOnDemand] && !row.own; }},
      {"only sold", [](const Row& row) { return row.own && !row.own->advice; }},
      {"never breaks even",
       [](const Row& row) {
         return row.own && row.own->advice && !row.own->break_even_hours_per_month;
       }},
      {"close", [](const Row& row) { return row.own && row.own->close; }},
      {"buy", [](const Row& row) { return row.own && row.own->advice == "buy"; }},
      {"every tier", [](const Row& row) { return row.rents[kSpot] && row.rents[kReserved1y]; }},
      {"late", [](const Row& row) { return row.deadline_gpus.has_value(); }}};
  const std::vector<Row>& rows = sample_sheet().rows;
  for (const auto& [state, holds] : states) EXPECT_TRUE(std::ranges::any_of(rows, holds)) << state;
}

TEST(HtmlWriter, the_tiny_site_matches_the_kept_one) {
  for (const auto& [name, text] : site(tiny_sheet())) {
    if (is_page(name)) expect_golden("site-tiny/" + name, text);
  }
}

TEST(HtmlWriter, writes_a_page_for_every_model_and_the_assets) {
  std::vector<std::string> names;
  for (const auto& [name, text] : site(tiny_sheet())) names.push_back(name);
  EXPECT_EQ(join(names, " "),
            "accuracy.html advice.html answer.js answers.js calculator.html early.js filters.js "
            "frameworks.html glossary.html gpus-needed.html gpus.html gpus/gb10.html "
            "gpus/h100-sxm.html guides.html index.html "
            "method.html models/llama-3.1-70b.html models/llama-3.1-8b.html own.html prices.html "
            "rows.html rows.js style.css table.js");
}

TEST(HtmlWriter, only_the_page_of_the_calculator_runs_its_engine) {
  FileSet files = {{kCalculatorEngine, "engine"}, {kCalculatorFacts, "facts"}};
  write_site(tiny_sheet(), builtin_templates(), 1, files);
  EXPECT_EQ(files.at(kCalculatorEngine), "engine");
  for (const auto& [name, text] : files) {
    if (!is_page(name)) continue;
    const bool runs = name == "calculator.html";
    EXPECT_EQ(count(text, "wasm-unsafe-eval"), runs ? 1U : 0U) << name;
    EXPECT_EQ(count(text, kCalculatorEngine), runs ? 1U : 0U) << name;
  }
  const FileSet without = site(tiny_sheet());
  EXPECT_EQ(count(without.at("calculator.html"), "wasm-unsafe-eval"), 0U);
  EXPECT_EQ(count(without.at("calculator.html"), "sizesheet ask llama-3.1"), 1U);
  EXPECT_FALSE(without.contains("calculator-page.js"));
}

TEST(HtmlWriter, hostile_words_stay_words_on_every_page) {
  for (const auto& [name, text] : site(poisoned(tiny_sheet(), "<script>alert('x')</script>&\"`"))) {
    if (!is_page(name)) continue;
    const bool several =
        contains({"index.html", "gpus-needed.html", "rows.html", "prices.html"}, name);
    EXPECT_EQ(count(text, "<script"), several ? 3U : 1U) << name << ": only the page's own";
    EXPECT_GT(count(text, "&lt;script&gt;alert(&apos;x&apos;)&lt;/script&gt;&amp;&quot;"), 2U)
        << name;  // the frame alone holds three
    EXPECT_EQ(count(text, "alert('x')"), 0U) << name;
    EXPECT_TRUE(all_of(text, R"(<[^>]*\s(on[a-z]+)=)").empty()) << name;
  }
}

TEST(HtmlWriter, only_https_sources_become_links) {
  Sheet sheet = tiny_sheet();
  sheet.prices[0].source = "https://example.invalid/prices";
  sheet.prices[1].source = "javascript:alert(1)";
  const std::string page = site(sheet).at("prices.html");
  EXPECT_EQ(count(page, "href=\"https://example.invalid/prices\""), 1U);
  EXPECT_EQ(count(page, "href=\"javascript"), 0U);
  EXPECT_EQ(count(page, "javascript:alert(1)"), 1U);
}

TEST(HtmlWriter, ids_are_unique_and_every_link_within_the_site_leads_somewhere) {
  const FileSet& files = sample_site();
  std::map<std::string, std::set<std::string>> ids;
  for (const auto& [name, text] : files) {
    for (const std::string& id : values_of(text, " id=\"")) {
      EXPECT_TRUE(ids[name].insert(id).second) << name << ": " << id << " twice";
    }
  }
  const std::set<std::string> others = {"sheet.pdf",  "sheet.xlsx", "sheet.csv",
                                        "sheet.json", "prices.csv", "charges.csv"};
  for (const auto& [name, text] : files) {
    if (!is_page(name)) continue;
    const std::string folder = name.starts_with("models/") ? "models/" : "";
    for (const std::string& href : values_of(text, " href=\"")) {
      if (href.starts_with("data:") || href.starts_with("https:")) continue;
      const std::size_t hash = href.find('#');
      std::string file = href.substr(0, hash);
      file = file.empty() ? name : file.starts_with("../") ? file.substr(3) : folder + file;
      if (others.contains(file)) continue;
      ASSERT_TRUE(files.contains(file)) << name << ": " << href;
      if (hash == std::string::npos) continue;
      EXPECT_TRUE(ids[file].contains(href.substr(hash + 1))) << name << ": " << href;
    }
  }
}

TEST(HtmlWriter, every_row_of_the_sheet_stands_once_in_the_list) {
  const Sheet& sheet = sample_sheet();
  const std::vector<std::string> keys = values_of(sample_site().at("rows.html"), "<tr id=\"");
  ASSERT_EQ(keys.size(), sheet.rows.size());
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(keys[i], sheet.rows[i].key());
}

TEST(HtmlWriter, every_row_has_its_bill_with_every_term) {
  const Sheet& sheet = sample_sheet();
  const FileSet& files = sample_site();
  for (const SheetModel& model : sheet.models) {
    std::size_t rows = 0;
    std::size_t terms = 0;
    for (const Row& row : sheet.rows) {
      if (row.model != model.id) continue;
      ++rows;
      terms += row.terms.size() + row.cost_terms.size() + row.quantity_terms.size();
    }
    const std::string& page = files.at("models/" + model.id + ".html");
    EXPECT_EQ(count(page, "<div class=\"proof\">"), rows) << model.id;
    EXPECT_EQ(count(page, "<td class=\"formula\">"), terms) << model.id;
  }
}

TEST(HtmlWriter, a_sheet_nothing_fits_on_still_has_its_pages) {
  Sheet sheet = tiny_sheet();
  for (Pick& pick : sheet.picks) {
    pick.rent_key.reset();
    pick.hourly_key.reset();
    pick.buy_key.reset();
    pick.own.reset();
    pick.rent_why = "nothing fits";
  }
  for (Row& row : sheet.rows) {
    row.verdict = Verdict::kNo;
    row.rentable.reset();
    row.tight.reset();
    row.rents[kOnDemand].reset();
    row.own.reset();
    row.owned.reset();
  }
  sheet.series.clear();
  const FileSet files = site(sheet);
  EXPECT_EQ(count(files.at("index.html"), "none fits"), 4U);
  EXPECT_EQ(count(files.at("models/llama-3.1-8b.html"), "<p class=\"card-setup\">no set-up</p>"),
            2U);
}

TEST(HtmlWriter, a_sheet_without_scenario_is_refused) {
  Sheet sheet = tiny_sheet();
  sheet.scenarios.clear();
  FileSet files;
  EXPECT_THROW(write_site(sheet, builtin_templates(), 1, files), InputError);
}

}  // namespace
}  // namespace sizesheet
