// SPDX-License-Identifier: Apache-2.0
// What a sheet decides, over every pick of the quarterly sheet and of 500 random ones: no pick
// breaks the deadline or the tie share, and the price at which the next one wins is where it wins.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/facts/method.h"
#include "catalog/prices/purchase.h"
#include "cost/rent.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/rows/size_row.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/memory/verdict.h"
#include "sizing/request/question.h"
#include "sizing/search/search.h"
#include "support/due.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

constexpr std::size_t kRandomSheets = 500;
constexpr double kRounding = 2e-5;  // dollars: candidates' amounts are whole micro-dollars

const RunCandidate& at(const Sheet& sheet, const std::string& row, std::int64_t candidate) {
  return sheet.find(row)->candidates.at(static_cast<std::size_t>(candidate));
}

/// Every candidate of a pick's model and method in the main scenario.
std::vector<const RunCandidate*> rivals_of(const Sheet& sheet, const Pick& pick) {
  std::vector<const RunCandidate*> all;
  for (const Row& row : sheet.rows) {
    if (row.model != pick.model || row.method != pick.method || !sheet.is_main(row)) continue;
    for (const RunCandidate& one : row.candidates) all.push_back(&one);
  }
  return all;
}

bool may_win(const Sheet& sheet, const RunCandidate& one) {
  const PickRules& rules = sheet.options.pick_rules;
  const auto& deadline = sheet.options.deadline_hours;
  return (!deadline || one.hours.high <= *deadline) && (one.measured || !rules.measured) &&
         one.offers >= rules.min_offers;
}

/// What is hard to start wins only where no smaller count that is not may win.
bool may_start(const Sheet& sheet, const std::vector<const RunCandidate*>& rivals,
               const RunCandidate& one) {
  if (!is_hard_to_start(one)) return true;
  return std::ranges::none_of(rivals, [&](const RunCandidate* other) {
    return other->gpus < one.gpus && may_win(sheet, *other) && !is_hard_to_start(*other);
  });
}

void expect_rule(const Sheet& sheet, const Pick& pick) {
  const PickRules& rules = sheet.options.pick_rules;
  const auto usd = [&](const RunCandidate& one) { return to_usd(ranked_usd(one, rules)); };
  const std::vector<const RunCandidate*> rivals = rivals_of(sheet, pick);
  if (!pick.rent_key) {
    for (const RunCandidate* one : rivals) EXPECT_FALSE(may_win(sheet, *one));
    return;
  }
  const Row& row = *sheet.find(*pick.rent_key);
  const RunCandidate& won = at(sheet, *pick.rent_key, *pick.candidate);
  EXPECT_EQ(row.chosen, pick.candidate);
  EXPECT_EQ(row.layout.gpus, won.gpus);
  EXPECT_EQ(row.verdict, Verdict::kFits);
  EXPECT_EQ(*row.usd_per_run(), won.usd.mid);
  EXPECT_EQ(row.rents[kOnDemand]->price_key, won.price_key);
  EXPECT_TRUE(may_win(sheet, won) && may_start(sheet, rivals, won));
  double least = usd(won);
  for (const RunCandidate* one : rivals) {
    const bool able = may_win(sheet, *one) && may_start(sheet, rivals, *one);
    if (able) least = std::min(least, usd(*one));
  }
  const double within = least * (1 + rules.tie_share) + kRounding;
  EXPECT_LE(usd(won), within);
  if (rules.tie_share == 0) return;
  for (const RunCandidate* one : rivals) {
    if (!may_win(sheet, *one) || !may_start(sheet, rivals, *one)) continue;
    if (!one->keeps_batch || usd(*one) > within - 2 * kRounding) continue;
    EXPECT_GE(one->hours.high, won.hours.high) << one->gpus << " x " << one->gpu;
  }
}

/// The same sheet's candidates with the runner-up's dollars scaled: who is picked?
const RunCandidate* winner_with(const Sheet& sheet, const Pick& pick, double factor) {
  static std::vector<RunCandidate> copies;
  copies.clear();
  const RunCandidate* next = &at(sheet, pick.runner_up->row, pick.runner_up->candidate);
  std::vector<const RunCandidate*> all;
  for (const RunCandidate* one : rivals_of(sheet, pick)) copies.push_back(*one);
  std::size_t place = 0;
  for (const RunCandidate* one : rivals_of(sheet, pick)) {
    if (one == next) {
      for (MicroUsd* usd : {&copies[place].usd.mid, &copies[place].usd.high}) {
        *usd = rounded_usd(to_usd(*usd) * factor);
      }
      next = &copies[place];
    }
    all.push_back(&copies[place++]);
  }
  const RunCandidate* won = picked(all, sheet.options.pick_rules, sheet.options.deadline_hours);
  return won == next ? next : nullptr;
}

void expect_next(const Sheet& sheet, const Pick& pick) {
  if (!pick.runner_up) return;
  const RunCandidate& won = at(sheet, *pick.rent_key, *pick.candidate);
  const RunCandidate& next = at(sheet, pick.runner_up->row, pick.runner_up->candidate);
  EXPECT_NE(next.gpu, won.gpu);
  EXPECT_NE(next.provider, won.provider);
  EXPECT_TRUE(may_win(sheet, next) && may_start(sheet, rivals_of(sheet, pick), next));
  EXPECT_NEAR(pick.runner_up->usd_high_share, to_usd(next.usd.high) / to_usd(won.usd.high) - 1,
              1e-9);
  const PickRules& rules = sheet.options.pick_rules;
  EXPECT_NEAR(pick.runner_up->score_share,
              to_usd(ranked_usd(next, rules)) / to_usd(ranked_usd(won, rules)) - 1, 1e-9);
  ASSERT_TRUE(pick.switch_at && pick.switch_at->speed_share);
  // Where one of them is chosen for more than hours and dollars, so is the price where that turns.
  if (!next.keeps_batch || !won.keeps_batch) return;
  const double share = 1 / (1 + *pick.switch_at->speed_share);
  EXPECT_NE(winner_with(sheet, pick, share * 0.999), nullptr) << pick.why;
  EXPECT_EQ(winner_with(sheet, pick, share * 1.001), nullptr) << pick.why;
}

void expect_own(const Sheet& sheet, const Pick& pick) {
  EXPECT_EQ(pick.own.has_value(), pick.buy_key.has_value());
  if (!pick.own) return;
  const OwnPick& own = *pick.own;
  const SoldMachine* machine = entry_with(sheet.machines, &SoldMachine::id, own.machine);
  ASSERT_NE(machine, nullptr) << own.machine;
  EXPECT_TRUE(machine->quoted);
  EXPECT_EQ(own.used, machine->used());
  EXPECT_EQ(own.price_kind, machine->price_kind);
  EXPECT_EQ(own.lead_time_weeks.has_value(), machine->lead_time_weeks.has_value());
  const SheetEstimate* price = entry_with(sheet.purchase_nodes, &SheetEstimate::id, own.machine);
  ASSERT_NE(price, nullptr);
  EXPECT_EQ(own.price_as_of, price->date);
  // At least as wide as the hours alone, and wider where the price has a range.
  const double up = to_usd(own.usd_per_run_high) / to_usd(own.usd_per_run);
  const double down = to_usd(own.usd_per_run_low) / to_usd(own.usd_per_run);
  EXPECT_GE(up, own.hours.high / own.hours.mid - 1e-4);
  EXPECT_LE(down, own.hours.low / own.hours.mid + 1e-4);
  EXPECT_EQ(own.measured,
            pick.buy_why.find("; nobody published a speed of its GPU type") == std::string::npos);
  EXPECT_EQ(own.machines * machine->gpus, own.gpus + own.unused_gpus);
  EXPECT_LT(own.unused_gpus, machine->gpus);
  EXPECT_EQ(own.unused_gpus > 0, pick.buy_why.find(" of its GPUs stay idle") != std::string::npos);
  const auto& deadline = sheet.options.deadline_hours;
  EXPECT_TRUE(!deadline || own.hours.high <= *deadline);
  EXPECT_NEAR(own.planned_runs_per_month * own.hours.mid, sheet.options.planned_hours_per_month,
              1e-6);
  EXPECT_EQ(own.advice.has_value(), pick.rent_key.has_value());
  EXPECT_EQ(own.rent_set_up.has_value(), own.advice.has_value());
  EXPECT_EQ(pick.break_even_hours_per_month, own.break_even_hours_per_month);
  EXPECT_EQ(pick.advice_at_hours.has_value(), own.advice.has_value());
  EXPECT_NEAR(own.advice_at_hours, sheet.options.planned_hours_per_month, 1e-9);
  if (!own.advice) return;
  // The pick, or what is cheaper on average.
  const RunCandidate& run = *sheet.find(*pick.rent_key)->set_up();
  EXPECT_EQ(*own.rent_usd_per_run, pick.cheapest_mid ? pick.cheapest_mid->usd_mid : run.usd.mid);
  EXPECT_LE(*own.rent_usd_per_run, run.usd.mid);
  EXPECT_EQ(own.rent_set_up->usd.mid, *own.rent_usd_per_run);
  EXPECT_EQ(own.rent_set_up->price_key, own.rent_price_key);
  EXPECT_NE(pick.buy_why.find(" from " + seller_name(sheet, own.rent_set_up->provider) + " at "),
            std::string::npos)
      << pick.buy_why;
  EXPECT_EQ(*own.advice, own.usd_per_run < *own.rent_usd_per_run ? "buy" : "rent");
  const bool pays =
      own.break_even_runs_per_month && *own.break_even_runs_per_month < own.planned_runs_per_month;
  EXPECT_EQ(*own.advice == "buy", pays) << pick.buy_why;
  for (const Row& row : sheet.rows) {
    if (row.model != pick.model || row.method != pick.method || !sheet.is_main(row)) continue;
    ASSERT_EQ(row.owned.has_value(), holds(row.verdict));
    if (!row.owned) continue;
    EXPECT_EQ(row.owned->advice, own.advice);
    EXPECT_EQ(row.owned->machine, own.machine);
  }
}

void expect_decided(const Sheet& sheet) {
  for (const Pick& pick : sheet.picks) {
    SCOPED_TRACE(pick.model + "/" + pick.method + ": " + pick.why);
    expect_rule(sheet, pick);
    expect_next(sheet, pick);
    expect_own(sheet, pick);
  }
}

TEST(Decide, EveryPickOfTheQuarterlySheet) {
  const Sheet& sheet = quarterly_sheet();
  expect_decided(sheet);
  EXPECT_EQ(sheet.picks.size(), sheet.models.size() * sheet.methods.size());
  std::size_t with_next = 0;
  for (const Pick& pick : sheet.picks) with_next += pick.runner_up ? 1 : 0;
  EXPECT_GT(with_next, sheet.picks.size() / 2);
}

/// A pick may cost over 15 % more on average than the cheapest that is in time and for sale only
/// where its sentence says so, with the dollars of both.
TEST(Decide, APickThatIsNotTheCheapestOnAverageNamesTheCheapest) {
  const Sheet& sheet = quarterly_sheet();
  for (const Pick& pick : sheet.picks) {
    if (!pick.rent_key) continue;
    const RunCandidate& won = at(sheet, *pick.rent_key, *pick.candidate);
    MicroUsd least = won.usd.mid;
    for (const RunCandidate* one : rivals_of(sheet, pick)) {
      if (may_win(sheet, *one)) least = std::min(least, one->usd.mid);
    }
    EXPECT_EQ(pick.cheapest_mid.has_value(), least < won.usd.mid) << pick.why;
    if (!pick.cheapest_mid) continue;
    const RunCandidate& cheapest = at(sheet, pick.cheapest_mid->row, pick.cheapest_mid->candidate);
    EXPECT_EQ(cheapest.usd.mid, least);
    EXPECT_NE(pick.why.find("; cheapest on average: " + std::to_string(cheapest.gpus) + " × " +
                            sheet.gpu(cheapest.gpu).short_name + " from " +
                            seller_name(sheet, cheapest.provider)),
              std::string::npos)
        << pick.why;
  }
}

TEST(Decide, EveryPickKeepsTheGlobalBatchAndHasASecondSourceOrSaysOneSeller) {
  const Sheet& sheet = quarterly_sheet();
  std::size_t larger = 0;
  for (const Pick& pick : sheet.picks) {
    if (!pick.rent_key) continue;
    const RunCandidate& won = at(sheet, *pick.rent_key, *pick.candidate);
    const LayoutShape& layout = won.layout;
    if (layout.micro_batch > 1) {
      EXPECT_LE(layout.micro_batch * layout.dp, 32) << pick.why;
      EXPECT_EQ(layout.micro_batch * layout.dp * layout.grad_accum, won.batch) << pick.why;
      ++larger;
    }
    const double near = 1 + sheet.options.pick_rules.exposure_share;
    EXPECT_EQ(pick.exposed,
              !pick.second_source || to_usd(pick.second_source->usd) > near * to_usd(won.usd.mid))
        << pick.why;
    if (!pick.second_source) continue;
    EXPECT_NE(pick.second_source->provider, pick.provider);
    EXPECT_GE(pick.second_source->usd_high, pick.second_source->usd);
  }
  EXPECT_GT(larger, sheet.picks.size() / 2);
}

template <typename T>
T one_of(std::mt19937_64& random, const std::vector<T>& all) {
  return all[random() % all.size()];
}

SheetSpec random_spec(std::mt19937_64& random) {
  SheetSpec spec = quarterly_spec();
  spec.models = {one_of(random, spec.models)};
  spec.highlight_model = spec.models.front().id;
  spec.methods = {one_of(random, spec.methods)};
  spec.scenarios.resize(1);
  std::erase_if(spec.gpus, [&](const std::string&) { return random() % 2 == 0; });
  if (spec.gpus.empty()) spec.gpus = {"h100-sxm"};
  spec.max_gpus = one_of<std::int64_t>(random, {1, 8, 64, 128});
  spec.tokens = one_of<std::int64_t>(random, {5'000'000, 50'000'000, 2'000'000'000});
  spec.deadline_hours = one_of<std::optional<double>>(random, {std::nullopt, 4, 24, 72, 500});
  spec.price_max_age_days = one_of<std::int64_t>(random, {30, 90, 400});
  spec.ownership.planned_hours_per_month = one_of<double>(random, {40, 438, 730});
  spec.scenarios[0].request["workload"]["global_batch"] =
      one_of<std::int64_t>(random, {8, 32, 256});
  PickRules& rules = spec.pick_rules;
  rules.rank = one_of<std::string>(random, kRanks);
  rules.risk_weight = one_of<double>(random, {0, 0.25, 0.5});
  rules.tie_share = one_of<double>(random, {0, 0.05, 0.5});
  rules.measured = random() % 3 == 0;
  rules.min_offers = one_of<std::int64_t>(random, {1, 2});
  rules.frontier_share = 100;  // all of them, so that the test sees each
  return spec;
}

TEST(Decide, RandomSheets) {
  std::mt19937_64 random(20261125);
  std::size_t decided = 0;
  for (std::size_t number = 0; number < kRandomSheets; ++number) {
    const SheetSpec spec = random_spec(random);
    if (!is_due(number, 1)) continue;
    SCOPED_TRACE(number);
    const Sheet sheet = sized_alone(project_catalog(), spec);
    expect_decided(sheet);
    decided += sheet.picks.at(0).rent_key ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(decided, 20U);
}

/// A candidate of so many hours, dollars and GPUs; every range is a point.
RunCandidate run_of(double hours, double usd, std::int64_t gpus) {
  RunCandidate run;
  run.gpu = "h100-sxm";
  run.gpus = gpus;
  run.hours = {hours, hours, hours};
  run.usd = {rounded_usd(usd), rounded_usd(usd), rounded_usd(usd)};
  run.offers = 1;
  return run;
}

/// The row's run under a stack on as many GPUs; nullopt where that refuses it or it does not fit.
std::optional<Timed> under(const Stack& stack, const Row& row) {
  const Catalog& catalog = project_catalog();
  const SheetSpec& spec = quarterly_spec();
  Json request = request_of(catalog, spec, cell_of(spec, row));
  request["stack"] = stack.id;
  Faults faults;
  const Question question = read_question(request, catalog, catalog.engine.current, faults);
  if (!faults.empty()) return std::nullopt;
  for (Timed& way : fastest_by_count(question, search_counts(question))) {
    if (way.candidate.job.layout.gpus() == row.layout.gpus) return std::move(way);
  }
  return std::nullopt;
}

TEST(FastestStack, OfEveryPickOfAdaptersIsTheFastestThatTakesItThere) {
  std::size_t faster = 0;
  for (const Row& row : quarterly_sheet().rows) {
    const bool picked = rent_pick_row(quarterly_sheet(), row.model, row.method) == &row;
    if (!picked || !quarterly_sheet().method(row.method).adapters) {
      EXPECT_FALSE(row.fastest_stack) << row.key();
      continue;
    }
    const std::string& vendor = project_catalog().gpu(row.gpu).vendor;
    const double least = row.fastest_stack ? row.fastest_stack->hours.mid : *row.hours_mid;
    faster += row.fastest_stack ? 1 : 0;
    for (const auto& [id, stack] : project_catalog().stacks) {
      const bool chosen = row.fastest_stack && row.fastest_stack->stack == id;
      const bool takes = stack.vendors.empty() || std::ranges::count(stack.vendors, vendor) > 0;
      EXPECT_TRUE(takes || !chosen) << row.key() << id;
      const auto way = takes ? under(stack, row) : std::nullopt;
      if (!way || !way->candidate.job.keeps_batch()) continue;
      EXPECT_GE(way->hours->mid, least) << row.key() << id;
      if (!chosen) continue;
      const StackRun& run = *row.fastest_stack;
      EXPECT_EQ(run.hours.mid, way->hours->mid) << row.key();
      EXPECT_EQ(run.device, way->candidate.bill.device) << row.key();
      EXPECT_EQ(run.layout.gpus, row.layout.gpus);
      EXPECT_EQ(run.hours_share, run.hours.mid / *row.hours_mid);
      const double factor =
          std::hypot(std::log(run.hours.high / run.hours.mid), row.rents[kOnDemand]->ln_width);
      EXPECT_NEAR(to_usd(run.usd.high), to_usd(run.usd.mid) * std::exp(factor), 1e-5);
    }
  }
  EXPECT_GT(faster, 10U);
}

TEST(Picked, WithinTheTieShareTheFasterOneThatKeepsTheBatch) {
  const RunCandidate cheapest = run_of(20, 100, 1);
  const RunCandidate faster = run_of(10, 104, 2);
  RunCandidate larger = run_of(5, 104, 8);
  larger.keeps_batch = false;
  const RunCandidate dear = run_of(1, 106, 16);
  PickRules rules;
  rules.tie_share = 0.05;
  const std::vector<const RunCandidate*> all{&dear, &larger, &faster, &cheapest};
  EXPECT_EQ(picked(all, rules, std::nullopt), &faster);
  EXPECT_EQ(picked(all, rules, 8), &dear);
  EXPECT_EQ(picked(all, rules, 3), &dear);
  EXPECT_EQ(picked(all, rules, 0.5), nullptr);
}

TEST(Picked, AWideRangeCostsWhatItShould) {
  RunCandidate sure = run_of(10, 100, 1);
  RunCandidate unsure = run_of(10, 90, 1);
  unsure.usd.high = rounded_usd(150);
  PickRules rules;
  const std::vector<const RunCandidate*> both{&unsure, &sure};
  EXPECT_EQ(ranked_usd(unsure, rules), rounded_usd(105));  // 90 + 0.25 × (150 − 90)
  EXPECT_EQ(picked(both, rules, std::nullopt), &sure);
  rules.rank = "usd_mid";
  EXPECT_EQ(picked(both, rules, std::nullopt), &unsure);
  sure.measured = true;
  rules.measured = true;
  EXPECT_EQ(picked(both, rules, std::nullopt), &sure);
  rules.min_offers = 2;
  EXPECT_EQ(picked(both, rules, std::nullopt), nullptr);
}

TEST(Picked, WhatIsHardToStartWinsOnlyWhereNoSmallerCountMay) {
  const RunCandidate small = run_of(3, 100, 8);
  RunCandidate long_start = run_of(1, 80, 16);
  long_start.nodes = 2;
  long_start.startup_share = 0.101;
  RunCandidate many_nodes = run_of(1.9, 80, 72);
  many_nodes.nodes = 9;
  const PickRules rules;
  EXPECT_EQ(picked({{&small, &long_start, &many_nodes}}, rules, std::nullopt), &small);
  EXPECT_EQ(picked({{&small, &long_start}}, rules, 2), &long_start);  // no other is in time
  long_start.startup_share = 0.1;
  many_nodes.hours = {2, 2, 2};
  EXPECT_EQ(picked({{&small, &long_start}}, rules, std::nullopt), &long_start);
  EXPECT_EQ(picked({{&small, &many_nodes}}, rules, std::nullopt), &many_nodes);
  RunCandidate one_node = run_of(1, 80, 16);
  one_node.startup_share = 0.5;
  EXPECT_EQ(picked({{&small, &one_node}}, rules, std::nullopt), &one_node);
}

TEST(Frontier, HoldsWhatNobodyBeatsInHoursAndDollars) {
  const std::vector<RunCandidate> kept =
      frontier({run_of(1, 300, 32), run_of(20, 100, 1), run_of(10, 100, 2), run_of(11, 200, 4)});
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].gpus, 2);
  EXPECT_EQ(kept[1].gpus, 32);
}

}  // namespace
}  // namespace sizesheet
