// SPDX-License-Identifier: Apache-2.0
// The arithmetic of owning, written once over a number type: `double` computes, `Traced` also
// records the formula. Everything is a month's dollars unless its name says otherwise. For the cost
// room only.
#pragma once

#include <cmath>
#include <string>

#include "cost/ownership.h"
#include "support/money.h"
#include "support/trace.h"

namespace sizesheet::owning {

/// The terms under the names of the request.
template <typename N>
struct Quantities {
  explicit Quantities(const OwnershipTerms& t)
      : gpus(count("gpus", t.gpus)),
        gpus_per_node(count("gpus_per_node", t.gpus_per_node)),
        capex_per_node(dollars("capex_usd_per_node", t.capex_usd_per_node)),
        network_per_gpu(dollars("network_usd_per_gpu", t.network_usd_per_gpu)),
        cabling_share(option("cabling_share", t.cabling_share)),
        residual_share(share_left(t)),
        life_years(input<N>("life_years", t.life_years)),
        cost_of_capital(input<N>("cost_of_capital", t.cost_of_capital)),
        node_kw(input<N>("node_kw", t.node_kw)),
        idle_power_share(input<N>("idle_power_share", t.idle_power_share)),
        pue(input<N>("pue", t.pue)),
        usd_per_kwh(dollars("usd_per_kwh", t.usd_per_kwh)),
        colo_per_kw(dollars("colo_usd_per_kw_month", t.colo_usd_per_kw_month)),
        support_share(input<N>("support_share_per_year", t.support_share_per_year)),
        staff_per_year(dollars("staff_usd_per_year", t.staff_usd_per_year)),
        fte_per_node(option("staff_fte_per_node", t.staff_fte_per_node)),
        usd_per_fte(dollars("usd_per_fte_year", t.usd_per_fte_year)),
        licence_per_gpu(dollars("licence_usd_per_gpu_year", t.licence_usd_per_gpu_year)),
        utilisation(input<N>("utilisation", t.utilisation)),
        hours(input<N>("hours_per_month", t.hours_per_month)) {}

  static N count(const char* name, std::int64_t value) {
    return input<N>(name, static_cast<double>(value));
  }
  static N dollars(const char* name, MicroUsd value) { return input<N>(name, to_usd(value)); }
  /// What is off leaves no trace in a formula.
  static N option(const char* name, double value) {
    return value == 0 ? N(0.0) : input<N>(name, value);
  }
  static N share_left(const OwnershipTerms& t);

  N gpus, gpus_per_node, capex_per_node, network_per_gpu, cabling_share, residual_share;
  N life_years, cost_of_capital, node_kw, idle_power_share, pue, usd_per_kwh, colo_per_kw;
  N support_share, staff_per_year, fte_per_node, usd_per_fte, licence_per_gpu, utilisation, hours;
};

inline constexpr double kYearsWrittenOut = 30;

/// True where a life is written out year by year, so that the formula can be followed by hand.
inline bool is_written_out(double life_years) {
  return life_years <= kYearsWrittenOut && life_years == std::floor(life_years);
}

template <typename N>
N Quantities<N>::share_left(const OwnershipTerms& t) {
  if (!t.value_decay_oom_per_year) return input<N>("residual_share", t.residual_share);
  const double decay = *t.value_decay_oom_per_year;
  if (!is_written_out(t.life_years)) {
    return input<N>("residual_share", value_left(decay, t.life_years));
  }
  const N kept = input<N>("value_kept_a_year", value_left(decay, 1));
  N left = kept;
  for (int year = 2; year <= static_cast<int>(t.life_years); ++year) left = left * kept;
  return step("residual_share", left);
}

template <typename N>
N nodes(const Quantities<N>& q) {
  return step("nodes", ceiling(q.gpus / q.gpus_per_node));
}

template <typename N>
N purchase(const Quantities<N>& q) {
  const N machines = nodes(q) * q.capex_per_node * (N(1.0) + q.cabling_share);
  return step("capex_usd", machines + q.gpus * q.network_per_gpu);
}

template <typename N>
N residual(const Quantities<N>& q) {
  return step("residual_usd", q.residual_share * purchase(q));
}

template <typename N>
N depreciation(const Quantities<N>& q) {
  return step("depreciation", (purchase(q) - residual(q)) / q.life_years / 12.0);
}

/// What a dollar at the end of each year, and one at the end of life, are worth today.
template <typename N>
struct PresentValue {
  N annuity;
  N at_end;
};

/// Year by year where the life is whole, so that a cost of capital of 0 needs no case of its own.
/// 1 / annuity is the capital recovery factor.
template <typename N>
PresentValue<N> present_value(const Quantities<N>& q) {
  const double life = value_of(q.life_years);
  if (!is_written_out(life)) {
    const double rate = value_of(q.cost_of_capital);
    const double end = std::exp(-life * std::log1p(rate));
    const double annuity = rate == 0 ? life : -std::expm1(-life * std::log1p(rate)) / rate;
    return {input<N>("annuity", annuity), input<N>("present_value_at_end", end)};
  }
  N worth = step("present_value_1", N(1.0) / (N(1.0) + q.cost_of_capital));
  N sum = worth;
  for (int year = 2; year <= static_cast<int>(life); ++year) {
    const std::string name = "present_value_" + std::to_string(year);
    worth = step(name, worth / (N(1.0) + q.cost_of_capital));
    sum = sum + worth;
  }
  return {step("annuity", sum), worth};
}

template <typename N>
N capital(const Quantities<N>& q, CapitalMethod method) {
  if (method == CapitalMethod::kNone) return 0.0;
  if (method == CapitalMethod::kStraightLine) {
    return q.cost_of_capital * (purchase(q) + residual(q)) / 2.0 / 12.0;
  }
  const PresentValue<N> worth = present_value(q);
  const N yearly = step("capital_recovery_usd_per_year",
                        (purchase(q) - residual(q) * worth.at_end) / worth.annuity);
  return yearly / 12.0 - depreciation(q);
}

template <typename N>
N colo(const Quantities<N>& q) {
  return nodes(q) * q.node_kw * q.colo_per_kw;
}

template <typename N>
N support(const Quantities<N>& q) {
  return q.support_share * purchase(q) / 12.0;
}

/// At full load for every hour of the month.
template <typename N>
N full_energy(const Quantities<N>& q) {
  return step("full_load_energy", nodes(q) * q.node_kw * q.pue * q.hours * q.usd_per_kwh);
}

template <typename N>
N energy(const Quantities<N>& q, const N& utilisation) {
  return full_energy(q) * (q.idle_power_share + (N(1.0) - q.idle_power_share) * utilisation);
}

template <typename N>
N staff(const Quantities<N>& q) {
  const N by_node = nodes(q) * q.fte_per_node * q.usd_per_fte;
  return (q.staff_per_year + by_node) / 12.0;
}

template <typename N>
N licence(const Quantities<N>& q) {
  return q.gpus * q.licence_per_gpu / 12.0;
}

template <typename N>
N used_gpu_hours(const Quantities<N>& q) {
  return step("used_gpu_hours", q.gpus * q.hours * q.utilisation);
}

template <typename N>
N rent_price(const OwnershipTerms& terms) {
  return input<N>("rent_usd_per_gpu_hour",
                  to_usd(terms.rent_usd_per_gpu_hour.value_or(MicroUsd{})));
}

template <typename N>
N rent(const Quantities<N>& q, const N& price) {
  return price * used_gpu_hours(q);
}

/// Rounded results under the names of the answer; later formulas build on these.
template <typename N>
struct Results {
  explicit Results(const OwnLine& o)
      : own(dollars("own_usd_per_month", o.own_usd_per_month)),
        rent(dollars("rent_usd_per_month", o.rent_usd_per_month.value_or(MicroUsd{}))),
        depreciation(dollars("depreciation", o.parts.depreciation)),
        capital(dollars("capital", o.parts.capital)),
        energy(dollars("energy", o.parts.energy)),
        capex(dollars("capex_usd", o.capex_usd)) {}

  static N dollars(const char* name, MicroUsd value) { return input<N>(name, to_usd(value)); }

  N own, rent, depreciation, capital, energy, capex;
};

template <typename N>
N own_per_gpu_hour(const Quantities<N>& q, const Results<N>& r) {
  return r.own / used_gpu_hours(q);
}

/// The share of what was bought beyond the need.
template <typename N>
N unused(const Results<N>& r, std::int64_t unused_gpus, std::int64_t gpus_bought) {
  return r.own * Quantities<N>::count("unused_gpus", unused_gpus) /
         Quantities<N>::count("gpus_bought", gpus_bought);
}

/// own(u) and rent(u) are lines; these are where owning starts, and how fast renting catches up.
template <typename N>
N own_at_zero(const Quantities<N>& q, const Results<N>& r) {
  return step("own_at_zero_hours", r.own - r.energy + full_energy(q) * q.idle_power_share);
}

template <typename N>
N rent_over_own_slope(const Quantities<N>& q, const N& price) {
  const N used_energy = full_energy(q) * (N(1.0) - q.idle_power_share);
  return step("rent_less_energy_at_full_use", price * q.gpus * q.hours - used_energy);
}

/// Years of cash saved that pay for the purchase.
template <typename N>
N payback_years(const Results<N>& r) {
  const N running = step("running_usd_per_month", r.own - r.depreciation - r.capital);
  return r.capex / (12.0 * (r.rent - running));
}

template <typename N>
N savings(const Quantities<N>& q, const Results<N>& r) {
  return 12.0 * q.life_years * (r.rent - r.own);
}

/// Year-end flows of rent saved less running costs, plus the residual at the end, less the
/// purchase.
template <typename N>
N net_present_value(const Quantities<N>& q, const Results<N>& r) {
  const PresentValue<N> worth = present_value(q);
  const N running = step("running_usd_per_month", r.own - r.depreciation - r.capital);
  const N yearly = step("saved_usd_per_year", 12.0 * (r.rent - running));
  const N sold = step("residual_usd", q.residual_share * r.capex);
  return yearly * worth.annuity + sold * worth.at_end - r.capex;
}

}  // namespace sizesheet::owning
