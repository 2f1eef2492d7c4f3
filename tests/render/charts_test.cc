// SPDX-License-Identifier: Apache-2.0
// Charts say their numbers; those of the plan add up to what the plan says.

#include "render/charts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "evidence/accuracy.h"
#include "render/html/site.h"
#include "render/phrases.h"
#include "render/plan_charts.h"
#include "render/range_charts.h"
#include "render/sample_sheet.h"
#include "render/svg/svg.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "support/money.h"

namespace sizesheet {
namespace {

const StackedBars& bars_of(const Chart& chart) { return std::get<StackedBars>(chart.body); }
const Lines& lines_of(const Chart& chart) { return std::get<Lines>(chart.body); }

TEST(Charts, ticks_are_round_and_few) {
  EXPECT_EQ(nice_ticks(14.5), (std::vector<double>{0, 5, 10}));
  EXPECT_EQ(nice_ticks(152), (std::vector<double>{0, 50, 100, 150}));
  EXPECT_EQ(nice_ticks(100), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(nice_ticks(0), (std::vector<double>{0}));
  for (double high = 0.003; high < 1e7; high *= 1.37) {
    const auto ticks = nice_ticks(high);
    EXPECT_GE(ticks.size(), 3U) << high;
    EXPECT_LE(ticks.size(), 6U) << high;
  }
}

/// Whatever the figures of a stranger's sheet are, an axis ends.
TEST(Charts, no_axis_runs_away) {
  EXPECT_EQ(logarithmic_ticks(0, 1), std::vector<double>{});
  EXPECT_EQ(logarithmic_ticks(-1, 1), std::vector<double>{});
  EXPECT_EQ(logarithmic_ticks(2, 1), std::vector<double>{});
  EXPECT_EQ(logarithmic_ticks(0.3, 12), (std::vector<double>{0.5, 1, 2, 5, 10}));
  EXPECT_EQ(logarithmic_ticks(1e-9, 1e9).size(), 7U) << "some powers of ten alone";
  for (const double low : {5e-324, 1e-300, 1e-20, 0.9}) {
    for (const double high : {1.0, 1e20, 1.7e308}) {
      EXPECT_LE(logarithmic_ticks(low, high).size(), 27U) << low << " to " << high;
    }
  }
  for (const double high : {5e-324, 1e-300, 0.01, 1e30, 1.7e308}) {
    EXPECT_LE(nice_ticks(high).size(), 100U) << high;
  }
  EXPECT_EQ(ticks_to(1, 1e-9).size(), 100U);
  EXPECT_EQ(ticks_between(3, 17, 5), (std::vector<double>{5, 10, 15}));
  EXPECT_EQ(ticks_between(7, 3, 5), std::vector<double>{});
  const Axis axis{"$", 0, 10, {}, true};
  EXPECT_EQ(axis.share(0), 0);
  EXPECT_EQ(axis.share(5), 0) << "an axis from 0 has no place for anything";
}

TEST(Charts, errors_of_any_size_have_an_axis) {
  for (const double high : {0.5, 5.0, 1e4, 1e12, 1e300}) {
    Accuracy accuracy;
    AccuracyGroup group;
    group.name = "somebody";
    group.errors.low = -0.3;
    group.errors.high = high;
    accuracy.all.by_source = {group};
    const Chart chart = error_ranges_chart(accuracy);
    EXPECT_LE(std::get<Ranges>(chart.body).axis.ticks.size(), 23U) << high;
    EXPECT_GE(std::get<Ranges>(chart.body).axis.ticks.size(), 2U) << high;
  }
}

TEST(Charts, five_segments_sum_to_the_device_figure) {
  const Sheet& sheet = sample_sheet();
  for (const Row& row : sheet.rows) {
    double sum = 0;
    for (const Segment& segment : five_segments(row.memory)) sum += segment.value;
    EXPECT_NEAR(sum, gib(row.memory.device), 1e-9) << row.key();
  }
}

TEST(Charts, memory_bill_says_its_numbers) {
  const Sheet& sheet = sample_sheet();
  const Chart chart = memory_bill_chart(sheet, "llama-3.1-70b");
  EXPECT_EQ(chart.title, "Llama 3.1 70B: memory per GPU, GiB");
  EXPECT_EQ(
      chart.conclusion,
      "Full on 8\u00a0×\u00a0MI300X: optimizer states take the most, 65.7 of 147.3\u00a0GiB.");
  ASSERT_EQ(bars_of(chart).bars.size(), 3U);
  EXPECT_FALSE(bars_of(chart).limit) << "three different cards have no common line";
  EXPECT_EQ(bars_of(chart).bars[1].outline_label, "with 2 GPUs: 83.5, over by 4.4");
}

TEST(Charts, bars_on_one_card_share_its_capacity_line) {
  const Chart chart = memory_bill_chart(tiny_sheet(), "llama-3.1-8b");
  ASSERT_TRUE(bars_of(chart).limit);
  EXPECT_EQ(bars_of(chart).limit_label, "79.1\u00a0GiB usable");
  EXPECT_NEAR(bars_of(chart).headroom, 0.1, 1e-9);
}

TEST(Charts, the_axis_holds_every_bar_limit_and_outline) {
  const Sheet& sheet = sample_sheet();
  for (const SheetModel& model : sheet.models) {
    const Chart chart = memory_bill_chart(sheet, model.id);
    for (const StackedBar& bar : bars_of(chart).bars) {
      EXPECT_GE(bars_of(chart).axis.high, std::max({bar.total, bar.limit, bar.outline}));
    }
  }
}

TEST(Charts, rent_or_own_crosses_at_the_break_even) {
  const Sheet& sheet = quarterly_sheet();
  int crossed = 0;
  for (const Pick& pick : sheet.picks) {
    if (!pick.own || !pick.own->break_even_hours_per_month) continue;
    ++crossed;
    const OwnPick& own = *pick.own;
    const double hours = *own.break_even_hours_per_month;
    const Chart chart = rent_or_own_chart(sheet, *sheet.find(*pick.rent_key));
    EXPECT_TRUE(chart.conclusion.ends_with(": owning is cheaper from " + month_hours(hours) +
                                           " hours per month."))
        << chart.conclusion;
    const Lines& lines = lines_of(chart);
    ASSERT_TRUE(lines.crossing);
    // At the crossing both lines cost the same.
    const double scale = lines.y.unit == "$ per month" ? 1 : 1000;
    const double fixed = to_usd(own.fixed_usd_per_month);
    const double slope = (to_usd(own.full_use_usd_per_month) - fixed) / 730;
    const double owned = (fixed + slope * hours) / scale;
    EXPECT_NEAR(lines.crossing->second, owned, 1e-6 * owned);
    EXPECT_EQ(lines.x.ticks, (std::vector<double>{0, 200, 400, 600, 730}));
  }
  EXPECT_GT(crossed, 5);
}

TEST(Charts, never_and_unknown_are_said_in_words) {
  Sheet sheet = sample_sheet();
  Row& row =
      *std::ranges::find_if(sheet.rows, [](const Row& one) { return one.owned.has_value(); });
  OwnPick& own = *row.owned;
  const std::string job =
      sentence_case(sheet.model(row.model).size + " " + sheet.method(row.method).short_title);
  const std::string subject =
      job + " on " + set_up(sheet, own.gpu, own.gpus + own.unused_gpus) + ": ";
  own.rent_usd_per_run = MicroUsd{1'000'000};
  own.break_even_hours_per_month.reset();
  EXPECT_EQ(rent_or_own_chart(sheet, row).conclusion,
            subject + "renting stays cheaper, even at 730 hours per month.");
  own.rent_usd_per_run.reset();
  EXPECT_EQ(rent_or_own_chart(sheet, row).conclusion,
            subject + "no rental price, so nothing to compare with.");
  row.owned.reset();
  EXPECT_EQ(rent_or_own_chart(sheet, row).conclusion,
            job + ": no machine on sale, so nothing to compare with.");
}

TEST(Charts, small_sums_stay_in_dollars) {
  Sheet sheet = sample_sheet();
  Row& row =
      *std::ranges::find_if(sheet.rows, [](const Row& one) { return one.owned.has_value(); });
  row.owned->fixed_usd_per_month = MicroUsd{1'000'000'000};
  row.owned->full_use_usd_per_month = MicroUsd{2'000'000'000};
  row.owned->rent_usd_per_run.reset();
  EXPECT_EQ(lines_of(rent_or_own_chart(sheet, row)).y.unit, "$ per month");
}

TEST(Charts, sequence_lines_stop_at_the_top_of_the_picture) {
  const Sheet& sheet = sample_sheet();
  const Chart chart = memory_by_sequence_chart(sheet, "llama-3.1-70b");
  EXPECT_EQ(lines_of(chart).lines.size(), 3U);
  for (const Line& line : lines_of(chart).lines) {
    for (const auto& [x, y] : line.points) EXPECT_LE(y, 130.0);
  }
  EXPECT_EQ(chart.conclusion,
            "Longest sequence that fits with the headroom, tokens: 16,384 for full on "
            "8\u00a0×\u00a0MI300X, "
            "16,384 for LoRA on 4\u00a0×\u00a0H100, 4,096 for QLoRA on 4\u00a0×\u00a05090.");
}

TEST(Charts, a_model_nothing_fits_has_an_empty_chart) {
  Sheet sheet = tiny_sheet();
  sheet.picks.clear();
  sheet.series.clear();
  const Chart bill = memory_bill_chart(sheet, "llama-3.1-8b");
  EXPECT_TRUE(bars_of(bill).bars.empty());
  EXPECT_EQ(bill.description, "No set-up fits.");
  EXPECT_TRUE(lines_of(memory_by_sequence_chart(sheet, "llama-3.1-8b")).lines.empty());
}

const Ranges& ranges(const Chart& chart) { return std::get<Ranges>(chart.body); }

Sensitivity bar(const std::string& title, std::int64_t low, std::int64_t high) {
  Sensitivity bar;
  bar.title = title;
  bar.unit = "USD per kWh";
  bar.low = 0.065;
  bar.high = 0.12;
  bar.own_usd_per_gpu_hour_low = {low};
  bar.own_usd_per_gpu_hour_high = {high};
  return bar;
}

Tornado tornado_of(const Sheet& sheet, std::vector<Sensitivity> bars) {
  return {sheet.rows.front().key(), {2'500'000}, std::nullopt, std::move(bars)};
}

TEST(InputValue, ReadsAsPeopleWriteIt) {
  EXPECT_EQ(input_value(0.083, "USD per kWh"), "$0.083 per kWh");
  EXPECT_EQ(input_value(325000, "USD"), "$325,000");
  EXPECT_EQ(input_value(0.09, "share per year"), "9\u00a0%");
  EXPECT_EQ(input_value(1.4, "ratio"), "1.4");
  EXPECT_EQ(input_value(5, "years"), "5\u00a0years");
}

TEST(TornadoChart, RunsFromTheLowerToTheHigherPriceWhicheverEndOfTheInputIsWhich) {
  const Sheet& sheet = tiny_sheet();
  const Chart chart = tornado_chart(sheet, tornado_of(sheet, {bar("life", 2'900'000, 2'200'000),
                                                              bar("power", 2'400'000, 2'600'000)}));
  ASSERT_EQ(ranges(chart).ranges.size(), 2U);
  const Range& first = ranges(chart).ranges.front();
  EXPECT_DOUBLE_EQ(first.low, 2.2);
  EXPECT_DOUBLE_EQ(first.mark, 2.5);
  EXPECT_DOUBLE_EQ(first.high, 2.9);
  EXPECT_EQ(first.sublabel, "$0.065 to $0.12 per kWh: $2.90 to $2.20");
}

TEST(TornadoChart, LeavesOutWhatMovesNothingByACent) {
  const Sheet& sheet = tiny_sheet();
  const Chart chart = tornado_chart(sheet, tornado_of(sheet, {bar("life", 2'200'000, 2'900'000),
                                                              bar("rent", 2'500'000, 2'509'999)}));
  EXPECT_EQ(ranges(chart).ranges.size(), 1U);
}

TEST(TornadoChart, TheAxisHoldsEveryRangeBetweenTwoTicks) {
  const Sheet& sheet = tiny_sheet();
  const Chart chart = tornado_chart(sheet, tornado_of(sheet, {bar("life", 2'230'000, 2'870'000)}));
  const Axis& axis = ranges(chart).axis;
  EXPECT_LE(axis.low, 2.23);
  EXPECT_GE(axis.high, 2.87);
  EXPECT_DOUBLE_EQ(axis.ticks.front(), axis.low);
  EXPECT_NEAR(axis.ticks.back(), axis.high, 1e-12);
}

TEST(TornadoChart, SaysWhichInputMovesItMost) {
  const Sheet& sheet = tiny_sheet();
  const Tornado tornado = tornado_of(sheet, {bar("Useful life", 2'200'000, 2'900'000)});
  const std::int64_t idle = sheet.rows.front().own ? sheet.rows.front().own->unused_gpus : 0;
  const std::string because = idle == 0 ? ""
                                        : ", because " + gpu_count(idle) + " of the machine " +
                                              (idle == 1 ? "is" : "are") + " not used";
  EXPECT_EQ(tornado_conclusion(sheet, tornado),
            "At " + month_hours(sheet.options.planned_hours_per_month) +
                " hours per month, one owned GPU-hour of " + set_up(sheet, sheet.rows.front()) +
                " costs $2.50" + because +
                ". “Useful life” changes this most: from $2.20 to $2.90.");
  EXPECT_EQ(tornado_chart(sheet, tornado_of(sheet, {})).description,
            "No input moves it by a cent.");
}

const AmountBars& amounts_of(const Chart& chart) { return std::get<AmountBars>(chart.body); }

double sum_of(const std::vector<double>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

TEST(PlanCharts, months_say_what_is_paid_for) {
  const Chart chart = plan_months_chart(*planned_sheet().plan);
  const AmountBars& body = amounts_of(chart);
  EXPECT_EQ(body.parts, (std::vector<std::string>{"machines", "on demand", "reserved",
                                                  "energy of runs on machines"}));
  ASSERT_EQ(body.bars.size(), 6U);
  EXPECT_EQ(body.bars[0].parts, (std::vector<double>{4'000, 600, 5'000, 0}));
  EXPECT_EQ(chart.conclusion, "A month costs $5,000 to $23,020.");
  EXPECT_EQ(chart.description,
            "Month 1 $9,600, Month 2 $9,000, Month 3 $5,000, Month 4 $23,020, Month 5 $23,000, "
            "Month 6 $23,000.");
}

TEST(PlanCharts, use_says_what_each_place_has_and_holds) {
  const Sheet& sheet = planned_sheet();
  const Chart chart = plan_use_chart(sheet, *sheet.plan);
  const AmountBars& body = amounts_of(chart);
  EXPECT_EQ(body.parts, std::vector<std::string>{"8B LoRA"});
  ASSERT_EQ(body.bars.size(), 4U);
  EXPECT_EQ(body.bars[0].limit, 200);
  EXPECT_EQ(body.bars[0].words, "50\u00a0% used");
  EXPECT_EQ(body.bars[3].words, "60\u00a0h");
  EXPECT_FALSE(body.bars[3].limit);
}

TEST(PlanCharts, of_the_project_add_up) {
  const Sheet& sheet = quarterly_sheet();
  const SheetPlan& plan = sheet.plan.value();
  MicroUsd all;
  for (const PlanMonthLine& month : plan.months) {
    EXPECT_EQ(month.usd, month.machines_usd + month.reserved_usd + month.energy_usd +
                             month.on_demand_usd + month.spot_usd);
    all += month.usd;
  }
  EXPECT_EQ(all, plan.totals.usd);
  for (const Chart& chart : {plan_months_chart(plan), plan_use_chart(sheet, plan)}) {
    for (const AmountBar& bar : amounts_of(chart).bars) {
      EXPECT_NEAR(sum_of(bar.parts), bar.value, 1e-6 * bar.value) << bar.label;
    }
  }
}

TEST(PlanCharts, kinds_beyond_the_first_four_share_a_part) {
  Sheet sheet = planned_sheet();
  SheetPlan& plan = *sheet.plan;
  for (int i = 0; i < 5; ++i) plan.kinds.push_back(plan.kinds.front());
  plan.assignments[0].kind = 5;
  plan.assignments[1].kind = 1;
  const Chart chart = plan_use_chart(sheet, plan);
  EXPECT_EQ(amounts_of(chart).parts.back(), "other kinds");
  EXPECT_EQ(amounts_of(chart).bars[0].parts, (std::vector<double>{0, 0, 0, 0, 100}));
  EXPECT_EQ(amounts_of(chart).bars[3].parts, (std::vector<double>{0, 60, 0, 0, 0}));
}

TEST(PlanCharts, are_drawn_with_a_shade_a_part_and_a_line_at_the_limit) {
  const Sheet& sheet = planned_sheet();
  const std::string use = svg(plan_use_chart(sheet, *sheet.plan));
  EXPECT_EQ(count(use, "class=\"part-1\""), 2U);
  EXPECT_EQ(count(use, "class=\"limit\""), 1U) << "of the pools in use";
  const std::string months = svg(plan_months_chart(*sheet.plan));
  EXPECT_EQ(count(months, "class=\"part-1\""), 5U);
  EXPECT_EQ(count(months, "class=\"part-3\""), 6U);
}

}  // namespace

}  // namespace sizesheet
