// SPDX-License-Identifier: Apache-2.0
// Every pick can be ordered as it is printed: of a machine on sale, at a price of the day. Read off
// the rule's words, for the quarterly sheet and for catalogs whose offers are sold at random.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "catalog/prices/price_age.h"
#include "cost/rent.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr int kSheets = 200;
constexpr const char* kGpus[] = {"h100-sxm", "a100-80-sxm"};

/// "" when the seller hands so many GPUs over for this price on the day.
std::string why_not_sold(const Price& price, const std::string& day) {
  if (price.second_reading) return "a second reading alone";
  if (price.sale) return *price.sale;
  if (price.stock == "none") return "out of stock";
  if (price.stock == "low") return "too few for an order";
  if (price.valid_from && *price.valid_from > day) return "not yet valid";
  if (price.valid_until && *price.valid_until < day) return "no longer valid";
  if (price.minimum_term_days || price.minimum_term_hours) return "a term";
  return price.settled.empty() ? "" : "settled";
}

/// GPUs that an order for so many is billed for; 0 where the offer has no machine for them.
std::int64_t billed_by_hand(const Price& price, std::int64_t node, std::int64_t gpus) {
  if (gpus > node && price.gpus != node) return 0;
  std::int64_t billed = 0;
  for (const std::int64_t count : price.counts) {
    if (billed == 0 && count >= gpus) billed = count;
  }
  const bool whole_instances = price.counts.empty() || gpus > node;
  if (billed == 0 && !whole_instances) return 0;
  if (billed == 0) billed = gpus;
  if (price.minimum_gpus && *price.minimum_gpus > billed) billed = *price.minimum_gpus;
  while (billed % price.gpus != 0) ++billed;
  return billed;
}

using PricesByKey = std::map<std::string, const Price*>;

PricesByKey by_key(const Catalog& catalog) {
  PricesByKey all;
  for (const Price& price : catalog.prices) all.emplace(price.key(), &price);
  return all;
}

/// What an instance is expected to cost on the day: in a rising market more by a share of each day
/// since the row was seen.
MicroUsd expected_by_hand(const Catalog& catalog, const Price& price, const std::string& day) {
  double drift = 0;
  for (const AgeKind& kind : catalog.price_age.kinds) {
    const bool rising = catalog.price_age.rising.contains(price.gpu);
    if (kind.id == price.age_kind && rising) drift = kind.drift_per_day;
  }
  const auto days = static_cast<double>(*day_number(day) - *day_number(price.as_of));
  const auto millionths = static_cast<__int128>(std::floor(std::exp(drift * days) * 1e6 + 0.5));
  const __int128 product = millionths * price.usd_per_instance_hour.value;
  return {static_cast<std::int64_t>((product + 500'000) / 1'000'000)};
}

/// The set-up of a pick costs what its order is expected to cost on the day, for its hours.
void expect_orderable(const Catalog& catalog, const PricesByKey& prices, const RunCandidate& run,
                      const std::string& day) {
  const Price& price = *prices.at(run.price_key);
  EXPECT_EQ(why_not_sold(price, day), "") << run.price_key;
  const std::int64_t node = catalog.gpu(run.gpu).gpus_per_node;
  const std::int64_t billed = billed_by_hand(price, node, run.gpus);
  ASSERT_GT(billed, 0) << run.price_key << " for " << run.gpus;
  const MicroUsd hourly = expected_by_hand(catalog, price, day) * (billed / price.gpus);
  EXPECT_EQ(run.usd.mid, run_cost(hourly, round_hours(run.hours.mid))) << run.price_key;
  EXPECT_EQ(run.usd.low, run_cost(hourly, round_hours(run.hours.low))) << run.price_key;
  // Hours and price may both be higher, each for reasons of its own.
  const double of_hours = std::log(run.hours.high / run.hours.mid);
  const double of_both = std::sqrt(of_hours * of_hours + run.price_ln_width * run.price_ln_width);
  EXPECT_NEAR(to_usd(run.usd.high), to_usd(run.usd.mid) * std::exp(of_both), 3e-6) << run.price_key;
}

/// Rents of a row in every tier are of orders too.
void expect_rents_orderable(const Catalog& catalog, const PricesByKey& prices, const Row& row,
                            const std::string& day) {
  const std::int64_t node = catalog.gpu(row.gpu).gpus_per_node;
  for (const SheetTier& tier : kRentTiers) {
    const std::optional<RentLine>& line = row.rents[tier];
    if (!line) continue;
    const Price& price = *prices.at(line->price_key);
    EXPECT_EQ(why_not_sold(price, day), "") << line->price_key;
    const std::int64_t billed = billed_by_hand(price, node, row.layout.gpus);
    EXPECT_EQ(line->gpus_paid, billed) << line->price_key;
    const std::int64_t instances = billed / price.gpus;
    EXPECT_EQ(line->seen_usd_per_hour, price.usd_per_instance_hour * instances) << line->price_key;
    EXPECT_EQ(line->usd_per_hour, expected_by_hand(catalog, price, day) * instances)
        << line->price_key;
  }
}

TEST(OrderablePicks, OfTheQuarterlySheet) {
  const Sheet& sheet = quarterly_sheet();
  const Catalog& catalog = project_catalog();
  const PricesByKey prices = by_key(catalog);
  for (const Row& row : sheet.rows) {
    expect_rents_orderable(catalog, prices, row, sheet.meta.as_of);
  }
  std::size_t picks = 0;
  for (const Pick& pick : sheet.picks) {
    if (!pick.rent_key) continue;
    const RunCandidate& run = *sheet.find(*pick.rent_key)->set_up();
    const Price& price = *prices.at(run.price_key);
    expect_orderable(catalog, prices, run, sheet.meta.as_of);
    EXPECT_NE(price.instance, "") << run.price_key;
    const bool one_machine = !price.counts.empty() || price.gpus >= run.gpus;
    const bool nodes = price.gpus == catalog.gpu(run.gpu).gpus_per_node;
    EXPECT_TRUE(one_machine || nodes) << run.price_key << " names no machine of " << run.gpus;
    ++picks;
  }
  EXPECT_GT(picks, 20U);
}

/// Offers of two cards, each sold in some way.
class RandomShelf {
 public:
  explicit RandomShelf(const SheetSpec& spec) : day_(spec.as_of) {
    std::erase_if(catalog_.prices, [&](const Price& price) {
      return std::ranges::find(spec.gpus, price.gpu) == spec.gpus.end();
    });
    shelf_ = catalog_.prices;
  }

  const Catalog& next() {
    catalog_.prices = shelf_;
    for (Price& price : catalog_.prices) sell(price);
    return catalog_;
  }

 private:
  bool one_in(int n) { return std::uniform_int_distribution<int>(1, n)(random_) == 1; }

  void sell(Price& price) {
    price.usd_per_instance_hour = rounded_usd(to_usd(price.usd_per_instance_hour) *
                                              std::uniform_real_distribution(0.5, 2.0)(random_));
    price.counts.clear();
    if (!one_in(3)) price.counts.push_back(price.gpus);
    for (std::int64_t times = 2; times <= 8 && !price.counts.empty(); times *= 2) {
      if (one_in(2)) price.counts.push_back(price.gpus * times);
    }
    if (one_in(8)) price.minimum_gpus = price.gpus * 4;
    if (one_in(8)) price.stock = "none";
    if (one_in(8)) price.stock = one_in(2) ? "low" : "some";
    if (one_in(8)) price.sale = one_in(2) ? "field only" : "by reservation";
    if (one_in(8)) price.second_reading = true;
    if (one_in(8)) price.valid_until = one_in(2) ? day_ : price.as_of.substr(0, 7) + "-01";
    if (one_in(8)) price.valid_from = one_in(2) ? day_ : "2030-01-01";
  }

  Catalog catalog_ = project_catalog();
  std::vector<Price> shelf_;
  std::string day_;
  std::mt19937 random_{41};
};

TEST(OrderablePicks, OfSheetsWhoseOffersAreSoldAtRandom) {
  const SheetSpec spec =
      spec_of(quarterly_of({"llama-3.1-8b"}, {"qlora-r16"}, {std::begin(kGpus), std::end(kGpus)}));
  RandomShelf shelf(spec);
  int picks = 0;
  for (int i = 0; i < kSheets; ++i) {
    const Catalog& catalog = shelf.next();
    const PricesByKey prices = by_key(catalog);
    const Sheet sheet = sized_alone(catalog, spec);
    for (const Row& row : sheet.rows) {
      expect_rents_orderable(catalog, prices, row, spec.as_of);
      for (const RunCandidate& run : row.candidates) {
        expect_orderable(catalog, prices, run, spec.as_of);
      }
      picks += row.rent_pick ? 1 : 0;
    }
  }
  EXPECT_GT(picks, kSheets / 2);
}

}  // namespace
}  // namespace sizesheet
