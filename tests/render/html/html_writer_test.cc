// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "render/html/site.h"
#include "render/sample_sheet.h"
#include "render/writers.h"
#include "support/error.h"
#include "support/golden.h"

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

void poison(Accuracy& accuracy, const std::string& words) {
  accuracy.held_out_rule = words;
  for (AccuracySource& source : accuracy.sources) source.title = source.source = words;
  for (AccuracyRow& row : accuracy.rows) {
    row.setup = row.framework = row.evidence = row.refusal = words;
    row.flags = {words};
  }
  for (AccuracyGroup& group : accuracy.all.by_framework) group.name = words;
  for (OutOfModel& reason : accuracy.out_of_model) reason.title = words;
  for (BarResult& bar : accuracy.bars) bar.title = words;
  for (AccuracyInterval& one : accuracy.intervals) one.title = one.basis = words;
}

void poison(SheetFrameworkSet& set, const std::string& words) {
  set.title = set.words = set.gpu_name = set.source = words;
  set.sequences.words = set.layers.words = set.comparison.words = words;
  for (TrainingFramework& one : set.frameworks) one.title = one.words = one.source = words;
  for (SheetFrameworkRow& one : set.rows) one.title = one.words = words;
  for (SheetSequenceSet& one : set.sequences.sets) one.title = words;
  for (SheetComponent& one : set.parameters) one.title = words;
  for (SheetAdapterMode& one : set.adapters) {
    one.title = one.words = words;
    for (SheetAdapterCount& count : one.counts) {
      for (PublishedAdapters& published : count.published) published.source = words;
    }
  }
  for (SheetLayerSet& one : set.layers.sets) {
    one.title = words;
    for (SheetLayerRow& layer : one.rows) layer.title = words;
  }
  for (SheetMethodRow& one : set.comparison.rows) one.title = words;
  for (LaunchRecipe& one : set.recipes) {
    one.title = one.repository = one.path = one.commit = one.hardware = words;
    one.what = one.command = one.source = words;
  }
}

void poison(SheetAdvice& advice, const std::string& words) {
  for (SheetAdviceTopic& topic : advice.topics) {
    topic.title = topic.words = words;
    for (SheetAdviceEntry& entry : topic.entries) {
      entry.title = entry.words = entry.acts_on = entry.cause = entry.remedy = words;
      entry.setting = entry.source = words;
      for (SheetAdviceRun& run : entry.runs) {
        run.title = run.note = words;
        run.request["model"] = words;
      }
    }
  }
  for (SheetPhase& phase : advice.phases) phase.bill = phase.remedy = words;
}

void poison(SheetWorksheet& table, const std::string& words) {
  table.title = table.words = table.source = table.date = table.rows_title = words;
  for (WorksheetColumn& one : table.columns) one.title = words;
  for (SheetWorksheetRow& one : table.rows) {
    one.group = one.title = one.note = words;
    for (auto& [column, text] : one.words) {
      if (column != "verdict") text = words;
    }
  }
}

/// Puts `words` where people, catalogs and providers write free text.
void poison(Sheet& sheet, const std::string& words) {
  sheet.meta.title = words;
  sheet.meta.edition = words;
  for (SheetModel& model : sheet.models) model.title = model.size = model.source = words;
  for (SheetMethod& method : sheet.methods) {
    method.title = method.short_title = method.description = words;
  }
  for (SheetGpu& gpu : sheet.gpus) {
    gpu.name = gpu.short_name = gpu.source = words;
    gpu.vendor = gpu.interconnect = gpu.note = words;
  }
  for (Scenario& scenario : sheet.scenarios) {
    scenario.stack_title = scenario.summary = words;
    scenario.warnings = {words};
  }
  for (SheetPrice& price : sheet.prices) {
    price.provider = price.region = price.instance = price.source = price.note = words;
    price.key = words;
    if (&price != &sheet.prices.front()) price.excluded = words;
  }
  for (auto* estimates : {&sheet.purchase_nodes, &sheet.rates}) {
    for (SheetEstimate& estimate : *estimates) {
      estimate.title = estimate.unit = estimate.source = estimate.note = words;
    }
  }
  for (SheetConstant& constant : sheet.constants) constant.reason = constant.source = words;
  for (Row& row : sheet.rows) {
    row.binding = row.refusal = words;
    row.warnings = {words};
    for (MemoryTerm& term : row.terms) {
      term.title = term.source = term.formula.text = words;
      term.formula.inputs = {{words, 1.5}};
      term.formula.steps = {{words, words, 2}};
    }
    for (CostLine& term : row.cost_terms) term.title = term.unit = term.source = words;
    for (QuantityLine& term : row.quantity_terms) term.title = term.unit = term.source = words;
    if (row.own) row.own->node_title = words;
  }
  for (Pick& pick : sheet.picks) pick.rent_why = words;
  for (SheetWhatIf& all : sheet.what_if) {
    for (SheetLever& lever : all.levers) lever.title = lever.gives_up = lever.term = words;
  }
  poison(*sheet.accuracy, words);
  for (SheetGuide& guide : sheet.guides) {
    guide.title = guide.publisher = guide.source = guide.words = guide.dated = words;
    for (SheetGuideRule& rule : guide.rules) rule.part = rule.words = words;
    for (SheetGuideFigure& figure : guide.figures) {
      figure.where = figure.what = figure.unit = figure.reason = words;
    }
  }
  for (GuideDifference& difference : sheet.guide_differences) {
    difference.title = difference.guides = difference.sheet = difference.source = words;
  }
  for (SheetFrameworkSet& set : sheet.frameworks) poison(set, words);
  poison(*sheet.advice, words);
  for (SheetWorksheet& table : sheet.worksheets) poison(table, words);
}

TEST(HtmlWriter, the_tiny_site_matches_the_kept_one) {
  for (const auto& [name, text] : site(tiny_sheet())) {
    if (is_page(name)) expect_golden("site-tiny/" + name, text);
  }
}

TEST(HtmlWriter, writes_a_page_for_every_model_and_the_assets) {
  std::set<std::string> names;
  for (const auto& [name, text] : site(tiny_sheet())) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"accuracy.html",
                                          "advice.html",
                                          "calculator.html",
                                          "frameworks.html",
                                          "glossary.html",
                                          "gpus.html",
                                          "gpus/gb10.html",
                                          "gpus/h100-sxm.html",
                                          "guides.html",
                                          "index.html",
                                          "method.html",
                                          "models/llama-3.1-70b.html",
                                          "models/llama-3.1-8b.html",
                                          "own.html",
                                          "prices.html",
                                          "rows.html",
                                          "rows.js",
                                          "early.js",
                                          "filters.js",
                                          "style.css",
                                          "table.js"}));
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
  Sheet sheet = tiny_sheet();
  poison(sheet, "<script>alert('x')</script>&\"`");
  for (const auto& [name, text] : site(sheet)) {
    if (!is_page(name)) continue;
    const bool filters = name == "index.html" || name == "rows.html" || name == "prices.html";
    EXPECT_EQ(count(text, "<script"), filters ? 3U : 1U) << name << ": only the page's own";
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
  const Sheet sheet = sample_sheet();
  const std::vector<std::string> keys = values_of(sample_site().at("rows.html"), "<tr id=\"");
  ASSERT_EQ(keys.size(), sheet.rows.size());
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(keys[i], sheet.rows[i].key());
}

TEST(HtmlWriter, every_row_has_its_bill_with_every_term) {
  const Sheet sheet = sample_sheet();
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

TEST(HtmlWriter, unknown_is_a_dash_and_never_zero) {
  const Sheet sheet = tiny_sheet();
  const std::string list = site(sheet).at("rows.html");
  const std::string row = list.substr(list.find("<tr id=\"llama-3.1-8b/full/gb10/main\""));
  const std::string cells = row.substr(0, row.find("</tr>"));
  EXPECT_NE(cells.find("<td class=\"answer\" data-v=\"\">–</td>"), std::string::npos) << cells;
}

TEST(HtmlWriter, a_sheet_without_scenario_is_refused) {
  Sheet sheet = tiny_sheet();
  sheet.scenarios.clear();
  FileSet files;
  EXPECT_THROW(write_site(sheet, builtin_templates(), 1, files), InputError);
}

}  // namespace
}  // namespace sizesheet
