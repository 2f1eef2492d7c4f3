// SPDX-License-Identifier: Apache-2.0
// Offers and picks of the quarterly sheet: complete, in order, and of one mind with the rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "catalog/prices/price.h"
#include "sheet/assemble/decide.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sizing/memory/verdict.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

const SheetPrice& price_of(const std::string& key) {
  return *entry_with(quarterly_sheet().prices, &SheetPrice::key, key);
}

TEST(Offers, StandForEveryPickOnce) {
  const Sheet& sheet = quarterly_sheet();
  std::set<std::string> wanted;
  for (const Pick& pick : sheet.picks) {
    if (pick.rent_key) wanted.insert(*pick.rent_key);
    if (pick.buy_key) wanted.insert(*pick.buy_key);
  }
  std::set<std::string> found;
  for (const RowOffers& offers : sheet.offers) {
    EXPECT_TRUE(found.insert(offers.row_key).second) << offers.row_key;
  }
  EXPECT_EQ(found, wanted);
}

TEST(Offers, AreTheBestRowOfEachProviderRegionAndTierCheapestFirst) {
  const Sheet& sheet = quarterly_sheet();
  for (const RowOffers& row : sheet.offers) {
    std::set<std::tuple<std::string, std::string, std::string>> seen;
    MicroUsd last;
    for (const RentOffer& offer : row.offers) {
      EXPECT_TRUE(seen.emplace(offer.provider, offer.region, offer.tier).second) << offer.price_key;
      EXPECT_LE(last, offer.usd_per_hour) << row.row_key << " " << offer.price_key;
      last = offer.usd_per_hour;
      EXPECT_EQ(price_of(offer.price_key).excluded, "") << offer.price_key;
    }
  }
}

/// Dollars of a run at the offer: expected, and a quarter of the way to the upper end.
double score_of(const RentOffer& offer, const Hours& hours) {
  const double expected = to_usd(offer.usd_per_run.value());
  const double slower = std::log(hours.high / hours.mid);
  const double dearer = price_of(offer.price_key).ln_width;
  const double upper = expected * std::exp(std::sqrt(slower * slower + dearer * dearer));
  return expected + 0.25 * (upper - expected);
}

/// The offer of a tier that the row itself is priced by: on demand that of its set-up, else the
/// lowest. nullptr where the list has no such.
const RentOffer* own_offer(const RowOffers& all, const Row& row, const SheetTier& tier) {
  const RunCandidate* set_up = tier.place == kOnDemand.place ? row.set_up() : nullptr;
  const auto found = std::ranges::find_if(all.offers, [&](const RentOffer& offer) {
    return offer.tier == tier.key && (set_up == nullptr || offer.price_key == set_up->price_key);
  });
  return found == all.offers.end() ? nullptr : &*found;
}

TEST(Offers, AgreeWithTheRowTheyStandFor) {
  const Sheet& sheet = quarterly_sheet();
  for (const RowOffers& row : sheet.offers) {
    const Row& priced = *sheet.find(row.row_key);
    std::set<std::string> tiers;
    for (const RentOffer& offer : row.offers) {
      const SheetPrice& price = price_of(offer.price_key);
      const std::int64_t paid = offer.instances * price.gpus;
      EXPECT_EQ(paid - offer.unused_gpus, priced.layout.gpus);
      const std::int64_t machine =
          machine_gpus(price, priced.layout.gpus).value_or(priced.layout.gpus);
      const std::int64_t least = std::max(machine, price.minimum_gpus.value_or(0));
      EXPECT_LT(paid - least, price.gpus) << offer.price_key;
      EXPECT_EQ(offer.usd_per_month.has_value(), offer.tier.starts_with("reserved"));
      tiers.insert(offer.tier);
    }
    for (const SheetTier& tier : kRentTiers) {
      const std::optional<RentLine>& line = priced.rents[tier];
      EXPECT_EQ(line.has_value(), tiers.contains(tier.key)) << row.row_key << tier.key;
      if (!line) continue;
      const RentOffer* own = own_offer(row, priced, tier);
      ASSERT_NE(own, nullptr) << row.row_key << " " << line->price_key;
      EXPECT_EQ(line->price_key, own->price_key);
      EXPECT_EQ(line->instances, own->instances);
      EXPECT_EQ(line->usd_per_hour, own->usd_per_hour);
      EXPECT_EQ(line->seen_usd_per_hour, own->seen_usd_per_hour);
      EXPECT_EQ(line->usd_per_run, own->usd_per_run);
      EXPECT_EQ(line->usd_per_month, own->usd_per_month);
    }
  }
}

TEST(Offers, OnDemandNoneHasALowerScoreThanTheRowsOwn) {
  const Sheet& sheet = quarterly_sheet();
  ASSERT_EQ(sheet.options.pick_rules.rank, "score");
  ASSERT_EQ(sheet.options.pick_rules.risk_weight, 0.25);
  std::size_t compared = 0;
  for (const RowOffers& row : sheet.offers) {
    const Row& priced = *sheet.find(row.row_key);
    if (priced.set_up() == nullptr) continue;
    const Hours& hours = priced.set_up()->hours;
    const RentOffer* own = own_offer(row, priced, kOnDemand);
    ASSERT_NE(own, nullptr) << row.row_key;
    for (const RentOffer& offer : row.offers) {
      if (offer.tier != kOnDemand.key) continue;
      // Amounts are rounded to a micro-dollar.
      EXPECT_LE(score_of(*own, hours), score_of(offer, hours) + 3e-6)
          << row.row_key << " " << offer.price_key;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100U);
}

TEST(Offers, ARowSaysOfHowManyGpusItsPriceIs) {
  const Sheet& sheet = quarterly_sheet();
  std::size_t larger = 0;
  for (const Row& row : sheet.rows) {
    for (const SheetTier& tier : kRentTiers) {
      const std::optional<RentLine>& line = row.rents[tier];
      if (!line) continue;
      EXPECT_EQ(line->gpus_paid, line->instances * price_of(line->price_key).gpus);
      EXPECT_GE(line->gpus_paid, row.layout.gpus);
      larger += line->gpus_paid > row.layout.gpus ? 1 : 0;
    }
  }
  EXPECT_GT(larger, 50U);
}

TEST(Offers, ThePickOfTheNamedCaseCanBeRentedInManyPlaces) {
  const Sheet& sheet = quarterly_sheet();
  for (const RowOffers& row : sheet.offers) {
    const auto h100 = row.row_key.find("/h100-sxm/");
    if (h100 == std::string::npos) continue;
    EXPECT_GE(row.offers.size(), 5U) << row.row_key;
  }
}

TEST(HourlyPick, IsTheCheapestHourOfTheSameRows) {
  const Sheet& sheet = quarterly_sheet();
  for (const Pick& pick : sheet.picks) {
    ASSERT_TRUE(pick.hourly_key) << pick.model << pick.method;
    const Row& hourly = *sheet.find(*pick.hourly_key);
    for (const Row& row : sheet.rows) {
      const bool rival = row.model == pick.model && row.method == pick.method &&
                         row.scenario == pick.scenario && row.verdict == Verdict::kFits &&
                         row.rents[kOnDemand];
      if (rival) {
        EXPECT_LE(hourly.rents[kOnDemand]->usd_per_hour, row.rents[kOnDemand]->usd_per_hour)
            << row.key();
      }
    }
    EXPECT_EQ(pick.hourly_why.empty(), pick.hourly_key == pick.rent_key) << pick.model;
  }
}

/// Eight L40S and four H100 for one model and method; dollars of an hour and of a run, 0 where that
/// is not known. A run on L40S may cost up to `l40s_upper` of that.
Pick pick_of_two(double l40s_hour, double l40s_run, double h100_hour, double h100_run,
                 double l40s_upper = 1) {
  Sheet sheet;
  sheet.scenarios.resize(1);
  sheet.gpus.resize(2);
  sheet.methods.resize(1);
  sheet.methods.front().tokens = 1'000'000;
  std::vector<Row> rows;
  const auto add = [&](const char* id, const char* name, std::int64_t gpus, double hour, double run,
                       double upper) {
    SheetGpu& gpu = sheet.gpus[rows.size()];
    gpu.id = id;
    gpu.short_name = name;
    Row& row = rows.emplace_back();
    row.gpu = id;
    row.verdict = Verdict::kFits;
    row.layout.gpus = gpus;
    RentLine& rent = row.rents[kOnDemand].emplace();
    rent.usd_per_hour = rounded_usd(hour);
    if (run == 0) return;
    const double hours = run / hour;
    const MicroUsd usd = rounded_usd(run);
    row.hours_mid = hours;
    rent.usd_per_run = usd;
    RunCandidate& only = row.candidates.emplace_back();
    only.gpu = id;
    only.gpus = gpus;
    only.hours = {hours, hours, hours};
    only.usd = {usd, usd, rounded_usd(run * upper)};
    only.offers = 1;
    row.chosen = 0;
  };
  add("l40s", "L40S", 8, l40s_hour, l40s_run, l40s_upper);
  add("h100", "H100", 4, h100_hour, h100_run, 1);
  const auto never = [](const Row& row, std::int64_t) { return row; };
  return decide_rows(sheet, never, rows).value();
}

TEST(HourlyPick, SaysWhatTheCheapestHourWouldCost) {
  const Pick cheaper = pick_of_two(6.32, 657.9, 19.12, 415.8);
  EXPECT_EQ(cheaper.rent_key, "//h100/");
  EXPECT_EQ(cheaper.hourly_key, "//l40s/");
  EXPECT_EQ(cheaper.hourly_why,
            "8 × L40S costs least per hour ($6.32/h against $19.12/h) but more per run: 104 h "
            "and $658; the pick takes 22 h and costs $416");
  EXPECT_EQ(pick_of_two(1, 50, 10, 50).hourly_why,
            "8 × L40S costs least per hour ($1.00/h against $10.00/h) and as much per run: 50 h "
            "and $50.00; the pick takes 5.0 h and costs $50.00");
  const Pick unsure = pick_of_two(1, 45, 10, 50, 1.6);
  EXPECT_EQ(unsure.rent_key, "//h100/");
  EXPECT_EQ(unsure.hourly_why,
            "8 × L40S costs least per hour ($1.00/h against $10.00/h) and less per run on "
            "average, at a higher score: 45 h and $45.00; the pick takes 5.0 h and costs $50.00");
  const Pick same = pick_of_two(1, 5, 10, 50);
  EXPECT_EQ(same.hourly_key, same.rent_key);
  EXPECT_EQ(same.hourly_why, "");
  const Pick unknown = pick_of_two(1, 0, 10, 50);
  EXPECT_EQ(unknown.rent_key, "//h100/");
  EXPECT_EQ(unknown.hourly_why,
            "8 × L40S costs least per hour ($1.00/h against $10.00/h); the hours of a run are not "
            "known");
}

}  // namespace
}  // namespace sizesheet
