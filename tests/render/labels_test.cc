// SPDX-License-Identifier: Apache-2.0
// The list of labels is what the forms say; the other language that is shipped has all of them and
// no other; and an edition in it has none left in English.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "catalog/facts/engine_constants.h"
#include "catalog/prices/price.h"
#include "cli/run.h"
#include "cost/cost_line.h"
#include "cost/ownership.h"
#include "cost/project_cost.h"
#include "render/charts.h"
#include "render/html/answer_lines.h"
#include "render/html/html_writer.h"
#include "render/html/page_words.h"
#include "render/html/templates/templates.h"
#include "render/pdf/layout_checks.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/table/columns.h"
#include "render/sample_sheet.h"
#include "render/xlsx/answer_sheet.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/ownership_table.h"
#include "render/xlsx/plan_table.h"
#include "render/xlsx/prices_table.h"
#include "render/xlsx/project_table.h"
#include "render/xlsx/rent_table.h"
#include "render/xlsx/services_table.h"
#include "render/xlsx/sheets.h"
#include "render/xlsx/table.h"
#include "sheet/assemble/shown.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sheet/spec_words.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "support/error.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

using Labels = std::set<std::string>;

bool is_word(const std::string& text) {
  static const std::regex kWord("[A-Za-z]{2}|^[A-Z]$|\\$");
  return std::regex_search(text, kWord) && text.find("{{") == text.npos;
}

std::string plain(std::string text) {
  for (const auto& [entity, character] : {std::pair{"&nbsp;", " "},
                                          {"\u00a0", " "},
                                          {"&apos;", "'"},
                                          {"&quot;", "\""},
                                          {"&#39;", "'"},
                                          {"&lt;", "<"},
                                          {"&gt;", ">"},
                                          {"&amp;", "&"}}) {
    for (std::size_t at = text.find(entity); at != text.npos; at = text.find(entity, at + 1)) {
      text.replace(at, std::string_view(entity).size(), character);
    }
  }
  const std::size_t first = text.find_first_not_of(" \n");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \n") + 1 - first);
}

/// Elements whose text is a label, and those where it is one if it is short.
const std::set<std::string> kHeads = {"th",      "h1",      "h2",         "h3",    "h4",
                                      "caption", "dt",      "button",     "label", "legend",
                                      "option",  "summary", "figcaption", "text"};
const std::set<std::string> kShort = {"a", "span", "strong", "td", "/span"};

/// Of a drawn page, those whose texts stand in no template.
const std::set<std::string> kDrawn = {"text", "figcaption"};

/// Calls `visit` with every text between two tags, and the tag before it.
template <typename Visit>
void each_text(const std::string& page, const Visit& visit) {
  for (std::size_t open = page.find('<'); open != page.npos; open = page.find('<', open + 1)) {
    const std::size_t close = page.find('>', open);
    if (close == page.npos) return;
    const std::string tag = page.substr(open + 1, page.find_first_of(" >{", open) - open - 1);
    visit(tag, page.substr(close + 1, page.find('<', close) - close - 1));
  }
}

/// Parts of a template's text that stand alone in what is drawn: cut where a section begins or
/// ends.
std::vector<std::string> alone(const std::string& text) {
  static const std::regex kSection(R"(\{\{[#^/][^}]*\}\})");
  return {std::sregex_token_iterator(text.begin(), text.end(), kSection, -1), {}};
}

void add_templates(Labels& labels) {
  constexpr std::size_t kMostShort = 40;
  static const std::regex kBegins("^[A-Za-z$~%]");
  for (const auto& [name, text] : builtin_templates()) {
    if (!name.ends_with(kTemplateSuffix)) continue;
    each_text(text, [&](const std::string& tag, const std::string& within) {
      if (!kHeads.contains(tag) && !kShort.contains(tag)) return;
      for (const std::string& part : alone(within)) {
        const std::string label = plain(part);
        const bool sentence = label.ends_with(".") || label.ends_with(";") || label.ends_with(":");
        const bool begins = std::regex_search(label, kBegins);
        const bool brief = label.size() <= kMostShort && !sentence && begins;
        if (is_word(label) && begins && (kHeads.contains(tag) || brief)) labels.insert(label);
      }
    });
    static const std::regex kAttribute(R"re((placeholder|aria-label|data-name)="([^"{]*)")re");
    for (std::sregex_iterator at(text.begin(), text.end(), kAttribute), end; at != end; ++at) {
      if (is_word((*at)[2])) labels.insert(plain((*at)[2]));
    }
  }
  static const std::regex kScript(R"(make\('button', '([^']+)')");
  const std::string script = builtin_templates().at("filters.js");
  for (std::sregex_iterator at(script.begin(), script.end(), kScript), end; at != end; ++at) {
    labels.insert((*at)[1]);
  }
  for (const char* said : {"Copied", "Sorted"}) labels.insert(said);
}

void add_strings(const Json& json, Labels& strings) {
  if (json.is_string()) strings.insert(json.get<std::string>());
  if (!json.is_structured()) return;
  for (const Json& part : json) add_strings(part, strings);
}

/// What a sheet itself says: names, sentences, sources.
const Labels& said_by_sheets() {
  static const Labels kSaid = [] {
    Labels said;
    for (const Sheet* sheet : {&quarterly_sheet(), &changed_sheet(), &sample_sheet()}) {
      add_strings(to_json(*sheet), said);
    }
    return said;
  }();
  return kSaid;
}

/// A text drawn that no sheet says and that has no figure.
void add_drawn(const std::string& text, Labels& labels) {
  static const std::regex kFigure("[0-9…:]");
  const std::string label = plain(text);
  const bool figure = std::regex_search(label, kFigure);
  if (!figure && is_word(label) && !said_by_sheets().contains(label)) labels.insert(label);
}

void add_pages(const Sheet& sheet, Labels& labels) {
  FileSet files;
  write_site(sheet, builtin_templates(), 1, files);
  for (const auto& [name, page] : files) {
    if (!name.ends_with(".html")) continue;
    each_text(page, [&](const std::string& tag, const std::string& text) {
      if (kDrawn.contains(tag)) add_drawn(text, labels);
    });
  }
}

void add_handout(const Sheet& sheet, Labels& labels) {
  for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
    for (const pdf::TextRun& run : pdf::text_runs(pdf::page_of(sheet, paper))) {
      if (run.style.size != pdf::kSentenceText) add_drawn(run.text, labels);
    }
  }
}

void add_workbook(const Sheet& sheet, Labels& labels) {
  const std::vector<xlsx::Input> inputs = xlsx::inputs_of(sheet);
  for (const xlsx::Table& table :
       {xlsx::answer_table(sheet, inputs), xlsx::plan_pools_table(sheet, inputs),
        xlsx::plan_runs_table(sheet), xlsx::machines_table(sheet),
        xlsx::ownership_table(sheet, inputs), xlsx::prices_table(sheet), xlsx::project_table(sheet),
        xlsx::scenarios_table(sheet), xlsx::rent_table(sheet), xlsx::services_table(sheet),
        xlsx::sizing_table(sheet), xlsx::terms_table(sheet)}) {
    for (const xlsx::Column& column : table.columns) {
      for (const std::string& text : {column.group, column.title, column.note}) {
        if (is_word(text)) labels.insert(plain(text));
      }
    }
  }
}

/// Words that stand in tables of the program and that pages print whole.
void add_tables(Labels& labels) {
  for (const SitePage& page : site_pages()) labels.insert(page.name);
  for (const char* title : kAnswerTitles) labels.insert(title);
  for (const TermFacts& term : kTerms) {
    for (const char* name : {term.title, term.words}) labels.insert(name);
  }
  for (const VerdictFacts& verdict : kVerdicts) labels.insert(verdict.answer);
  for (const SheetTier& tier : kRentTiers) {
    for (const char* name : {tier.title, tier.words}) labels.insert(name);
  }
  for (const auto& entry : kSegments) labels.insert(segment_words(entry.value));
  for (const pdf::Column& column : pdf::table_columns()) {
    for (const char* head : {column.upper, column.lower}) {
      if (head != nullptr && is_word(head)) labels.insert(plain(head));
    }
  }
  for (const char* advice : {"buy", "rent", "close", "never"}) labels.insert(advice);
  for (const Row& row : quarterly_sheet().rows) {
    for (const CostLine& line : row.cost_terms) labels.insert(line.title);
    for (const QuantityLine& line : row.quantity_terms) labels.insert(line.title);
    for (const StepClock& clock : row.clocks) labels.insert(clock.title);
  }
  const ProjectTerms project{{1'000'000}, 1,           1, 0,           1, 1,          1,
                             1,           {1'000'000}, 1, {1'000'000}, 1, {1'000'000}};
  for (const CostLine& line : explain_project(project)) labels.insert(line.title);
}

std::string listed() {
  Labels labels;
  add_templates(labels);
  add_tables(labels);
  for (const Sheet* sheet : {&quarterly_sheet(), &changed_sheet()}) {
    add_pages(*sheet, labels);
    add_handout(*sheet, labels);
  }
  add_workbook(quarterly_sheet(), labels);
  // Words that scripts know, and what follows from the sheets drawn.
  for (const char* no : {"breaking", "notable", "detail", "Aug", "memory, own $/month"}) {
    labels.erase(no);
  }
  Json list = Json::object();
  for (const std::string& label : labels) list[label] = label;
  return list.dump(1) + "\n";
}

Json shipped(const std::string& language) {
  const std::string name = "catalog/labels/" + language + ".json";
  return parse_json(read_file(fs::path(SIZESHEET_SOURCE_DIR) / name), name);
}

/// The quarterly sheet in German and euros, as people read it.
const Sheet& german() {
  static const Sheet kSheet = [] {
    Sheet sheet = quarterly_sheet();
    sheet.meta.exchange.emplace();
    static_cast<ExchangeRate&>(*sheet.meta.exchange) = {
        "EUR", {1'084'200}, "2026-10-09", "ECB", {}};
    sheet.meta.exchange->symbol = "€";
    sheet.meta.labels.emplace().texts = shipped("de").get<std::map<std::string, std::string>>();
    return as_shown(sheet);
  }();
  return kSheet;
}

/// Labels that read otherwise in German.
Labels english_alone() {
  Labels labels;
  for (const auto& [english, label] : german().meta.labels->texts) {
    if (label != english) labels.insert(in_money(english, german().meta));
  }
  return labels;
}

TEST(Labels, TheListIsWhatTheFormsSay) { expect_kept("catalog/labels/en.json", listed()); }

TEST(Labels, GermanIsComplete) {
  const auto labels_of = [](const std::string& language) {
    Labels labels;
    for (const auto& [label, text] : shipped(language).get<std::map<std::string, std::string>>()) {
      labels.insert(label);
    }
    return labels;
  };
  EXPECT_EQ(labels_of("de"), labels_of("en"));
}

TEST(Labels, AGermanPageHasNoneInEnglish) {
  const Labels english = english_alone();
  FileSet files;
  write_site(german(), builtin_templates(), 1, files);
  std::size_t texts = 0;
  for (const auto& file : files) {
    if (!file.first.ends_with(".html")) continue;
    each_text(file.second, [&](const std::string& tag, const std::string& text) {
      if (tag == "code" || tag == "title") return;
      ++texts;
      EXPECT_FALSE(english.contains(plain(text))) << file.first << ": " << text;
    });
  }
  EXPECT_GT(texts, 1000U);
  EXPECT_NE(files.at("filters.js").find("'Filter löschen'"), std::string::npos);
}

TEST(Labels, AGermanHandoutHasNoneInEnglishAndNothingOverlaps) {
  const Labels english = english_alone();
  for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
    const pdf::PageLayout page = pdf::page_of(german(), paper);
    for (const std::string& fault : pdf::faults(page, paper)) {
      EXPECT_NE(fault.find("' under a mark at"), fault.npos) << fault;  // figures at their discs
    }
    EXPECT_EQ(page.warnings, pdf::page_of(quarterly_sheet(), paper).warnings);
    for (const pdf::TextRun& run : pdf::text_runs(page)) {
      EXPECT_FALSE(english.contains(plain(run.text))) << run.text;
      EXPECT_EQ(run.text.find('$') == run.text.npos || run.text.find("1 EUR") != run.text.npos,
                true)
          << run.text;
    }
  }
}

TEST(Labels, AnUnknownOneIsRefused) {
  const TempDir folder;
  folder.write("xx.json", R"({"Huors": "Stunden", "Full fine-tuning": "Voll"})");
  Faults faults;
  const SheetLabels labels =
      read_labels(folder.path() / "xx.json", quarterly_spec(), project_catalog(), faults);
  ASSERT_EQ(faults.all().size(), 1U);
  EXPECT_EQ(faults.all().front().pointer, "/Huors");
  EXPECT_EQ(faults.all().front().message,
            "expected a label that `sizesheet list labels` prints, got \"Huors\" (did you mean "
            "\"Hours\" or \"hours\"?)");
  EXPECT_EQ(labels.texts.at("Full fine-tuning"), "Voll");
}

TEST(Labels, AreFoundWhereTheyAreAllOfAText) {
  SheetMeta meta;
  meta.labels.emplace().texts = {{"Hours", "Stunden"}, {"fits", "passt"}, {"any", "a \"b\""}};
  EXPECT_EQ(worded_page("<th x>\n Hours </th><p>Hours of</p><code>Hours</code><td>● fits</td>"
                        "<input placeholder=\"any\" name=\"any\">",
                        meta),
            "<th x>\n Stunden </th><p>Hours of</p><code>Hours</code><td>● passt</td>"
            "<input placeholder=\"a &quot;b&quot;\" name=\"any\">");
  EXPECT_EQ(worded_script("f('Hours', 'fits')", meta), "f('Stunden', 'fits')");
}

}  // namespace
}  // namespace sizesheet
