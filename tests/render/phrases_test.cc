// SPDX-License-Identifier: Apache-2.0
#include "render/phrases.h"

#include <gtest/gtest.h>

#include "render/sample_sheet.h"

namespace sizesheet {
namespace {

MicroUsd dollars(double amount) { return rounded_usd(amount); }

TEST(Phrases, a_run_has_three_figures_under_a_hundred_and_whole_dollars_above) {
  EXPECT_EQ(run_usd(dollars(0.0412)), "0.0412");
  EXPECT_EQ(run_usd(dollars(0.57)), "0.57");
  EXPECT_EQ(run_usd(dollars(4.252)), "4.25");
  EXPECT_EQ(run_usd(dollars(9.994)), "9.99");
  EXPECT_EQ(run_usd(dollars(9.996)), "10.0");
  EXPECT_EQ(run_usd(dollars(99.94)), "99.9");
  EXPECT_EQ(run_usd(dollars(99.96)), "100");
  EXPECT_EQ(run_usd(dollars(2564.5)), "2,565");
}

TEST(Phrases, hours_keep_two_decimals_under_one) {
  EXPECT_EQ(run_hours(0.4567), "0.46");
  EXPECT_EQ(run_hours(0.996), "1.0");
  EXPECT_EQ(run_hours(202.84), "202.8");
}

TEST(Phrases, a_price_of_more_gpus_than_the_need_says_so) {
  Row row;
  row.layout.gpus = 2;
  RentLine line;
  line.gpus_paid = 2;
  EXPECT_EQ(behind_price(row, line), "");
  line.gpus_paid = 8;
  EXPECT_EQ(behind_price(row, line), "\u00a0for\u00a08\u00a0GPUs");
  line.price_key = "oracle/any/BM/mi355x/on_demand/8/2026-08-22";
  line.old = true;
  EXPECT_EQ(behind_price(row, line), "\u00a0for\u00a08\u00a0GPUs\u00a0of\u00a02026-08-22");
}

TEST(Phrases, free_share_is_rounded_down) {
  EXPECT_EQ(free_percent(90, 100), 10);
  EXPECT_EQ(free_percent(901, 1000), 9);
  EXPECT_EQ(free_percent(110, 100), -10);
}

TEST(Phrases, ten_per_cent_headroom_leaves_nine_point_one_free) {
  EXPECT_NEAR(least_free_percent(0.10), 9.0909, 1e-4);
}

TEST(Phrases, set_ups_phases_and_terms_read_as_words) {
  const Sheet& sheet = tiny_sheet();
  EXPECT_EQ(set_up(sheet, "h100-sxm", 16), "16\u00a0×\u00a0H100");
  EXPECT_EQ(gpu_count(1), "1 GPU");
  EXPECT_EQ(gpu_count(1024), "1,024 GPUs");
  EXPECT_EQ(phase_words("loss_backward"), "loss backward");
  EXPECT_EQ(term_words("optimizer"), "optimizer states");
  EXPECT_EQ(term_words("weights"), "weights");
  EXPECT_EQ(term_words("of_an_older_edition"), "of an older edition");
  EXPECT_EQ(sentence_case("full on 8"), "Full on 8");
  EXPECT_EQ(sentence_case("×"), "×");
}

TEST(Phrases, a_model_nothing_fits_has_no_row_to_show) {
  Sheet sheet = tiny_sheet();
  for (Pick& pick : sheet.picks) {
    pick.rent_key.reset();
    pick.buy_key.reset();
  }
  EXPECT_EQ(shown_row(sheet, sheet.models[0].id, "full"), nullptr);
  EXPECT_EQ(rent_pick_row(sheet, "no-such-model", "full"), nullptr);
}

}  // namespace
}  // namespace sizesheet
