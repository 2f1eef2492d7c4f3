// SPDX-License-Identifier: Apache-2.0
// One catalog on one day after the other: no pick's score jumps, and every form dates its prices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "cost/rent.h"
#include "sheet/decision.h"
#include "sheet/quarterly.h"
#include "sheet/rows/candidates.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/search/search.h"
#include "support/due.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr int kAgedSheets = 200;
constexpr std::int64_t kDays = 60;

/// A few rows.
SheetSpec few_rows() {
  return spec_of(quarterly_of({"llama-3.1-8b", "size-70b"}, {"full", "lora-r16"},
                              {"h100-sxm", "b200", "l40s"}));
}

std::string day_after(const std::string& first, std::int64_t days) {
  constexpr std::int64_t kSecondsPerDay = 86400;
  return date_of_epoch((*day_number(first) + days) * kSecondsPerDay);
}

/// The fastest layouts of a model and a method, by GPU type: prices do not change them.
using WaysByGpu = std::map<std::string, std::vector<Timed>>;

/// Of each pick of a sheet's main scenario.
std::map<std::string, WaysByGpu> ways_of(const SheetSpec& spec) {
  std::map<std::string, WaysByGpu> all;
  for (const SpecModel& model : spec.models) {
    for (const std::string& method : spec.methods) {
      for (const std::string& gpu : spec.gpus) {
        const auto cell = main_cell(spec, model.id, method, gpu);
        const auto question = question_of(project_catalog(), spec, cell.value());
        if (!question) continue;
        all[model.id + "/" + method][gpu] = fastest_by_count(*question, search_counts(*question));
      }
    }
  }
  return all;
}

/// What is picked on a day, and at which score.
struct DayPick {
  RunCandidate run;
  double score_usd = 0;
  std::vector<RunCandidate> others = {};
};

struct Day {
  std::set<std::string> counting;        ///< keys of the price rows on demand that count
  std::map<std::string, DayPick> picks;  ///< by pick
};

Day day_of(const std::vector<Price>& shelf, const SheetSpec& spec,
           const std::map<std::string, WaysByGpu>& ways) {
  const Catalog& catalog = project_catalog();
  const CurrentPrices prices(shelf, policy_of(spec, "on_demand"), catalog.price_age);
  const Offers offers(catalog, prices, spec.gpus, spec.max_gpus, spec.pick_rules);
  Day day;
  for (const Price& price : shelf) {
    if (prices.why_not(price).empty()) day.counting.insert(price.key());
  }
  for (const auto& [key, by_gpu] : ways) {
    DayPick pick;
    for (const std::string& gpu : spec.gpus) {
      const auto found = by_gpu.find(gpu);
      if (found == by_gpu.end()) continue;
      std::ranges::copy(candidates_of(gpu, found->second, offers), std::back_inserter(pick.others));
    }
    std::vector<const RunCandidate*> all;
    for (const RunCandidate& one : pick.others) all.push_back(&one);
    const RunCandidate* best = picked(all, spec.pick_rules, spec.deadline_hours);
    if (best == nullptr) continue;
    pick.run = *best;
    pick.score_usd = to_usd(ranked_usd(*best, spec.pick_rules));
    day.picks.emplace(key, std::move(pick));
  }
  return day;
}

/// The score, on this day, of the set-up that was picked the day before; nullopt where nobody
/// offers it any longer.
std::optional<double> score_of(const DayPick& today, const RunCandidate& before,
                               const PickRules& rules) {
  for (const RunCandidate& one : today.others) {
    if (one.gpu == before.gpu && one.gpus == before.gpus) return to_usd(ranked_usd(one, rules));
  }
  return std::nullopt;
}

/// How many days had the same rows as the day before. No score moves by more than 1 % on those, and
/// a pick that changes hands was not ahead by more.
int walk(const std::vector<Price>& shelf, SheetSpec spec,
         const std::map<std::string, WaysByGpu>& ways) {
  constexpr double kMost = 0.01;
  const std::string first = spec.as_of;
  Day before = day_of(shelf, spec, ways);
  int compared = 0;
  for (std::int64_t days = 1; days < kDays; ++days) {
    spec.as_of = day_after(first, days);
    Day today = day_of(shelf, spec, ways);
    if (today.counting == before.counting) {
      ++compared;
      EXPECT_EQ(today.picks.size(), before.picks.size()) << spec.as_of;
      for (const auto& [key, pick] : today.picks) {
        const DayPick& last = before.picks.at(key);
        const double tie = spec.pick_rules.tie_share;
        EXPECT_NEAR(pick.score_usd / last.score_usd, 1, kMost + tie) << key << " on " << spec.as_of;
        const auto kept = score_of(pick, last.run, spec.pick_rules);
        EXPECT_LE(kept.value() / pick.score_usd, 1 + kMost + tie) << key << " on " << spec.as_of;
      }
    }
    before = std::move(today);
  }
  return compared;
}

/// Sheets like the quarterly one: some of its cards and rows, under rules and at prices of their
/// own, from a day of their own.
class RandomSheets {
 public:
  explicit RandomSheets(const std::map<std::string, WaysByGpu>& ways) : ways_(ways) {}

  struct Drawn {
    SheetSpec spec;
    std::vector<Price> shelf;
    std::map<std::string, WaysByGpu> ways;
  };

  Drawn next() {
    Drawn drawn{quarterly_spec(), {}, {}};
    SheetSpec& spec = drawn.spec;
    std::ranges::shuffle(spec.gpus, random_);
    spec.gpus.resize(static_cast<std::size_t>(whole(1, 4)));
    spec.as_of = day_after("2026-08-01", whole(0, 150));
    spec.max_gpus = whole(0, 1) == 0 ? 512 : 16;
    if (whole(0, 3) == 0) spec.deadline_hours.reset();
    spec.pick_rules.risk_weight = real(0, 1);
    spec.pick_rules.tie_share = whole(0, 3) == 0 ? 0.05 : 0;
    for (const Price& price : project_catalog().prices) {
      if (!contains(spec.gpus, price.gpu) || price.tier != "on_demand" || whole(0, 4) == 0)
        continue;
      drawn.shelf.push_back(price);
      MicroUsd& usd = drawn.shelf.back().usd_per_instance_hour;
      usd = rounded_usd(to_usd(usd) * real(0.5, 2));
    }
    for (int i = 0; i < 3; ++i) {
      const auto place = std::next(ways_.begin(), whole(0, std::ssize(ways_) - 1));
      drawn.ways.insert(*place);
    }
    return drawn;
  }

 private:
  std::int64_t whole(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution(low, high)(random_);
  }
  double real(double low, double high) {
    return std::uniform_real_distribution(low, high)(random_);
  }

  const std::map<std::string, WaysByGpu>& ways_;
  std::mt19937 random_{60};
};

TEST(PriceAgeDays, NoPickJumpsFromOneDayToTheNext) {
  const SheetSpec& spec = quarterly_spec();
  const std::map<std::string, WaysByGpu> ways = ways_of(spec);
  const std::vector<Price>& shelf = project_catalog().prices;
  const Day of_the_sheet = day_of(shelf, spec, ways);
  for (const Pick& pick : quarterly_sheet().picks) {
    if (!pick.rent_key) continue;
    const DayPick& found = of_the_sheet.picks.at(pick.key());
    EXPECT_EQ(found.run.price_key, quarterly_sheet().find(*pick.rent_key)->set_up()->price_key);
    EXPECT_EQ(found.run.usd.high, *pick.usd_high) << pick.key();
  }
  EXPECT_GT(walk(shelf, spec, ways), 40) << "days on which no row starts or ends";
  RandomSheets sheets(ways);
  int compared = 0;
  const int all = trials_of(kAgedSheets);
  for (int i = 0; i < all; ++i) {
    const RandomSheets::Drawn drawn = sheets.next();
    compared += walk(drawn.shelf, drawn.spec, drawn.ways);
  }
  EXPECT_GT(compared, all * 40);
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
