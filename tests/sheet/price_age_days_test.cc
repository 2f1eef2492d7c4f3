// SPDX-License-Identifier: Apache-2.0
// One catalog on one day after the other: no pick's dollars jump, and every form dates its prices.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <set>
#include <string>

#include "catalog/catalog.h"
#include "sheet/decision.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A few rows. Within a tie share the faster set-up may win, which is a step of its own.
SheetSpec few_rows() {
  Json json = quarterly_of({"llama-3.1-8b", "size-70b"}, {"full", "lora-r16"},
                           {"h100-sxm", "b200", "l40s"});
  json["picks"]["tie_share"] = 0;
  return spec_of(json);
}

std::string day_after(const std::string& first, std::int64_t days) {
  constexpr std::int64_t kSecondsPerDay = 86400;
  return date_of_epoch((*day_number(first) + days) * kSecondsPerDay);
}

/// The dollars that a pick is ranked by; the width of its price is in them.
double score_of(const Sheet& sheet, const Pick& pick) {
  const Row* row = sheet.find(*pick.rent_key);
  const RunCandidate& run = row->candidates.at(static_cast<std::size_t>(*pick.candidate));
  return to_usd(ranked_usd(run, sheet.options.pick_rules));
}

struct Day {
  std::set<std::string> counting;        ///< keys of the price rows on demand that count
  std::map<std::string, double> scores;  ///< by pick
};

Day day_of(const SheetSpec& spec) {
  const Sheet sheet = sized_alone(project_catalog(), spec);
  Day day;
  for (const SheetPrice& price : sheet.prices) {
    if (price.tier == "on_demand" && price.excluded.empty()) day.counting.insert(price.key);
  }
  for (const Pick& pick : sheet.picks) {
    if (pick.rent_key && pick.candidate) day.scores[pick.key()] = score_of(sheet, pick);
  }
  return day;
}

TEST(PriceAgeDays, NoPickJumpsFromOneDayToTheNext) {
  SheetSpec spec = few_rows();
  const std::string first = "2026-11-20";
  spec.as_of = first;
  Day before = day_of(spec);
  ASSERT_EQ(before.scores.size(), 4U);
  int compared = 0;
  for (std::int64_t days = 1; days < 60; ++days) {
    spec.as_of = day_after(first, days);
    const Day today = day_of(spec);
    if (today.counting == before.counting) {
      ++compared;
      for (const auto& [pick, score] : today.scores) {
        EXPECT_NEAR(score / before.scores.at(pick), 1, 0.01) << pick << " on " << spec.as_of;
      }
    }
    before = today;
  }
  EXPECT_GT(compared, 40) << "days on which no row starts or ends";
}

TEST(PriceAgeDays, TheSheetIsDatedByTheOffersOfItsPicks) {
  const Sheet sheet = sized_alone(project_catalog(), few_rows());
  std::set<std::string> days;
  for (const Pick& pick : sheet.picks) {
    const Row* row = sheet.find(*pick.rent_key);
    days.insert(row->candidates.at(static_cast<std::size_t>(*pick.candidate)).price_as_of);
  }
  ASSERT_FALSE(days.empty());
  EXPECT_EQ(sheet.meta.price_from, *days.begin());
  EXPECT_EQ(sheet.meta.price_as_of, *days.rbegin());
}

TEST(PriceAgeDays, ARowIsPricedByWhatItsPriceIsExpectedToBe) {
  const Sheet sheet = sized_alone(project_catalog(), few_rows());
  std::map<std::string, const SheetPrice*> prices;
  for (const SheetPrice& price : sheet.prices) prices[price.key] = &price;
  int moved = 0;
  for (const Row& row : sheet.rows) {
    for (const SheetTier& tier : kRentTiers) {
      const auto& rent = row.rents[tier];
      if (!rent) continue;
      const SheetPrice& price = *prices.at(rent->price_key);
      EXPECT_EQ(rent->usd_per_hour, price.expected_usd_per_instance_hour * rent->instances);
      EXPECT_EQ(rent->seen_usd_per_hour, price.usd_per_instance_hour * rent->instances);
      EXPECT_EQ(rent->ln_width, price.ln_width);
      EXPECT_EQ(rent->age_days, price.age_days);
      moved += price.age_factor > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(moved, 0);
}

}  // namespace
}  // namespace sizesheet
