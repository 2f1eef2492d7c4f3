// SPDX-License-Identifier: Apache-2.0
// The page's arithmetic: which arrangement a number of rows takes, and where the columns stand.
#include <gtest/gtest.h>

#include <algorithm>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/table/columns.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

const PageMetrics& page_a4() { return metrics_of(Paper::kA4); }
const PageMetrics& page_letter() { return metrics_of(Paper::kLetter); }

TEST(PageFlow, nine_sizes_by_three_methods_have_panels_of_five_lines) {
  const PageFlow flow = flow_of(page_a4(), 27, 9);
  EXPECT_DOUBLE_EQ(flow.density.row, 9.8);
  EXPECT_TRUE(flow.has_panels);
  EXPECT_NEAR(flow.first_row, 149, 0.1);
  EXPECT_NEAR(flow.table_bottom, 428.9, 0.1);
  EXPECT_NEAR(flow.key, 439.5, 0.1);
  EXPECT_NEAR(flow.panels_top, 446.4, 0.1);
  EXPECT_NEAR(flow.panels_bottom, 529, 0.1);
  EXPECT_DOUBLE_EQ(flow_of(page_letter(), 27, 9).density.row, 10.1);
}

TEST(PageFlow, more_rows_tighten_the_table_before_the_panels_go) {
  struct Case {
    std::size_t groups;
    double row;
    bool has_panels;
  };
  for (const Case& c : {Case{7, 11.2, true}, Case{8, 10.6, true}, Case{9, 9.8, true},
                        Case{10, 8.9, true}, Case{11, 10.1, false}, Case{13, 8.9, false}}) {
    const PageFlow flow = flow_of(page_a4(), 3 * c.groups, c.groups);
    EXPECT_DOUBLE_EQ(flow.density.row, c.row) << c.groups;
    EXPECT_EQ(flow.has_panels, c.has_panels) << c.groups;
    EXPECT_LE(flow.key, page_a4().notes_rule - 5 + 1e-9) << c.groups;
    if (c.has_panels) {
      EXPECT_GE(flow.panels_bottom - flow.panels_top, 74) << c.groups;
    }
  }
}

TEST(PageFlow, no_text_of_the_table_is_under_eight_and_a_half_points) {
  for (const PageMetrics* page : {&page_a4(), &page_letter()}) {
    for (const Density& density : page->densities) {
      EXPECT_GE(density.font, kSmallestText);
      EXPECT_GE(density.row, density.font) << "lines would touch";
    }
  }
}

TEST(PageFlow, too_many_rows_are_refused_with_need_and_room) {
  EXPECT_EQ(refusal_of([] { flow_of(page_a4(), 42, 14); }),
            "table: 42 rows need 390 pt, 369 pt free; 39 rows fit; name the models of the page in "
            "handout/models of the sheet");
  EXPECT_EQ(refusal_of([] { flow_of(page_letter(), 60, 20); }),
            "table: 60 rows need 557 pt, 386 pt free; 39 rows fit; name the models of the page in "
            "handout/models of the sheet");
}

TEST(PageFlow, few_rows_do_not_stretch_the_panels_over_the_page) {
  const PageFlow flow = flow_of(page_a4(), 4, 2);
  EXPECT_NEAR(flow.panels_bottom - flow.panels_top, 150, 1e-9);
}

TEST(PageFlow, longer_notes_take_a_line_from_the_panels_but_do_not_cost_them) {
  const auto longer = with_longer_notes(page_a4(), 27, 9);
  ASSERT_TRUE(longer);
  EXPECT_NEAR(longer->notes_rule, page_a4().notes_rule - kNoteLine, 1e-9);
  EXPECT_TRUE(flow_of(*longer, 27, 9).has_panels);
  EXPECT_FALSE(with_longer_notes(page_a4(), 60, 20)) << "does not fit anyhow";
}

using Needs = std::vector<std::optional<ColumnNeed>>;

/// Every column of the table in these widths.
Needs all_of(ColumnNeed need) {
  Needs needs(table_columns().size(), need);
  needs[column_index("counts")] = ColumnNeed{};
  return needs;
}

TEST(Columns, fill_the_page_between_its_margins_and_never_overlap) {
  const Needs needs = all_of({30, 24});
  for (const PageMetrics* page : {&page_a4(), &page_letter()}) {
    for (std::size_t types = 1; types <= 9; ++types) {
      const auto columns =
          place_columns(page->text, needs, std::vector<ColumnNeed>(types, {22, 20}));
      ASSERT_TRUE(columns);
      EXPECT_NEAR(columns->at("size").x0, page->text.x0, 1e-9);
      double right = page->text.x0 - 1;
      for (const auto& span : columns->spans) {
        if (!span) continue;
        EXPECT_GT(span->x0, right);
        right = span->x1;
      }
      EXPECT_NEAR(right, page->text.x1, 1e-6);
      EXPECT_EQ(columns->gpus.size(), types);
    }
  }
}

TEST(Columns, give_way_one_after_the_other_and_are_named) {
  const auto left_out = [](std::size_t types) {
    const auto columns =
        place_columns(page_a4().text, all_of({30, 30}), std::vector<ColumnNeed>(types, {22, 22}));
    return columns ? each_of(columns->left_out, &Column::what) : Texts{"none has room"};
  };
  EXPECT_EQ(left_out(5), Texts{});
  EXPECT_EQ(left_out(10), Texts{"service"});
  EXPECT_EQ(left_out(12),
            (Texts{"second source", "difference", "price of the machine", "service"}));
  EXPECT_EQ(left_out(40), Texts{"none has room"});
}

TEST(Columns, without_a_need_are_not_on_the_page) {
  Needs needs = all_of({30, 24});
  for (const char* id : {"machine_count", "machine", "capex", "own", "break_even", "advice"}) {
    needs[column_index(id)].reset();
  }
  const auto columns = place_columns(page_a4().text, needs, std::vector<ColumnNeed>(5, {22, 20}));
  ASSERT_TRUE(columns);
  EXPECT_FALSE(columns->has("machine"));
  EXPECT_FALSE(columns->band(Band::kOwn));
  EXPECT_TRUE(columns->left_out.empty()) << "nothing gave way";
}

TEST(Columns, have_ids_of_their_own_and_heads_of_two_lines) {
  for (const Column& column : table_columns()) {
    EXPECT_EQ(std::ranges::count(table_columns(), std::string_view(column.id),
                                 [](const Column& one) { return std::string_view(one.id); }),
              1)
        << column.id;
    EXPECT_TRUE(column.gives_way == 0 || *column.what != '\0') << column.id;
  }
}

}  // namespace
}  // namespace sizesheet::pdf
