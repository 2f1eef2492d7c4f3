// SPDX-License-Identifier: Apache-2.0
// The page's arithmetic: which arrangement a number of rows takes, and where the columns stand.
#include <gtest/gtest.h>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/table/columns.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

const PageMetrics& page_a4() { return metrics_of(Paper::kA4); }
const PageMetrics& page_letter() { return metrics_of(Paper::kLetter); }

TEST(PageFlow, nine_sizes_by_three_methods_stand_loosely) {
  const PageFlow flow = flow_of(page_a4(), 27, 9);
  EXPECT_DOUBLE_EQ(flow.density.row, 9.4);
  EXPECT_EQ(flow.head_lines, 6);
  EXPECT_NEAR(flow.first_row, 124.9, 0.1);
  EXPECT_NEAR(flow.table_bottom, 394.0, 0.1);
  EXPECT_NEAR(flow.key, 403.8, 0.1);
  EXPECT_NEAR(flow.panels_top, 413.3, 0.1);
  EXPECT_NEAR(flow.panels_bottom, 523.8, 0.1);
  EXPECT_NEAR(flow_of(page_letter(), 27, 9).table_bottom, 394.0, 0.1);
}

TEST(PageFlow, more_rows_tighten_the_table_before_the_panels) {
  struct Case {
    std::size_t groups;
    double row;
    bool compact;
    int head_lines;
  };
  for (const Case& c : {Case{7, 10.1, false, 6}, Case{9, 9.4, false, 6}, Case{10, 8.6, false, 6},
                        Case{11, 8.6, true, 6}, Case{12, 8.6, true, 3}}) {
    const PageFlow flow = flow_of(page_a4(), 3 * c.groups, c.groups);
    EXPECT_DOUBLE_EQ(flow.density.row, c.row) << c.groups;
    EXPECT_EQ(flow.compact_panels, c.compact) << c.groups;
    EXPECT_EQ(flow.head_lines, c.head_lines) << c.groups;
    EXPECT_LE(flow.panels_bottom, page_a4().notes_rule - 4.5 + 1e-9) << c.groups;
    EXPECT_GE(flow.panels_bottom - flow.panels_top, c.compact ? 76 : 99) << c.groups;
  }
}

TEST(PageFlow, too_many_rows_are_refused_with_need_and_room) {
  EXPECT_EQ(refusal_of([] { flow_of(page_a4(), 39, 13); }),
            "table: 39 rows need 350 pt, 332 pt free; 36 rows fit; name the models of the page in "
            "handout/models of the sheet");
  EXPECT_EQ(refusal_of([] { flow_of(page_letter(), 60, 20); }),
            "table: 60 rows need 539 pt, 341 pt free; 36 rows fit; name the models of the page in "
            "handout/models of the sheet");
}

TEST(PageFlow, few_rows_do_not_stretch_the_panels_over_the_page) {
  const PageFlow flow = flow_of(page_a4(), 4, 2);
  EXPECT_NEAR(flow.panels_bottom - flow.panels_top, 190, 1e-9);
}

TEST(PageFlow, longer_notes_take_a_line_from_the_panels_but_do_not_make_them_low) {
  const auto longer = with_longer_notes(page_a4(), 27, 9);
  ASSERT_TRUE(longer);
  EXPECT_NEAR(longer->notes_rule, page_a4().notes_rule - 8.9, 1e-9);
  const PageFlow flow = flow_of(*longer, 27, 9);
  EXPECT_LE(flow.panels_bottom, longer->notes_rule - 4.5 + 1e-9);
  EXPECT_GE(flow.panels_bottom - flow.panels_top, 99);
  EXPECT_FALSE(with_longer_notes(page_a4(), 31, 10)) << "its panels would be low";
  EXPECT_FALSE(with_longer_notes(page_a4(), 60, 20)) << "does not fit anyhow";
}

TEST(Columns, fill_the_page_between_its_margins) {
  std::vector<double> heads(9, 20);
  heads[1] = 30;
  for (const PageMetrics* page : {&page_a4(), &page_letter()}) {
    const Columns c = place_columns(*page, heads);
    EXPECT_NEAR(c.at("size").x0, page->text.x0, 1e-9);
    EXPECT_NEAR(c.at("advice").x1, page->text.x1, 1e-9);
    EXPECT_NEAR(c.band(Band::kRent)->x1, c.at("next").x1, 1e-9);
    EXPECT_NEAR(c.band(Band::kOwn)->x1, c.at("break_even").x1, 1e-9);
  }
}

TEST(Columns, nine_gpu_types_leave_room_for_every_column_on_a4) {
  const Columns c = place_columns(page_a4(), std::vector<double>(9, 20));
  for (const Column& column : table_columns()) {
    EXPECT_TRUE(c.spans[column_index(column.id)] || column.band == Band::kGpus) << column.id;
  }
  EXPECT_TRUE(c.left_out.empty());
}

TEST(Columns, give_way_to_more_gpu_types_one_after_the_other) {
  const auto left_out = [](std::size_t types) {
    return each_of(place_columns(page_a4(), std::vector<double>(types, 20)).left_out,
                   &Column::left_out);
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(left_out(9), Names{});
  EXPECT_EQ(left_out(10), Names{"memory per GPU"});
  EXPECT_EQ(left_out(11), (Names{"memory per GPU", "own $ per month"}));
  EXPECT_EQ(left_out(12), (Names{"memory per GPU", "own $ per month", "next best"}));
  EXPECT_EQ(left_out(14), (Names{"memory per GPU", "own $ per month", "next best", "capex"}));
  EXPECT_EQ(left_out(15),
            (Names{"memory per GPU", "own $ per month", "next best", "capex", "sellers"}));
  EXPECT_EQ(refusal_of([&] { left_out(17); }),
            "table: 17 GPU types need 425 pt, 401 pt free; 16 types fit");
}

TEST(Columns, that_are_hidden_leave_their_room_to_the_others) {
  const std::vector<std::string> hidden{"machine", "capex", "own", "break_even", "advice"};
  const std::vector<double> heads(9, 20);
  const Columns whole = place_columns(page_a4(), heads);
  const Columns c = place_columns(page_a4(), heads, hidden);
  for (const std::string& id : hidden) EXPECT_FALSE(c.has(id)) << id;
  EXPECT_FALSE(c.band(Band::kOwn));
  EXPECT_FALSE(c.band(Band::kAdvice));
  EXPECT_GT(c.gpus.front().width(), whole.gpus.front().width() + 10);
  EXPECT_NEAR(c.at("next").x1, page_a4().text.x1, 1e-9);
  EXPECT_TRUE(c.left_out.empty()) << "nothing gave way";
}

TEST(Columns, never_overlap) {
  for (const PageMetrics* page : {&page_a4(), &page_letter()}) {
    for (std::size_t types = 1; types <= 12; ++types) {
      const Columns c = place_columns(*page, std::vector<double>(types, 20));
      EXPECT_LT(c.at("method").x1, c.gpus.front().x0);
      EXPECT_LT(c.gpus.back().x1, c.at("which").x0);
      EXPECT_LT(c.at("which").x1, c.band(Band::kRent)->x0);
      EXPECT_LT(c.band(Band::kRent)->x1, c.band(Band::kOwn)->x0);
      EXPECT_LT(c.band(Band::kOwn)->x1, c.at("advice").x0);
      EXPECT_LE(c.at("advice").x1, page->text.x1 + 1e-9);
    }
  }
}

}  // namespace
}  // namespace sizesheet::pdf
