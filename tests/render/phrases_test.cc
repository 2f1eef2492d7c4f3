// SPDX-License-Identifier: Apache-2.0
// Words of figures and set-ups, and what is said to be in the money and what is not, by the sheet's
// own rates, in every form.

#include "render/phrases.h"

#include <gtest/gtest.h>

#include "catalog/prices/price.h"
#include "cli/small_sheet.h"
#include "render/html/html_writer.h"
#include "render/html/templates/templates.h"
#include "render/pdf/notes.h"
#include "render/sample_sheet.h"
#include "render/xlsx/prices_table.h"
#include "render/xlsx/table.h"
#include "sheet/assemble/ownership.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "support/files.h"
#include "support/money.h"

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

/// The sheet with another support rate: one that covers nothing.
Sheet without_cover(Sheet sheet = quarterly_sheet()) {
  for (SheetEstimate& rate : sheet.rates) rate.covers.clear();
  std::erase_if(sheet.rates,
                [](const SheetEstimate& rate) { return rate.role == "least_fte_per_node"; });
  return sheet;
}

/// The same, with people per node in their own right.
Sheet with_staff() {
  Sheet sheet = without_cover();
  SheetEstimate& staff = sheet.rates.emplace_back();
  staff.id = "staff-fte-per-node";
  staff.role = "staff_fte_per_node";
  return sheet;
}

std::string listed(const Sheet& sheet) {
  std::vector<std::string> words;
  for (const LeftOut& out : left_out(sheet)) words.push_back(out.words);
  return joined_words(words);
}

constexpr const char* kWithoutStaff =
    "tax, storage, data egress, failed runs, evaluation runs and the network between nodes unless "
    "the price includes it";
constexpr const char* kWithStaff =
    "tax, storage, data egress, staff, failed runs, evaluation runs and the network between nodes "
    "unless the price includes it";

TEST(Scope, StaffOfARateOrOfTheSpecificationIsIncluded) {
  for (const Sheet& sheet : {quarterly_sheet(), with_staff()}) {
    EXPECT_EQ(listed(sheet), kWithoutStaff);
    EXPECT_EQ(running_costs_words(sheet),
              "Running costs of an owned machine include support and staff; rent includes no "
              "staff.");
  }
}

TEST(Scope, WithoutEitherStaffIsLeftOut) {
  EXPECT_EQ(listed(without_cover()), kWithStaff);
  EXPECT_EQ(running_costs_words(without_cover()),
            "Running costs of an owned machine include support.");
  Sheet rented = without_cover();
  rented.ownership.reset();
  EXPECT_EQ(running_costs_words(rented), "");
}

/// Whether each form of the sheet says that staff is left out: pages, handout, workbook.
void expect_staff_left_out(const Sheet& sheet, bool expected) {
  FileSet files;
  write_site(sheet, builtin_templates(), 1, files);
  std::size_t pages = 0;
  for (const auto& [name, text] : files) {
    if (!name.ends_with(".html")) continue;
    ++pages;
    EXPECT_NE(text.find(std::string("Not included: ") + (expected ? kWithStaff : kWithoutStaff)),
              std::string::npos)
        << name;
    EXPECT_EQ(text.find("data egress, staff") != std::string::npos, expected) << name;
  }
  EXPECT_GT(pages, 10U);
  EXPECT_EQ(pdf::notes_of(sheet)[2].sentences.front(),
            std::string("Tax, storage, egress, ") + (expected ? "staff, " : "") +
                "failed runs, evaluation runs and unpriced networks between nodes.");
  bool workbook = false;
  for (const xlsx::TableRow& row : xlsx::terms_table(sheet).rows) {
    workbook |= row.cells.at("where") == xlsx::cell(std::string("Not priced")) &&
                row.cells.at("term") == xlsx::cell(std::string("Staff"));
  }
  EXPECT_EQ(workbook, expected);
}

TEST(Scope, EveryFormOfTheEditionSaysTheSame) {
  expect_staff_left_out(small_sheet(), false);
  expect_staff_left_out(without_cover(small_sheet()), true);
}

TEST(Scope, TheHandoutNamesTheRunningCosts) {
  const auto words = [](const Sheet& sheet) { return pdf::notes_of(sheet)[0].sentences.at(2); };
  EXPECT_EQ(words(quarterly_sheet()),
            "Owning pays for whole machines over 5 years (second-hand: 3), 9\u00a0% cost of "
            "capital, power, space, "
            "support and "
            "staff.");
  EXPECT_EQ(words(without_cover()),
            "Owning pays for whole machines over 5 years (second-hand: 3), 9\u00a0% cost of "
            "capital, power, space and "
            "support.");
}

TEST(Scope, WordsAreJoinedAsPeopleDo) {
  EXPECT_EQ(joined_words({}), "");
  EXPECT_EQ(joined_words({"a"}), "a");
  EXPECT_EQ(joined_words({"a", "b", "c"}), "a, b and c");
}

}  // namespace

}  // namespace sizesheet
