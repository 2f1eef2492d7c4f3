// SPDX-License-Identifier: Apache-2.0
// What is said of a machine to own: its range of dollars, and that no placeholder wins.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "catalog/catalog.h"
#include "catalog/prices/purchase.h"
#include "cost/ownership.h"
#include "sheet/decision.h"
#include "sheet/quarterly.h"
#include "sheet/rows/candidates.h"
#include "sheet/rows/price_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr MicroUsd kHundred{100'000'000};

void expect_range(const UsdRange& usd, double low, double high) {
  EXPECT_NEAR(to_usd(usd.low), low, 1e-4);
  EXPECT_EQ(usd.mid, kHundred);
  EXPECT_NEAR(to_usd(usd.high), high, 1e-4);
}

TEST(OwnRange, IsThatOfTheHoursWhereThePriceIsKnownAndTheOtherWayRound) {
  expect_range(own_range(kHundred, {8, 10, 12}, 1, 1), 80, 120);
  expect_range(own_range(kHundred, {10, 10, 10}, 0.8, 1.25), 80, 125);
}

/// Both move by a factor of 1.25: exp(sqrt(2) ln 1.25) = 1.37104 either way.
TEST(OwnRange, BothTogetherAreTheRootOfTheSumOfTheSquaresOfTheirLogarithms) {
  expect_range(own_range(kHundred, {8, 10, 12.5}, 0.8, 1.25), 72.9371, 137.1044);
}

/// The month of the machine at either end of its price, by hand from the same terms.
TEST(OwnRange, TakesTheMonthAtEitherEndOfTheMachinesPrice) {
  const SheetSpec& spec = quarterly_spec();
  const Purchase& purchase = project_catalog().purchase;
  std::size_t seen = 0;
  for (const Pick& pick : quarterly_sheet().picks) {
    if (!pick.own) continue;
    SCOPED_TRACE(pick.key());
    const OwnPick& own = *pick.own;
    const auto* node = entry_with(purchase.nodes, &PurchaseNode::id, own.machine);
    ASSERT_NE(node, nullptr);
    const auto inputs = ownership_inputs(purchase, spec.ownership, *node, own.machines > 1);
    const auto month_at = [&](double usd) {
      OwnershipTerms terms = typical_terms(inputs, *node, own.gpus);
      terms.capex_usd_per_node = rounded_usd(usd);
      return to_usd(cost_of_owning(terms).own_usd_per_month);
    };
    const UsdRange range =
        own_range(own.usd_per_run, own.hours, month_at(node->usd.low) / month_at(node->usd.typical),
                  month_at(node->usd.high) / month_at(node->usd.typical));
    EXPECT_EQ(own.usd_per_run_low, range.low);
    EXPECT_EQ(own.usd_per_run_high, range.high);
    ++seen;
  }
  EXPECT_GT(seen, 20U);
}

TEST(NoQuote, NeverWinsAndIsSaid) {
  const Sheet& sheet = quarterly_sheet();
  std::set<std::string> unquoted;
  for (const SoldMachine& machine : sheet.machines) {
    if (!machine.quoted) unquoted.insert(machine.id);
  }
  ASSERT_TRUE(unquoted.contains("8x-mi300x"));
  std::size_t said = 0;
  for (const Pick& pick : sheet.picks) {
    EXPECT_FALSE(pick.own && unquoted.contains(pick.own->machine)) << pick.key();
    said += pick.buy_why.find("; no quote: ") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(said, 0U);
  for (const Row& row : sheet.rows) {
    EXPECT_FALSE(row.own && unquoted.contains(row.own->node)) << row.key();
  }
  EXPECT_EQ(cheapest_nodes(project_catalog().purchase, "mi300x", 8), nullptr);
}

/// However cheap it is.
TEST(NoQuote, APriceOfNothingDoesNotWin) {
  Purchase purchase = project_catalog().purchase;
  ASSERT_EQ(cheapest_nodes(purchase, "h100-sxm", 8)->id, "8x-h100-sxm-used");
  for (PurchaseNode& node : purchase.nodes) {
    if (node.used()) {
      node.quoted = false;
      node.usd.typical = 1;
    }
  }
  EXPECT_EQ(cheapest_nodes(purchase, "h100-sxm", 8)->id, "8x-h100-sxm");
}

/// Their titles say so, and pages, workbook and answers print them.
TEST(UsedMachines, AreNamedSo) {
  std::size_t used = 0;
  for (const PurchaseNode& node : project_catalog().purchase.nodes) {
    EXPECT_EQ(node.used(), node.title.find("used") != std::string::npos) << node.id;
    used += node.used() ? 1 : 0;
  }
  EXPECT_GE(used, 3U);
}

}  // namespace
}  // namespace sizesheet
