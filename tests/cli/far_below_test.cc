// SPDX-License-Identifier: Apache-2.0
// A pick that costs less than a third of what the next seller leads to: one value decides, and
// every form of an edition, the answer of `ask` and the comparison say the same sentence.
#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "cli/edition_files.h"
#include "cli/program.h"
#include "cli/small_sheet.h"
#include "render/diff/markdown.h"
#include "render/diff/text.h"
#include "render/pdf/panels/panel_findings.h"
#include "render/xlsx/answer_sheet.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/table.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/changes.h"
#include "sheet/diff/causes.h"
#include "sheet/diff/edition.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/rows/size_row.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sizing/memory/verdict.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

constexpr const char* kSentence =
    "costs less than a third of the next offer: check the price before you order";

Price cheap_price(const std::string& provider, double usd_per_instance_hour) {
  Price price;
  price.provider = provider;
  price.region = "own";
  price.instance = "8x";
  price.gpu = "h100-sxm";
  price.gpus = 8;
  price.tier = "on_demand";
  price.offer = "list";
  price.as_of = "2026-11-19";
  price.source = "our contract";
  price.usd_per_instance_hour = rounded_usd(usd_per_instance_hour);
  return price;
}

/// The small sheet's set-ups where these sellers offer eight H100 at these dollars, too.
Sheet sheet_with(const std::vector<std::pair<std::string, double>>& offers) {
  Catalog catalog = project_catalog();
  for (const auto& [provider, usd] : offers) catalog.prices.push_back(cheap_price(provider, usd));
  return build_sheet(catalog, spec_of(small_json()), EditionLabels{}, 1,
                     [](std::size_t, std::size_t) {});
}

const Sheet& cheap_sheet() {
  static const Sheet kSheet = sheet_with({{"acme", 2}});
  return kSheet;
}

TEST(FarBelow, NoPickOfTheQuarterlySheetIs) {
  for (const Pick& pick : quarterly_sheet().picks) EXPECT_FALSE(pick.far_below_next) << pick.key();
  for (const SheetRisk& risk : quarterly_sheet().risks) EXPECT_NE(risk.id, "far-below-next");
}

TEST(FarBelow, APickIsHeldAgainstTheLowestUpperEndOfAnotherSeller) {
  ASSERT_EQ(cheap_sheet().picks.size(), 2U);
  for (const Pick& pick : cheap_sheet().picks) {
    SCOPED_TRACE(pick.why);
    EXPECT_EQ(pick.provider, "acme");
    ASSERT_TRUE(pick.far_below_next);
    EXPECT_GT(*pick.far_below_next, 0.0);
    EXPECT_LT(*pick.far_below_next, 1.0 / 3);
    EXPECT_TRUE(pick.rent_why.ends_with(std::string("; ") + kSentence)) << pick.rent_why;
    EXPECT_EQ(far_below_words(pick), kSentence);
  }
}

TEST(FarBelow, ASecondSellerNearByMakesItAnOffer) {
  const Sheet sheet = sheet_with({{"acme", 2}, {"other", 5}});
  for (const Pick& pick : sheet.picks) {
    EXPECT_EQ(pick.provider, "acme");
    EXPECT_FALSE(pick.far_below_next) << pick.why;
    EXPECT_EQ(pick.rent_why.find(kSentence), std::string::npos);
  }
}

TEST(FarBelow, EveryFormOfAnEditionSaysTheSentence) {
  const Sheet& sheet = cheap_sheet();
  const FileSet files = edition_files(sheet, edition_templates(""), [](const std::string&) {});
  const auto holds = [&](const char* file, const std::string& words) {
    return files.at(file).find(words) != std::string::npos;
  };
  EXPECT_TRUE(holds("index.html", kSentence));
  EXPECT_TRUE(holds("models/llama-3.1-8b.html", std::string("C") + (kSentence + 1) + "."));
  EXPECT_TRUE(holds("sheet.csv", kSentence));
  EXPECT_TRUE(holds("sheet.json", "\"far_below_next\":0."));
  EXPECT_TRUE(holds("sheet.json", kSentence));
  const std::vector<pdf::Finding> findings = pdf::findings_of(sheet).findings;
  EXPECT_TRUE(std::ranges::any_of(findings, [](const pdf::Finding& finding) {
    return finding.before == "2 of 2" &&
           finding.subject == "are far below the next offer: check the price first";
  })) << "on the handout";
  const xlsx::Table answer = xlsx::answer_table(sheet, xlsx::inputs_of(sheet));
  for (const xlsx::TableRow& row : answer.rows) {
    EXPECT_EQ(row.cells.at("check"), xlsx::cell(std::string(kSentence)));
  }
}

TEST(FarBelow, AFormWithoutSuchAPickHasNoWordOfIt) {
  for (const auto& [name, text] : small_files()) {
    EXPECT_EQ(text.find(kSentence), std::string::npos) << name;
  }
  const xlsx::Table answer = xlsx::answer_table(small_sheet(), xlsx::inputs_of(small_sheet()));
  for (const xlsx::Column& column : answer.columns) EXPECT_NE(column.key, "check");
}

TEST(FarBelow, AComparisonSaysWhereItBegins) {
  const SheetChanges changes = diff_editions(edition_of(small_sheet(), "old.json"),
                                             edition_of(cheap_sheet(), "new.json"), {});
  std::size_t said = 0;
  for (const Change& change : changes.changes) said += change.is("far_below_next") ? 1 : 0;
  EXPECT_EQ(said, 2U);
  EXPECT_NE(diff_text(changes, {}).find(kSentence), std::string::npos) << diff_text(changes, {});
  const std::string markdown = diff_markdown(changes, true);
  EXPECT_NE(markdown.find("less than a third of the next offer"), std::string::npos) << markdown;
  const SheetChanges still = diff_editions(edition_of(cheap_sheet(), "old.json"),
                                           edition_of(cheap_sheet(), "new.json"), {});
  for (const Change& change : still.changes) EXPECT_FALSE(change.is("far_below_next"));
}

/// Ours over the built-in catalog: a price that nobody confirmed, or somebody did.
class FarBelowAsked : public InFolder {
 protected:
  Outcome asked(bool confirmed, const Words& more = {}) const {
    Json file = price_file("acme", "h100-sxm", "2026-11-19");
    file["rows"][0]["usd_per_instance_hour"] = 2;
    if (confirmed) file["rows"][0]["confirmed"] = "read twice";
    dir_.write("ours/prices/acme.json", file.dump(2));
    return told(with({"ask", "llama-3.1-8b", "--method", "lora", "--gpu", "h100", "--catalog",
                      "builtin", "--catalog", at("ours")},
                     more));
  }
};

TEST_F(FarBelowAsked, AnUnconfirmedPriceIsNotPickedAndAConfirmedOneSaysSo) {
  const Outcome doubted = asked(false);
  EXPECT_EQ(doubted.code, 0) << doubted.err;
  EXPECT_EQ(doubted.out.find("acme"), std::string::npos) << doubted.out;
  const Outcome taken = asked(true);
  EXPECT_EQ(taken.code, 0) << taken.err;
  EXPECT_NE(taken.out.find("acme"), std::string::npos) << taken.out;
  EXPECT_NE(taken.out.find("\n        " + std::string(kSentence) + "\n"), std::string::npos)
      << taken.out;
  const Json pick = parse_json(asked(true, {"--json"}).out, "ask").at("answers")[0].at("pick");
  EXPECT_LT(pick.at("far_below_next").get<double>(), 1.0 / 3);
  EXPECT_NE(pick.at("why").get<std::string>().find(kSentence), std::string::npos);
}

}  // namespace
}  // namespace sizesheet
