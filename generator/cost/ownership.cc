// SPDX-License-Identifier: Apache-2.0
// What owning costs, when it beats a rent, and the ranges that the terms of such a question keep.

#include "cost/ownership.h"

#include <cmath>

#include "cost/cost_line.h"
#include "cost/ownership_formulas.h"
#include "cost/rent_or_own.h"
#include "support/described.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

using Terms = owning::Quantities<double>;

OwnershipParts parts_of(const Terms& q, const OwnershipTerms& terms) {
  OwnershipParts parts;
  parts.depreciation = rounded_usd(q.depreciation());
  parts.capital = rounded_usd(q.capital(terms.capital_method));
  parts.colo = rounded_usd(q.colo());
  parts.support = rounded_usd(q.support());
  parts.energy = rounded_usd(q.energy(q.utilisation));
  parts.staff = rounded_usd(q.staff());
  parts.licence = rounded_usd(q.licence());
  return parts;
}

MicroUsd total_at(const Terms& q, OwnershipParts parts, double utilisation) {
  parts.energy = rounded_usd(q.energy(utilisation));
  return parts.total();
}

/// First whole month m with capex + m * monthly_cost <= m * monthly_rent, within the life.
std::optional<std::int64_t> payback(MicroUsd capex, MicroUsd monthly_cost, MicroUsd monthly_rent,
                                    double life_years) {
  const MicroUsd gain = monthly_rent - monthly_cost;
  if (gain < MicroUsd{} || (gain == MicroUsd{} && capex > MicroUsd{})) return std::nullopt;
  std::int64_t month = 1;
  if (capex > gain) month = (capex.value - 1) / gain.value + 1;
  if (static_cast<double>(month) > 12.0 * life_years) return std::nullopt;
  return month;
}

void add_break_even(const Terms& q, const OwnershipTerms& terms, OwnLine& result) {
  const owning::Results<double> rounded(result);
  const double slope = q.rent_over_own_slope();
  const double utilisation = q.own_at_zero(rounded) / slope;
  if (!(slope > 0) || utilisation > 1) return;
  result.break_even_utilisation = utilisation;
  result.break_even_hours_per_month = utilisation * terms.hours_per_month;
  if (!terms.hours_per_run) return;
  result.break_even_runs_per_month = *result.break_even_hours_per_month / *terms.hours_per_run;
}

void compare(const Terms& q, const OwnershipTerms& terms, OwnLine& result) {
  const MicroUsd rent = rounded_usd(q.rent());
  result.rent_usd_per_month = rent;
  add_break_even(q, terms, result);

  const double years = owning::Results<double>(result).payback_years();
  if (years >= 0 && years <= terms.life_years) result.payback_years_cash = years;
  const MicroUsd with_capital = result.own_usd_per_month - result.parts.depreciation;
  const MicroUsd cash = with_capital - result.parts.capital;
  result.payback_month = payback(result.capex_usd, with_capital, rent, terms.life_years);
  result.payback_month_cash = payback(result.capex_usd, cash, rent, terms.life_years);

  const owning::Results<double> rounded(result);
  result.savings_usd_over_life = rounded_usd(q.savings(rounded));
  result.npv_usd = rounded_usd(q.net_present_value(rounded));

  result.advice = advice(result.own_usd_per_gpu_hour, *terms.rent_usd_per_gpu_hour);
  result.close = is_close(result.own_usd_per_gpu_hour, *terms.rent_usd_per_gpu_hour);
}

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
    if (value >= 1 && value <= kMostGpus) return;
    refuse(key, "an integer from 1 to " + std::to_string(kMostGpus), std::to_string(value));
  }
  void share(const char* key, double value) {
    if (!(value >= 0 && value <= 1)) refuse(key, "a number from 0 to 1", shortest(value));
  }
  // What is no number compares false with every bound.
  void at_least(const char* key, double value, double low, double most) {
    number(key, value, value >= low, "a number at least ", low, {low, most});
  }
  void above_zero(const char* key, double value, double least, double most) {
    number(key, value, value > 0, "a number above ", 0, {least, most});
  }
  void above_zero_up_to(const char* key, double value, double least, double high) {
    const bool good = value > 0 && value <= high;
    number(key, value, good, "a number above 0 and at most ", high, {least, high});
  }
  void money(const char* key, MicroUsd value, double most) {
    const double usd = to_usd(value);
    if (value < MicroUsd{}) refuse(key, "US dollars, not negative", shortest(usd));
    if (usd > most) refuse(key, "at most " + shortest(most) + " US dollars", shortest(usd));
  }

  void refuse(const char* key, const std::string& expected, const std::string& got) {
    faults_->add(file_, pointer_ + "/" + key, "expected " + expected + ", got " + got);
  }

 private:
  /// `expected` and `limit` say what is good. Beyond the bounds no arithmetic overflows, and
  /// nothing means anything.
  void number(const char* key, double value, bool good, const char* expected, double limit,
              Bounds<double> bounds) {
    if (!good || !std::isfinite(value)) {
      return refuse(key, expected + shortest(limit), shortest(value));
    }
    if (value >= bounds.low && value <= bounds.high) return;
    refuse(key, "a number from " + shortest(bounds.low) + " to " + shortest(bounds.high),
           shortest(value));
  }

  std::string file_;
  std::string pointer_;
  Faults* faults_;
};

/// Both would say what is left at the end.
void check_decay(const OwnershipTerms& terms, TermChecker& check) {
  const char* key = "value_decay_oom_per_year";
  if (!terms.value_decay_oom_per_year) return;
  check.at_least(key, *terms.value_decay_oom_per_year, 0, kMostShare);
  if (terms.residual_share == 0) return;
  check.refuse(
      key, "no decay of value beside a residual_share above 0",
      shortest(*terms.value_decay_oom_per_year) + " beside " + shortest(terms.residual_share));
}

/// One without the other would count for nothing.
void check_staff(const OwnershipTerms& terms, TermChecker& check) {
  check.at_least("staff_fte_per_node", terms.staff_fte_per_node, 0, 10000);
  check.at_least("least_fte_per_node", terms.least_fte_per_node, 0, 10000);
  check.at_least("least_fte_per_site", terms.least_fte_per_site, 0, 10000);
  check.money("usd_per_fte_year", terms.usd_per_fte_year, kMostUsd);
  const char* key = terms.staff_fte_per_node > 0   ? "staff_fte_per_node"
                    : terms.least_fte_per_node > 0 ? "least_fte_per_node"
                                                   : "least_fte_per_site";
  const bool people =
      terms.staff_fte_per_node > 0 || terms.least_fte_per_node > 0 || terms.least_fte_per_site > 0;
  const bool wage = terms.usd_per_fte_year > MicroUsd{};
  if (wage && !people) {
    check.refuse("staff_fte_per_node", "a number above 0 beside usd_per_fte_year",
                 shortest(terms.staff_fte_per_node));
  }
  if (people && !wage) {
    check.refuse("usd_per_fte_year", std::string("US dollars above 0 beside ") + key,
                 shortest(to_usd(terms.usd_per_fte_year)));
  }
}

}  // namespace

std::string advice(MicroUsd own, MicroUsd rent) { return own < rent ? "buy" : "rent"; }

double value_left(double decay_oom_per_year, double years) {
  return std::pow(10.0, -decay_oom_per_year * years);
}

std::vector<std::pair<std::string, MicroUsd>> OwnershipParts::named() const {
  std::vector<std::pair<std::string, MicroUsd>> all;
  const auto add = [&](const char* name, MicroUsd usd) { all.emplace_back(name, usd); };
  fields(add, *this);
  return all;
}

MicroUsd OwnershipParts::total() const {
  MicroUsd sum;
  for (const auto& [name, usd] : named()) sum += usd;
  return sum;
}

OwnLine cost_of_owning(const OwnershipTerms& terms) {
  Faults faults;
  check_terms(terms, "", "", faults);
  if (!faults.empty()) throw InputError(faults.request_text());
  const Terms q(terms);
  OwnLine result;
  result.nodes = static_cast<std::int64_t>(q.nodes());
  result.gpus_bought = result.nodes * terms.gpus_per_node;
  result.unused_gpus = result.gpus_bought - terms.gpus;
  // Exact where whole amounts are added up; a share of an amount is rounded once.
  result.capex_usd = terms.cabling_share == 0 ? terms.capex_usd_per_node * result.nodes +
                                                    terms.network_usd_per_gpu * terms.gpus
                                              : rounded_usd(q.purchase());
  result.residual_usd = rounded_usd(q.residual());
  result.parts = parts_of(q, terms);
  result.own_usd_per_month = result.parts.total();
  const owning::Results<double> rounded(result);
  result.own_usd_per_gpu_hour = rounded_usd(q.own_per_gpu_hour(rounded));
  result.fixed_usd_per_month = total_at(q, result.parts, 0);
  result.full_use_usd_per_month = total_at(q, result.parts, 1);
  result.unused_usd_per_month = rounded_usd(rounded.unused(result.unused_gpus, result.gpus_bought));
  if (terms.rent_usd_per_gpu_hour) compare(q, terms, result);
  return result;
}

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
