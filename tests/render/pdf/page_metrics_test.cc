// SPDX-License-Identifier: Apache-2.0
// The page's arithmetic: which arrangement a number of rows takes, and where the columns stand.
#include "render/pdf/page_metrics.h"

#include <gtest/gtest.h>

#include "render/pdf/columns.h"
#include "support/error.h"

namespace sizesheet::pdf {
namespace {

const PageMetrics& page_a4() { return metrics_of(Paper::kA4); }
const PageMetrics& page_letter() { return metrics_of(Paper::kLetter); }

template <typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PageFlow, nine_sizes_by_three_methods_stand_loosely) {
  const PageFlow flow = flow_of(page_a4(), 27, 9);
  EXPECT_DOUBLE_EQ(flow.density.row, 10.1);
  EXPECT_NEAR(flow.table_bottom, 393.7, 0.1);
  EXPECT_NEAR(flow.key, 403.5, 0.1);
  EXPECT_NEAR(flow.panels_top, 413.0, 0.1);
  EXPECT_NEAR(flow.panels_bottom, 523.5, 0.1);
  EXPECT_NEAR(flow_of(page_letter(), 27, 9).table_bottom, 398.6, 0.1);
}

TEST(PageFlow, more_rows_tighten_the_table_before_the_panels) {
  struct Case {
    std::size_t groups;
    double row;
    bool compact;
  };
  for (const Case& c :
       {Case{9, 10.1, false}, Case{10, 9.4, false}, Case{11, 8.6, false}, Case{12, 8.6, true}}) {
    const PageFlow flow = flow_of(page_a4(), 3 * c.groups, c.groups);
    EXPECT_DOUBLE_EQ(flow.density.row, c.row) << c.groups;
    EXPECT_EQ(flow.compact_panels, c.compact) << c.groups;
    EXPECT_LE(flow.panels_bottom, page_a4().notes_rule - 4.5 + 1e-9) << c.groups;
    EXPECT_GE(flow.panels_bottom - flow.panels_top, c.compact ? 76 : 99) << c.groups;
  }
}

TEST(PageFlow, too_many_rows_are_refused_with_need_and_room) {
  EXPECT_EQ(refusal([] { flow_of(page_a4(), 39, 13); }),
            "table: 39 rows need 350 pt, 331 pt free; 36 rows fit");
  EXPECT_EQ(refusal([] { flow_of(page_letter(), 60, 20); }),
            "table: 60 rows need 539 pt, 340 pt free; 36 rows fit");
}

TEST(PageFlow, few_rows_do_not_stretch_the_panels_over_the_page) {
  const PageFlow flow = flow_of(page_a4(), 4, 2);
  EXPECT_NEAR(flow.panels_bottom - flow.panels_top, 190, 1e-9);
}

TEST(Columns, stand_where_the_design_puts_them) {
  std::vector<double> heads(9, 20);
  heads[1] = 30;
  const Columns a4 = place_columns(page_a4(), heads);
  EXPECT_NEAR(a4.gpus.front().x0, 188, 1e-9);
  EXPECT_NEAR(a4.gpus.back().x1, 440, 1e-9);
  EXPECT_NEAR(a4.count_right, 464.5, 1e-9);
  EXPECT_NEAR(a4.per_run.x1, 618, 1e-9);
  EXPECT_NEAR(a4.break_even.x1, 761, 1e-9);
  EXPECT_NEAR(a4.advice.x1, 813.89, 1e-9);
  const Columns letter = place_columns(page_letter(), heads);
  EXPECT_NEAR(letter.gpus.back().x1, 410.5, 1e-9);
  EXPECT_NEAR(letter.spot->x1, 604, 1e-9);
  EXPECT_NEAR(letter.advice.x1, 764, 1e-9);
}

TEST(Columns, give_way_to_more_gpu_types_one_after_the_other) {
  const auto left_out = [](std::size_t types) {
    return place_columns(page_a4(), std::vector<double>(types, 20)).left_out;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(left_out(10), Names{});
  EXPECT_EQ(left_out(11), Names{"memory of all GPUs"});
  EXPECT_EQ(left_out(12), (Names{"memory of all GPUs", "spot prices"}));
  EXPECT_EQ(refusal([&] { left_out(13); }),
            "table: 13 GPU types need 325 pt, 321 pt free; 12 types fit");
}

TEST(Columns, never_overlap) {
  for (const PageMetrics* page : {&page_a4(), &page_letter()}) {
    for (std::size_t types = 1; types <= 10; ++types) {
      if (page == &page_letter() && types == 10) continue;
      const Columns c = place_columns(*page, std::vector<double>(types, 20));
      EXPECT_LT(c.memory.x1, c.gpus.front().x0);
      EXPECT_LT(c.gpus.back().x1, c.which.x0);
      EXPECT_LT(c.which.x1, c.rent.x0);
      EXPECT_LT(c.rent.x1, c.own_band.x0);
      EXPECT_LT(c.own_band.x1, c.advice.x0);
      EXPECT_LE(c.advice.x1, page->text.x1 + 1e-9);
    }
  }
}

}  // namespace
}  // namespace sizesheet::pdf
