// SPDX-License-Identifier: Apache-2.0
// On one card QLoRA needs less memory than LoRA, and at least its hours; and it costs less. Where
// that is not so, the row or the pick says why, with the figures of both.
#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "support/due.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kLora = "lora-r16";
constexpr const char* kQlora = "qlora-r16";

/// What a reader expects of QLoRA; rows that could not be timed say nothing of hours.
bool as_expected(const Row& row, const Row& lora) {
  const bool quicker = row.hours_mid && lora.hours_mid && *row.hours_mid < *lora.hours_mid;
  return row.memory.device < lora.memory.device && !quicker;
}

/// A reader sees which of the two is quicker.
void expect_hours_apart(const std::string& words, double mine, double its) {
  static const std::regex kHours(R"(takes ([\d.,]+) h \(LoRA: ([\d.,]+) h\))");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(words, found, kHours)) << words;
  const auto hours = [&](std::size_t group) {
    std::string digits = found[group];
    std::erase(digits, ',');
    return std::stod(digits);
  };
  EXPECT_LT(hours(1), hours(2)) << words;
  EXPECT_NEAR(hours(1), mine, 0.006 + 0.051 * mine) << words;
  EXPECT_NEAR(hours(2), its, 0.006 + 0.051 * its) << words;
}

void expect_rows_explained(const Sheet& sheet, int& explained) {
  for (const Row& row : sheet.rows) {
    const Row* lora = sheet.find(row.model, kLora, row.gpu, row.scenario);
    const bool beside = row.method == kQlora && row.modelled && lora != nullptr && lora->modelled;
    if (!beside || as_expected(row, *lora)) {
      EXPECT_EQ(row.beside_lora, "") << row.key();
      continue;
    }
    ++explained;
    EXPECT_TRUE(row.beside_lora.starts_with("QLoRA ")) << row.key() << row.beside_lora;
    EXPECT_NE(row.beside_lora.find(". The set-ups differ: "), std::string::npos)
        << row.key() << ": " << row.beside_lora;
    if (row.memory.device >= lora->memory.device) {
      const std::string words = "needs " + format_gib(row.memory.device, 1) +
                                " GiB per GPU (LoRA: " + format_gib(lora->memory.device, 1) + ")";
      EXPECT_NE(row.beside_lora.find(words), std::string::npos) << row.beside_lora;
    }
    if (row.hours_mid && lora->hours_mid && *row.hours_mid < *lora->hours_mid) {
      expect_hours_apart(row.beside_lora, *row.hours_mid, *lora->hours_mid);
    }
  }
}

const RunCandidate* rented(const Sheet& sheet, const std::string& model, const char* method) {
  const Pick* pick = sheet.pick(model, method);
  return pick == nullptr || !pick->rent_key ? nullptr : sheet.find(*pick->rent_key)->set_up();
}

void expect_picks_explained(const Sheet& sheet, int& dearer) {
  for (const Pick& pick : sheet.picks) {
    if (pick.method != kQlora) continue;
    const RunCandidate* run = rented(sheet, pick.model, kQlora);
    const RunCandidate* lora = rented(sheet, pick.model, kLora);
    if (run == nullptr || lora == nullptr) continue;
    const std::string words = "; LoRA costs " + usd_words(lora->usd.mid) + " on " +
                              std::to_string(lora->gpus) + " × " + sheet.gpu(lora->gpu).short_name +
                              ", ";
    const bool costs_more = lora->usd.mid < run->usd.mid;
    EXPECT_EQ(pick.why.find(words) != std::string::npos, costs_more) << pick.why;
    dearer += costs_more ? 1 : 0;
  }
}

TEST(BesideLora, TheQuarterlySheetExplainsWhatIsNotAsExpected) {
  int explained = 0;
  int dearer = 0;
  expect_rows_explained(quarterly_sheet(), explained);
  expect_picks_explained(quarterly_sheet(), dearer);
  EXPECT_GT(explained, 20);  // TRL trains the adapters of a quantised base in 16 bits
}

TEST(BesideLora, SheetsOfRandomPricesExplainADearerPick) {
  const SheetSpec spec =
      spec_of(quarterly_of({"llama-3.1-8b", "qwen3-32b"}, {kLora, kQlora},
                           {"rtx-5090", "l40s", "h100-sxm", "h200-sxm", "mi300x"}));
  std::mt19937 random(57);
  Catalog catalog = project_catalog();
  std::erase_if(catalog.prices,
                [&](const Price& price) { return !contains(spec.gpus, price.gpu); });
  const std::vector<Price> shelf = catalog.prices;
  int explained = 0;
  int dearer = 0;
  // A dearer pick is rare: a sparse run goes on until it has seen one.
  for (int i = 0; i < trials_of(200) || (dearer == 0 && i < 200); ++i) {
    catalog.prices = shelf;
    for (Price& price : catalog.prices) {
      price.usd_per_instance_hour = rounded_usd(to_usd(price.usd_per_instance_hour) *
                                                std::uniform_real_distribution(0.3, 3.0)(random));
    }
    const Sheet sheet = sized_alone(catalog, spec);
    expect_rows_explained(sheet, explained);
    expect_picks_explained(sheet, dearer);
  }
  EXPECT_GT(dearer, 0);
}

TEST(BesideLora, NothingIsSaidWhereTheSheetHasNoSuchMethod) {
  const Sheet sheet = sized_alone(project_catalog(),
                                  spec_of(quarterly_of({"llama-3.1-8b"}, {kQlora}, {"h100-sxm"})));
  EXPECT_EQ(sheet.rows.front().beside_lora, "");
}

}  // namespace
}  // namespace sizesheet
