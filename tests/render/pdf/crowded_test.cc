// SPDX-License-Identifier: Apache-2.0
// Sheets at the limits of the page: nothing overlaps, nothing leaves the margins, no answer is
// lost; and the boxes themselves, kept as goldens.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "render/pdf/crowded_sheet.h"
#include "render/pdf/layout_checks.h"
#include "render/sample_sheet.h"
#include "support/golden.h"
#include "support/refusal.h"

namespace sizesheet::pdf {
namespace {

/// All that is wrong with a page.
Texts faults(const PageLayout& page, Paper paper) {
  Texts found = overlaps(page);
  for (const Texts& more : {struck(page), outside(page, 24, paper == Paper::kA4 ? 577 : 594)}) {
    found.insert(found.end(), more.begin(), more.end());
  }
  if (smallest_text(page) < 7.5) found.emplace_back("text under 7.5 pt");
  return found;
}

void expect_golden_layout(const std::string& name, const Sheet& sheet, Paper paper) {
  const PageLayout page = page_of(sheet, paper);
  EXPECT_EQ(faults(page, paper), Texts{}) << name;
  expect_golden("pdf/" + name + ".txt", layout_text(page));
}

/// Every size of the panel's lists at once: 36 rows of ten types; 35 rows of five methods.
TEST(Crowded, every_size_up_to_the_limit_stands_on_both_papers) {
  for (std::size_t methods = 1; methods <= 5; ++methods) {
    for (std::size_t models = 1; models * methods <= 36 && models <= 12; ++models) {
      for (const std::size_t gpus : {1U, 5U, 9U, 10U}) {
        const Sheet sheet = crowded_sheet(models, methods, gpus);
        for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
          EXPECT_EQ(faults(page_of(sheet, paper), paper), Texts{})
              << models << " × " << methods << " × " << gpus << (paper == Paper::kA4 ? "" : " L");
        }
      }
    }
  }
}

/// What the program says when it cannot lay a sheet out; else its page must have no faults.
std::string judged(const Sheet& sheet, Paper paper, const std::string& name) {
  return refusal_of([&] { EXPECT_EQ(faults(page_of(sheet, paper), paper), Texts{}) << name; });
}

/// 2,000 unless the environment asks for fewer: a build with sanitizers takes fifteen times as
/// long.
std::uint32_t random_sheets() {
  const char* asked = std::getenv("SIZESHEET_RANDOM_SHEETS");
  return asked == nullptr ? 2000 : static_cast<std::uint32_t>(std::stoul(asked));
}

TEST(Crowded, random_sheets_are_sound_or_refused_by_name) {
  const std::regex kNamed(
      "sheet: no model to draw|"
      "table: \\d+ rows need \\d+ pt, \\d+ pt free; \\d+ rows fit; name the models of the page in "
      "handout/models of the sheet|"
      "table: .+, .+: .+ needs [\\d.]+ pt, [\\d.]+ pt free");
  const std::uint32_t all = random_sheets();
  std::uint32_t refused = 0;
  for (std::uint32_t number = 0; number < all; ++number) {
    const Paper paper = number % 2 == 0 ? Paper::kA4 : Paper::kLetter;
    const std::string name = "random sheet " + std::to_string(number);
    const std::string refusal = judged(random_sheet(number), paper, name);
    ASSERT_FALSE(HasFailure());
    if (refusal == "no refusal") continue;
    EXPECT_TRUE(std::regex_match(refusal, kNamed)) << name << ": " << refusal;
    ++refused;
  }
  EXPECT_GT(refused, all / 200);
  EXPECT_LT(refused, all / 10);
}

TEST(CrowdedGolden, thirty_six_rows_of_ten_types) {
  expect_golden_layout("rows-36-types-10-a4", crowded_sheet(12, 3, 10), Paper::kA4);
  expect_golden_layout("rows-36-types-10-letter", crowded_sheet(12, 3, 10), Paper::kLetter);
}

TEST(CrowdedGolden, five_methods) {
  expect_golden_layout("methods-5-a4", crowded_sheet(7, 5, 10), Paper::kA4);
}

TEST(CrowdedGolden, one_row) {
  expect_golden_layout("one-row-letter", crowded_sheet(1, 1, 1), Paper::kLetter);
}

TEST(CrowdedGolden, money_of_twelve_digits) {
  Sheet sheet = tiny_sheet();
  magnify(sheet, 1e6);
  expect_golden_layout("twelve-digits-a4", sheet, Paper::kA4);
}

TEST(CrowdedGolden, no_price_at_all) {
  Sheet sheet = tiny_sheet();
  take_prices(sheet);
  expect_golden_layout("no-prices-letter", sheet, Paper::kLetter);
}

TEST(CrowdedGolden, names_that_no_column_holds) {
  Sheet sheet = tiny_sheet();
  const std::string name = "An uncommonly long name that somebody gave to it in a hurry";
  sheet.meta.title = name + ", " + name;
  for (SheetModel& model : sheet.models) model.size = model.short_note = name;
  for (SheetMethod& method : sheet.methods) method.short_title = name;
  for (SheetGpu& gpu : sheet.gpus) gpu.short_name = gpu.tiny_name = name;
  expect_golden_layout("long-names-a4", sheet, Paper::kA4);
}

TEST(Crowded, beyond_the_limit_the_block_is_named_with_what_fits) {
  EXPECT_EQ(judged(crowded_sheet(13, 3, 9), Paper::kA4, "39 rows"),
            "table: 39 rows need 350 pt, 332 pt free; 36 rows fit; name the models of the page in "
            "handout/models of the sheet");
  EXPECT_EQ(judged(crowded_sheet(9, 3, 16), Paper::kLetter, "16 types"),
            "table: 16 GPU types need 400 pt, 351 pt free; 14 types fit");
}

}  // namespace
}  // namespace sizesheet::pdf
