// SPDX-License-Identifier: Apache-2.0
// The sizes chosen for the page: which rows stand on it, what it says of the rest, and that
// everything derived holds to the choice.
#include <gtest/gtest.h>

#include <algorithm>

#include "render/pdf/crowded_sheet.h"
#include "render/pdf/layout_checks.h"
#include "render/pdf/notes.h"
#include "render/pdf/table/table.h"
#include "render/sample_sheet.h"
#include "support/error.h"
#include "support/refusal.h"

namespace sizesheet::pdf {
namespace {

Sheet sample_of(const Texts& models) {
  Sheet sheet = sample_sheet();
  sheet.options.handout_models = models;
  return sheet;
}

Texts sizes_of(const Sheet& sheet) {
  Texts sizes;
  for (const GroupText& group : table_text(sheet).groups) sizes.push_back(group.size);
  return sizes;
}

TEST(Handout, without_a_choice_every_model_is_on_the_page) {
  const Sheet& sheet = sample_sheet();
  EXPECT_EQ(handout_models(sheet).size(), sheet.models.size());
  EXPECT_EQ(choice_words(sheet), "");
  EXPECT_EQ(provenance(sheet).rfind("prices of ", 0), 0U);
}

TEST(Handout, the_chosen_models_stand_there_in_the_order_of_the_sheet) {
  const Sheet sheet = sample_of({"llama-3.1-70b", "size-7b"});
  EXPECT_EQ(sizes_of(sheet), (Texts{"7B", "70B"}));
  EXPECT_EQ(choice_words(sheet), "2 of 9 models");
  EXPECT_EQ(provenance(sheet).rfind("2 of 9 models · prices of ", 0), 0U);
}

TEST(Handout, the_page_says_how_many_it_shows_and_names_no_other_size) {
  const Sheet sheet = sample_of({"size-7b", "llama-3.1-70b"});
  for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
    const PageLayout page = page_of(sheet, paper);
    const std::string text = all_text(page);
    EXPECT_NE(text.find("2 of 9 models"), std::string::npos);
    EXPECT_EQ(overlaps(page), Texts{});
    for (const TextRun& run : text_runs(page)) {
      for (const char* other : {"13B", "32B", "100B", "400B"}) {
        EXPECT_EQ(run.text.find(other), std::string::npos) << run.text;
      }
    }
  }
}

TEST(Handout, a_crowded_sheet_is_laid_out_by_choosing) {
  Sheet sheet = crowded_sheet(77, 3, 9);
  EXPECT_THROW(page_of(sheet, Paper::kA4), InputError);
  for (std::size_t i = 0; i < 9; ++i) {
    sheet.options.handout_models.push_back(sheet.models[8 * i].id);
  }
  const PageLayout page = page_of(sheet, Paper::kA4);
  EXPECT_EQ(overlaps(page), Texts{});
  EXPECT_NE(all_text(page).find("9 of 77 models"), std::string::npos);
}

TEST(Handout, the_changes_are_those_of_the_models_on_the_page) {
  const SheetChanges all = sample_changes();
  const Sheet sheet = sample_of({"size-7b", "llama-3.1-70b"});
  const SheetChanges shown = handout_changes(all, sheet);
  ASSERT_LT(shown.changes.size(), all.changes.size());
  std::int64_t moved = 0;
  for (const Change& change : shown.changes) {
    EXPECT_TRUE(sheet.on_handout(change.model)) << change.key;
    moved += change.of == "pick" && change.level != "detail" ? 1 : 0;
  }
  EXPECT_EQ(shown.picks.breaking + shown.picks.notable, moved);
  EXPECT_EQ(shown.picks.compared, 2 * static_cast<std::int64_t>(sheet.methods.size()));
  for (const MovedInput& input : shown.moved) {
    std::int64_t rows = 0;
    for (const Change& change : shown.changes) {
      const auto& names = change.because;
      rows += change.of == "row" && std::count(names.begin(), names.end(), input.id) > 0 ? 1 : 0;
    }
    EXPECT_EQ(input.rows, rows) << input.id;
  }
}

TEST(Handout, without_a_choice_the_changes_stay_as_they_are) {
  const SheetChanges all = sample_changes();
  const SheetChanges shown = handout_changes(all, sample_sheet());
  EXPECT_EQ(shown.changes.size(), all.changes.size());
  EXPECT_EQ(shown.moved, all.moved);
  EXPECT_EQ(shown.picks.compared, all.picks.compared);
}

}  // namespace
}  // namespace sizesheet::pdf
