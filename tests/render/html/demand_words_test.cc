// SPDX-License-Identifier: Apache-2.0
// The word "buy" is printed only where a demand is stated, and two cells of a site never answer
// one question differently.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "render/html/site.h"
#include "render/pdf/layout_checks.h"
#include "render/pdf/page/page_layout.h"
#include "render/sample_sheet.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"

namespace sizesheet {
namespace {

/// What a reader sees of a page.
std::string seen(const std::string& page) {
  std::string text;
  bool inside = false;
  for (const char c : page) {
    if (c == '<') inside = true;
    if (!inside) text += c;
    if (c == '>') {
      inside = false;
      text += ' ';
    }
  }
  return text;
}

bool says_buy(const std::string& text) {
  static const std::regex kBuy("\\bbuy\\b");
  return std::regex_search(text, kBuy);
}

const FileSet& quarterly_site() {
  static const FileSet kFiles = site(quarterly_sheet());
  return kFiles;
}

/// The same sheet with a demand that decides its first job.
Sheet decided_sheet(RentOrOwn word) {
  Sheet sheet = quarterly_sheet();
  Pick& first = sheet.picks.front();
  first.own->decision = word;
  for (Row& row : sheet.rows) {
    const bool same = row.model == first.model && row.method == first.method;
    if (same && row.owned && sheet.is_main(row)) row.owned->decision = word;
  }
  return sheet;
}

TEST(DemandWords, NoPageSaysBuyWithoutAStatedDemand) {
  std::size_t pages = 0;
  for (const auto& [name, text] : quarterly_site()) {
    if (!name.ends_with(".html")) continue;
    ++pages;
    EXPECT_FALSE(says_buy(seen(text))) << name;
  }
  EXPECT_GT(pages, 20U);
}

TEST(DemandWords, NoHandoutSaysBuyWithoutAStatedDemand) {
  for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
    EXPECT_FALSE(says_buy(pdf::all_text(pdf::page_of(quarterly_sheet(), paper))));
  }
}

TEST(DemandWords, AStatedDemandHasItsWordOnEveryForm) {
  for (const RentOrOwn word : {RentOrOwn::kRent, RentOrOwn::kClose, RentOrOwn::kBuy}) {
    const Sheet sheet = decided_sheet(word);
    const std::string said(facts_of(word).id);
    const FileSet files = site(sheet);
    const std::string cell = ", <span class=\"" + said + "\">" + said + "</span></td>";
    EXPECT_EQ(count(files.at("index.html"), cell), 1U) << said;
    EXPECT_EQ(count(files.at("gpus-needed.html"), cell), 1U) << said;
    EXPECT_EQ(count(files.at("own.html"), cell), 1U) << said;
    const std::string page = files.at("models/" + sheet.picks.front().model + ".html");
    EXPECT_EQ(count(page, "<dt>By the plan</dt><dd class=\"advice " + said + "\">" + said), 1U);
  }
}

/// The cells that say from when owning pays, by model and method.
void add_cells(const Sheet& sheet, const std::string& page,
               std::map<std::string, std::set<std::string>>& said) {
  static const std::regex kLine("<tr data-row=\"([^\"]+)\">[^\\n]*");
  static const std::regex kCell("<td class=\"advice [a-z]+\"[^>]*>([^<]*)</td>");
  for (std::sregex_iterator line(page.begin(), page.end(), kLine), end; line != end; ++line) {
    const Row* row = sheet.find((*line)[1].str());
    if (row == nullptr || !holds(row->verdict)) continue;
    const std::string text = line->str();
    std::smatch cell;
    if (!std::regex_search(text, cell, kCell)) continue;
    said[row->model + "/" + row->method].insert(cell[1].str());
  }
}

TEST(DemandWords, APageOfAGpuAndThatOfOwningSayTheSame) {
  const Sheet& sheet = quarterly_sheet();
  std::map<std::string, std::set<std::string>> said;
  for (const auto& [name, text] : quarterly_site()) {
    if (name.starts_with("gpus/") || name == "own.html") add_cells(sheet, text, said);
  }
  EXPECT_GT(said.size(), 20U);
  for (const auto& [job, cells] : said) EXPECT_EQ(cells.size(), 1U) << job;
}

}  // namespace
}  // namespace sizesheet
