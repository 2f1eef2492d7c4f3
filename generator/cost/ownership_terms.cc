// SPDX-License-Identifier: Apache-2.0
// The ranges that the terms of a rent-or-buy question must keep.
#include <limits>
#include <string>

#include "cost/ownership.h"
#include "support/dates.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr std::int64_t kMostGpus = 10'000'000;  // counts stay exact in every product
constexpr double kMostUsd = 1e8;  // of a node, of a person's year; the dearest node costs 4 million
constexpr double kMostRateUsd = 1e6;  // of a kWh, a kW and month, a GPU, a GPU-hour
constexpr double kMostYears = 100;
constexpr double kMostShare = 100;

/// Records faults of one set of terms at their keys.
class TermChecker {
 public:
  TermChecker(std::string file, std::string pointer, Faults& faults)
      : file_(std::move(file)), pointer_(std::move(pointer)), faults_(&faults) {}

  void count(const char* key, std::int64_t value) {
    const bool good = value >= 1 && value <= kMostGpus;
    require(good, key, "an integer from 1 to " + std::to_string(kMostGpus), std::to_string(value));
  }
  void share(const char* key, double value) {
    require(value >= 0 && value <= 1, key, "a number from 0 to 1", shortest(value));
  }
  void at_least(const char* key, double value, double low, double most) {
    // Also false for what is no number.
    if (!(value >= low && value < kUnbounded)) {
      refuse(key, "a number at least " + shortest(low), shortest(value));
    } else {
      within(key, value, low, most);
    }
  }
  void above_zero(const char* key, double value, double least, double most) {
    if (!(value > 0 && value < kUnbounded)) {
      refuse(key, "a number above 0", shortest(value));
    } else {
      within(key, value, least, most);
    }
  }
  void above_zero_up_to(const char* key, double value, double least, double high) {
    if (!(value > 0 && value <= high)) {
      refuse(key, "a number above 0 and at most " + shortest(high), shortest(value));
    } else {
      within(key, value, least, high);
    }
  }
  void money(const char* key, MicroUsd value, double most) {
    const double usd = to_usd(value);
    require(value >= MicroUsd{}, key, "US dollars, not negative", shortest(usd));
    require(usd <= most, key, "at most " + shortest(most) + " US dollars", shortest(usd));
  }

  void require(bool good, const char* key, const std::string& expected, const std::string& got) {
    if (!good) refuse(key, expected, got);
  }

 private:
  void refuse(const char* key, const std::string& expected, const std::string& got) {
    faults_->add(file_, pointer_ + "/" + key, "expected " + expected + ", got " + got);
  }
  /// Beyond these no arithmetic overflows, and nothing means anything.
  void within(const char* key, double value, double low, double high) {
    require(value >= low && value <= high, key,
            "a number from " + shortest(low) + " to " + shortest(high), shortest(value));
  }

  static constexpr double kUnbounded = std::numeric_limits<double>::infinity();

  std::string file_;
  std::string pointer_;
  Faults* faults_;
};

/// Both would say what is left at the end.
void check_decay(const OwnershipTerms& terms, TermChecker& check) {
  const char* key = "value_decay_oom_per_year";
  if (!terms.value_decay_oom_per_year) return;
  check.at_least(key, *terms.value_decay_oom_per_year, 0, kMostShare);
  check.require(
      terms.residual_share == 0, key, "no decay of value beside a residual_share above 0",
      shortest(*terms.value_decay_oom_per_year) + " beside " + shortest(terms.residual_share));
}

/// One without the other would count for nothing.
void check_staff(const OwnershipTerms& terms, TermChecker& check) {
  check.at_least("staff_fte_per_node", terms.staff_fte_per_node, 0, 10000);
  check.money("usd_per_fte_year", terms.usd_per_fte_year, kMostUsd);
  const bool people = terms.staff_fte_per_node > 0;
  const bool wage = terms.usd_per_fte_year > MicroUsd{};
  check.require(people || !wage, "staff_fte_per_node", "a number above 0 beside usd_per_fte_year",
                shortest(terms.staff_fte_per_node));
  check.require(wage || !people, "usd_per_fte_year", "US dollars above 0 beside staff_fte_per_node",
                shortest(to_usd(terms.usd_per_fte_year)));
}

}  // namespace

void check_terms(const OwnershipTerms& terms, const std::string& file, const std::string& pointer,
                 Faults& faults) {
  TermChecker check(file, pointer, faults);
  check.count("gpus", terms.gpus);
  check.count("gpus_per_node", terms.gpus_per_node);
  check.money("capex_usd_per_node", terms.capex_usd_per_node, kMostUsd);
  check.at_least("cabling_share", terms.cabling_share, 0, kMostShare);
  check.share("residual_share", terms.residual_share);
  check_decay(terms, check);
  check.above_zero("life_years", terms.life_years, 0.01, kMostYears);
  check.at_least("cost_of_capital", terms.cost_of_capital, 0, kMostShare);
  check.at_least("node_kw", terms.node_kw, 0, 100000);
  check.share("idle_power_share", terms.idle_power_share);
  check.at_least("pue", terms.pue, 1, kMostShare);
  check.money("usd_per_kwh", terms.usd_per_kwh, kMostRateUsd);
  check.money("colo_usd_per_kw_month", terms.colo_usd_per_kw_month, kMostRateUsd);
  check.at_least("support_share_per_year", terms.support_share_per_year, 0, kMostShare);
  check.money("staff_usd_per_year", terms.staff_usd_per_year, 1e12);
  check_staff(terms, check);
  check.money("network_usd_per_gpu", terms.network_usd_per_gpu, kMostRateUsd);
  check.money("licence_usd_per_gpu_year", terms.licence_usd_per_gpu_year, kMostRateUsd);
  check.above_zero_up_to("utilisation", terms.utilisation, 1e-6, 1);
  if (terms.rent_usd_per_gpu_hour) {
    check.money("rent_usd_per_gpu_hour", *terms.rent_usd_per_gpu_hour, kMostRateUsd);
  }
  check.above_zero_up_to("hours_per_month", terms.hours_per_month, 1, kHoursOfLongestMonth);
  if (terms.hours_per_run) check.above_zero("hours_per_run", *terms.hours_per_run, 1e-6, 1e9);
}

}  // namespace sizesheet
