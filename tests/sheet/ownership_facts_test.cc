// SPDX-License-Identifier: Apache-2.0
// Ownership over the whole quarterly sheet: rows, assumptions, sensitivities, one card against
// another.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "catalog/prices/purchase.h"
#include "cost/ownership.h"
#include "sheet/assemble/ownership.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/rows/price_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

const PurchaseNode& node_named(const std::string& id) {
  return *entry_with(project_catalog().purchase.nodes, &PurchaseNode::id, id);
}

const Sensitivity& bar_of(const Tornado& tornado, const std::string& input) {
  return *entry_with(tornado.bars, &Sensitivity::input, input);
}

/// Keys of the picks' rows that can be bought.
std::set<std::string> pick_rows_to_buy(const Sheet& sheet) {
  std::set<std::string> keys;
  for (const Pick& pick : sheet.picks) {
    for (const auto& key : {pick.rent_key, pick.buy_key}) {
      if (key && sheet.find(*key)->own) keys.insert(*key);
    }
  }
  return keys;
}

TEST(OwnershipOfRows, EveryLineIsWhole) {
  const double month = quarterly_sheet().options.hours_per_month;
  int break_evens = 0;
  for (const Row& row : quarterly_sheet().rows) {
    if (!row.own) continue;
    SCOPED_TRACE(row.key());
    const OwnLine& own = *row.own;
    EXPECT_EQ(own.unused_gpus, own.gpus_bought - row.layout.gpus);
    EXPECT_GE(own.unused_gpus, 0);
    EXPECT_EQ(own.advice.has_value(), row.rents[kOnDemand].has_value());
    EXPECT_EQ(own.unused_usd_per_month > MicroUsd{}, own.unused_gpus > 0);
    EXPECT_EQ(own.savings_usd_over_life.has_value(), row.rents[kOnDemand].has_value());
    EXPECT_EQ(own.npv_usd.has_value(), row.rents[kOnDemand].has_value());
    EXPECT_EQ(own.break_even_utilisation.has_value(), own.break_even_hours_per_month.has_value());
    EXPECT_EQ(own.break_even_runs_per_month.has_value(),
              own.break_even_hours_per_month.has_value());
    if (own.payback_month) {
      EXPECT_LE(*own.payback_month_cash, *own.payback_month);
    }
    if (!own.break_even_hours_per_month) continue;
    ++break_evens;
    EXPECT_LE(*own.break_even_hours_per_month, month);
    EXPECT_NEAR(*own.break_even_hours_per_month, *own.break_even_utilisation * month, 1e-9);
    EXPECT_NEAR(*own.break_even_runs_per_month * *row.hours_mid, *own.break_even_hours_per_month,
                1e-6);
  }
  EXPECT_GT(break_evens, 50);
}

TEST(OwnershipAssumptions, EveryFigureInUseStandsOnceWithItsBasis) {
  const Sheet& sheet = quarterly_sheet();
  const auto& assumptions = sheet.ownership->assumptions;
  std::set<std::string> ids;
  for (const OwnershipAssumption& assumption : assumptions) {
    SCOPED_TRACE(assumption.id);
    EXPECT_TRUE(ids.insert(assumption.id).second);
    EXPECT_LE(assumption.low, assumption.value);
    EXPECT_LE(assumption.value, assumption.high);
    EXPECT_FALSE(assumption.role.empty() || assumption.unit.empty() || assumption.source.empty() ||
                 assumption.date.empty());
  }
  for (const Row& row : sheet.rows) {
    if (!row.own) continue;
    EXPECT_TRUE(ids.contains(row.own->node) && ids.contains(row.own->node + "/kw")) << row.key();
  }
  for (const auto& [role, id] : quarterly_spec().ownership.rates()) {
    EXPECT_EQ(ids.contains(id), id != "utilisation") << id;
  }
  const OwnershipAssumption& planned = assumptions.back();
  EXPECT_EQ(planned.id, kPlannedHours);
  EXPECT_EQ(planned.basis, "choice");
  EXPECT_EQ(planned.low, 255.5);
  EXPECT_EQ(planned.value, 438);
  EXPECT_EQ(planned.high, 657);
}

TEST(Tornadoes, OneForEachPickThatCanBeBought) {
  const Sheet& sheet = quarterly_sheet();
  std::set<std::string> keys;
  for (const Tornado& tornado : sheet.ownership->tornadoes) {
    SCOPED_TRACE(tornado.row_key);
    EXPECT_TRUE(keys.insert(tornado.row_key).second);
    const OwnLine& own = *sheet.find(tornado.row_key)->own;
    EXPECT_EQ(tornado.own_usd_per_gpu_hour, own.own_usd_per_gpu_hour);
    EXPECT_EQ(tornado.break_even_hours_per_month, own.break_even_hours_per_month);
  }
  EXPECT_EQ(keys, pick_rows_to_buy(sheet));
}

TEST(Uses, OfEachPickAreTheMachinesOwnFiguresAndTheAdviceTurnsAtTheBreakEven) {
  const Sheet& sheet = quarterly_sheet();
  EXPECT_EQ(static_cast<std::ptrdiff_t>(sheet.ownership->uses.size()),
            std::ranges::count_if(sheet.picks,
                                  [](const Pick& pick) { return pick.own && pick.rent_key; }));
  int turned = 0;
  for (const UseOfRow& use : sheet.ownership->uses) {
    const Row& row = *sheet.find(use.row_key);
    const OwnPick& own = *sheet.pick(row.model, row.method)->own;
    std::vector<double> hours;
    for (const MonthOfUse& month : use.months) {
      SCOPED_TRACE(use.row_key + " at " + std::to_string(month.hours));
      hours.push_back(month.hours);
      const auto& even = own.break_even_hours_per_month;
      EXPECT_EQ(*month.advice == "buy", even && month.hours > *even);
      turned += *month.advice == "buy" ? 1 : 0;
    }
    EXPECT_EQ(hours, (std::vector<double>{100, 200, 300, 438, 730}));
    const MonthOfUse& planned = use.months.at(3);
    EXPECT_LE(std::abs((planned.own_usd_per_month - own.usd_per_month).value), 10) << use.row_key;
    EXPECT_EQ(planned.advice, own.advice);
    EXPECT_EQ(planned.close, own.close);
    EXPECT_EQ(use.months.back().own_usd_per_month, own.full_use_usd_per_month);
  }
  EXPECT_GT(turned, 0);
}

TEST(Tornadoes, TheLongestBarComesFirstAndEachGoesTheWayItsInputGoes) {
  const std::set<std::string> falling = {"hours", "life-years", "residual-share-5y",
                                         "used-life-years", "residual-share-used-3y"};
  for (const Tornado& tornado : quarterly_sheet().ownership->tornadoes) {
    MicroUsd last = MicroUsd{std::numeric_limits<std::int64_t>::max()};
    for (const Sensitivity& bar : tornado.bars) {
      SCOPED_TRACE(tornado.row_key + " " + bar.input);
      const bool down = falling.contains(bar.input);
      const MicroUsd least = down ? bar.own_usd_per_gpu_hour_high : bar.own_usd_per_gpu_hour_low;
      const MicroUsd most = down ? bar.own_usd_per_gpu_hour_low : bar.own_usd_per_gpu_hour_high;
      EXPECT_LE(bar.low, bar.typical);
      EXPECT_LE(bar.typical, bar.high);
      EXPECT_LE(least, tornado.own_usd_per_gpu_hour);
      EXPECT_LE(tornado.own_usd_per_gpu_hour, most);
      if (bar.input == "rent") {
        EXPECT_EQ(least, most);
      }
      EXPECT_LE(most - least, last);
      last = most - least;
    }
  }
}

TEST(Tornadoes, OneInputAtATimeIsTheSameQuestionWithThatInputChanged) {
  const Sheet& sheet = quarterly_sheet();
  const SheetSpec& spec = quarterly_spec();
  for (const Tornado& tornado : sheet.ownership->tornadoes) {
    const Row& row = *sheet.find(tornado.row_key);
    const PurchaseNode& node = node_named(row.own->node);
    OwnershipTerms terms = row_terms(project_catalog().purchase, spec, node, row);
    EXPECT_EQ(cost_of_owning(terms).own_usd_per_month, row.own->own_usd_per_month);
    terms.capex_usd_per_node = rounded_usd(node.usd.high);
    const Sensitivity& price = bar_of(tornado, "usd_per_node");
    EXPECT_EQ(price.own_usd_per_gpu_hour_high, cost_of_owning(terms).own_usd_per_gpu_hour);
    EXPECT_EQ(price.break_even_hours_high, cost_of_owning(terms).break_even_hours_per_month);
    terms = row_terms(project_catalog().purchase, spec, node, row);
    terms.utilisation = 0.35;
    EXPECT_EQ(bar_of(tornado, "hours").own_usd_per_gpu_hour_low,
              cost_of_owning(terms).own_usd_per_gpu_hour);
  }
}

TEST(Tornadoes, EveryOptionThatIsOnHasABar) {
  SheetSpec spec = quarterly_spec();
  spec.ownership.residual = "";
  spec.ownership.value_decay = "value-decay-oom-per-year";
  spec.ownership.support = "support-share";
  spec.ownership.cabling = "cabling-share";
  spec.ownership.licence = "licence-usd-per-gpu-year";
  spec.ownership.staff_fte_per_node = "staff-fte-per-node";
  spec.ownership.usd_per_fte_year = "fte-usd-per-year";
  spec.ownership.least_fte_per_node = "";  // as the same rate counts once
  const Row& row = *quarterly_sheet().find("size-70b", "full", "b200", "hf-trl-4k");
  const PurchaseNode& node = node_named(row.own->node);
  const Tornado result = tornado(project_catalog().purchase, spec, node, row);
  std::set<std::string> inputs;
  for (const Sensitivity& bar : result.bars) inputs.insert(bar.input);
  std::set<std::string> expected{"usd_per_node", "kw_per_node", "rent", "hours"};
  for (const auto& [role, id] :
       rates_in_use(project_catalog().purchase, spec.ownership, {node.gpu})) {
    expected.insert(id);
  }
  expected.erase("hours-per-month");
  expected.erase("utilisation");
  if (row.layout.gpus <= node.gpus) expected.erase("network-usd-per-gpu");
  EXPECT_EQ(inputs, expected);
  const OwnershipTerms terms = row_terms(project_catalog().purchase, spec, node, row);
  const OwnershipParts parts = cost_of_owning(terms).parts;
  EXPECT_EQ(parts.staff, rounded_usd(static_cast<double>(row.own->nodes) * 0.02 * 180000 / 12));
  EXPECT_EQ(parts.licence, rounded_usd(static_cast<double>(row.layout.gpus) * 4500 / 12));
  EXPECT_GT(cost_of_owning(terms).capex_usd, row.own->capex_usd);
}

TEST(Tornadoes, WithoutARangeForTheHoursOrARentThereIsNoBar) {
  SheetSpec spec = quarterly_spec();
  spec.ownership.utilisation = "";
  Row row = *quarterly_sheet().find("size-70b", "full", "b200", "hf-trl-4k");
  row.rents[kOnDemand].reset();
  row.spread.reset();
  const Tornado result = tornado(project_catalog().purchase, spec, node_named(row.own->node), row);
  EXPECT_FALSE(result.break_even_hours_per_month);
  for (const Sensitivity& bar : result.bars) {
    EXPECT_NE(bar.input, "hours");
    EXPECT_NE(bar.input, "rent");
  }
}

TEST(BuyOrRentOfCards, IsWhatThePicksSay) {
  const Sheet& sheet = quarterly_sheet();
  const double month = sheet.options.hours_per_month;
  EXPECT_FALSE(sheet.ownership->buy_or_rent.empty());
  for (const BuyOrRent& choice : sheet.ownership->buy_or_rent) {
    SCOPED_TRACE(choice.buy_key);
    const Pick& pick = *sheet.pick(choice.model, choice.method);
    const OwnPick& own = *pick.own;
    EXPECT_EQ(choice.rent_key, pick.cheapest_mid ? pick.cheapest_mid->row : *pick.rent_key);
    EXPECT_EQ(sheet.find(choice.buy_key)->gpu, own.gpu);
    EXPECT_EQ(choice.own_usd_per_run, own.usd_per_run);
    EXPECT_EQ(choice.rent_usd_per_run, own.rent_set_up->usd.mid);
    EXPECT_EQ(choice.advice, own.advice);
    const double owned_usd = to_usd(choice.own_usd_per_run);
    const double rented_usd = to_usd(choice.rent_usd_per_run);
    EXPECT_EQ(choice.close,
              std::abs(owned_usd - rented_usd) <= 0.1 * std::max(owned_usd, rented_usd));
    if (!choice.break_even_hours_per_month) continue;
    EXPECT_LE(*choice.break_even_hours_per_month, month);
    const double fixed = to_usd(own.fixed_usd_per_month);
    const double full = to_usd(own.full_use_usd_per_month);
    const double owned = fixed + (full - fixed) * *choice.break_even_hours_per_month / month;
    EXPECT_NEAR(owned, *choice.break_even_runs_per_month * to_usd(choice.rent_usd_per_run),
                1e-6 * owned);
    EXPECT_NEAR(*choice.break_even_runs_per_month * own.hours.mid,
                *choice.break_even_hours_per_month, 1e-6);
  }
}

TEST(OwnershipFacts, AreAbsentWhereNothingCanBeBought) {
  Sheet sheet = quarterly_sheet();
  sheet.ownership.reset();
  for (Row& row : sheet.rows) row.own.reset();
  for (Pick& pick : sheet.picks) {
    pick.buy_key.reset();
    pick.own.reset();
  }
  add_ownership_facts(project_catalog(), quarterly_spec(), sheet);
  EXPECT_FALSE(sheet.ownership);
}

}  // namespace
}  // namespace sizesheet
