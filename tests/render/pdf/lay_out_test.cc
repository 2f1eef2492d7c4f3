// SPDX-License-Identifier: Apache-2.0
// The laid-out page of the sample sheets: nothing overlaps, nothing leaves the page, all answers
// stand.
#include <gtest/gtest.h>

#include <algorithm>

#include "render/pdf/crowded_sheet.h"
#include "render/pdf/layout_checks.h"
#include "render/pdf/notes.h"
#include "render/phrases.h"
#include "render/sample_sheet.h"
#include "support/error.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

double last_ink(Paper paper) { return paper == Paper::kA4 ? 577 : 594; }

void expect_sound(const Sheet& sheet, const char* what) {
  for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
    const PageLayout page = page_of(sheet, paper);
    const std::string where = std::string(what) + (paper == Paper::kA4 ? ", A4" : ", Letter");
    EXPECT_EQ(overlaps(page), Texts{}) << where;
    EXPECT_EQ(outside(page, 24, last_ink(paper)), Texts{}) << where;
    EXPECT_GE(smallest_text(page), 7.5) << where;
  }
}

TEST(LayOut, is_sound_for_every_highlighted_size) {
  expect_sound(tiny_sheet(), "tiny");
  Sheet sheet = sample_sheet();
  for (const SheetModel& model : sample_sheet().models) {
    sheet.options.highlight_model = model.id;
    expect_sound(sheet, model.id.c_str());
  }
}

TEST(LayOut, is_sound_with_a_link_without_other_stacks_and_at_every_density) {
  Sheet sheet = sample_sheet();
  sheet.meta.base_url = "https://sizing.example.com/2026-Q4/";
  expect_sound(sheet, "with a link");
  sheet = sample_sheet();
  sheet.scenarios.resize(1);
  expect_sound(sheet, "one scenario");
  for (std::size_t models = 1; models <= 12; ++models) {
    sheet = crowded_sheet(models, 3, 9);
    sheet.scenarios = sample_sheet().scenarios;
    expect_sound(sheet, "models");
  }
}

TEST(LayOut, every_pick_stands_in_its_row) {
  const Sheet& sheet = sample_sheet();
  const PageLayout page = page_of(sheet, Paper::kA4);
  const PageFlow flow = flow_of(metrics_of(Paper::kA4), 27, 9);
  double top = flow.first_row;
  for (const SheetModel& model : sheet.models) {
    for (const SheetMethod& method : sheet.methods) {
      const Row* row = shown_row(sheet, model.id, method.id);
      ASSERT_NE(row, nullptr);
      const Texts line = line_at(page, top + (flow.density.row + 0.711 * flow.density.font) / 2);
      const auto stands = [&](const std::string& text) {
        return std::find(line.begin(), line.end(), text) != line.end();
      };
      EXPECT_TRUE(stands(format_integer(row->layout.gpus))) << row->key();
      EXPECT_TRUE(stands(sheet.gpu(row->gpu).short_name)) << row->key();
      EXPECT_TRUE(stands(format_usd(*row->rents[kOnDemand]->usd_per_run, 1)) ||
                  stands(format_usd(*row->rents[kOnDemand]->usd_per_run, 2)))
          << row->key() << ": " << join(line, " | ");
      top += flow.density.row;
    }
    top += flow.density.gap;
  }
}

TEST(LayOut, heads_tell_title_edition_prices_and_hash) {
  const std::string text = all_text(page_of(sample_sheet(), Paper::kA4));
  for (const char* expected :
       {"Fine-tuning sizing sheet\n", "2026-Q4\n",
        "prices of 2026-10-02 to 2026-11-18 · USD, tax excluded · 3f9c2ab71e04\n",
        "How many GPUs, by type\n", "Which\n", "How long, how much to rent, from whom\n",
        "How much to own\n", "Rent or buy\n", "Assumptions\n", "What may move these picks\n"}) {
    EXPECT_NE(text.find(expected), std::string::npos) << expected;
  }
}

TEST(LayOut, no_base_url_no_link_and_no_code) {
  const PageLayout without = page_of(sample_sheet(), Paper::kA4);
  EXPECT_TRUE(without.links.empty());
  Sheet sheet = sample_sheet();
  sheet.meta.base_url = "https://sizing.example.com/";
  const PageLayout with = page_of(sheet, Paper::kA4);
  ASSERT_EQ(with.links.size(), 2U);
  EXPECT_EQ(with.links[0].url, "https://sizing.example.com/");
  EXPECT_EQ(with.links[1].url, "https://sizing.example.com/");
}

TEST(LayOut, an_empty_sheet_is_refused) {
  Sheet sheet = sample_sheet();
  sheet.models.clear();
  EXPECT_THROW(page_of(sheet, Paper::kA4), InputError);
}

TEST(LayOut, a_sheet_where_nothing_fits_says_so) {
  Sheet sheet = tiny_sheet();
  for (Row& row : sheet.rows) {
    row.rentable.reset();
    row.tight.reset();
  }
  for (Pick& pick : sheet.picks) pick.rent_key = pick.buy_key = std::nullopt;
  expect_sound(sheet, "nothing fits");
  EXPECT_NE(all_text(page_of(sheet, Paper::kA4)).find("No set-up fits.\n"), std::string::npos);
}

TEST(LayOut, numbers_that_fit_nowhere_are_refused_by_name) {
  Sheet sheet = tiny_sheet();
  for (Row& row : sheet.rows) {
    if (row.hours_mid) row.hours_mid = 1e19;
  }
  EXPECT_EQ(refusal_of([&] { page_of(sheet, Paper::kA4); }),
            "table: 8B full, hours a run: 10,000,000,000\u00a0"
            "bn needs 61.3 pt, 26.5 pt free");
}

}  // namespace
}  // namespace sizesheet::pdf
