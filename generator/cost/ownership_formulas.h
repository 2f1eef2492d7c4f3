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

inline constexpr double kYearsWrittenOut = 30;

/// True where a life is written out year by year, so that the formula can be followed by hand.
inline bool is_written_out(double life_years) {
  return life_years <= kYearsWrittenOut && life_years == std::floor(life_years);
}

template <typename N>
N dollars(const char* name, MicroUsd value) {
  return input<N>(name, to_usd(value));
}

template <typename N>
N count(const char* name, std::int64_t value) {
  return input<N>(name, static_cast<double>(value));
}

/// Rounded results under the names of the answer; later formulas build on these.
template <typename N>
struct Results {
  explicit Results(const OwnLine& o)
      : own(dollars<N>("own_usd_per_month", o.own_usd_per_month)),
        rent(dollars<N>("rent_usd_per_month", o.rent_usd_per_month.value_or(MicroUsd{}))),
        depreciation(dollars<N>("depreciation", o.parts.depreciation)),
        capital(dollars<N>("capital", o.parts.capital)),
        energy(dollars<N>("energy", o.parts.energy)),
        capex(dollars<N>("capex_usd", o.capex_usd)) {}

  /// The share of what was bought beyond the need.
  N unused(std::int64_t unused_gpus, std::int64_t gpus_bought) const {
    return own * count<N>("unused_gpus", unused_gpus) / count<N>("gpus_bought", gpus_bought);
  }

  N running() const { return step("running_usd_per_month", own - depreciation - capital); }

  /// Years of cash saved that pay for the purchase.
  N payback_years() const {
    const N spent = running();
    return capex / (12.0 * (rent - spent));
  }

  N own, rent, depreciation, capital, energy, capex;
};

/// The terms under the names of the request, and what follows from them. The terms must outlive it.
template <typename N>
struct Quantities {
  explicit Quantities(const OwnershipTerms& terms) : t(terms) {}

  N nodes() const {
    return step("nodes", ceiling(gpus / count<N>("gpus_per_node", t.gpus_per_node)));
  }

  N purchase() const {
    const N bare = nodes() * dollars<N>("capex_usd_per_node", t.capex_usd_per_node);
    const N machines = bare * (N(1.0) + option("cabling_share", t.cabling_share));
    return step("capex_usd",
                machines + gpus * dollars<N>("network_usd_per_gpu", t.network_usd_per_gpu));
  }
  N residual() const { return step("residual_usd", residual_share * purchase()); }
  N depreciation() const {
    return step("depreciation", (purchase() - residual()) / life_years / 12.0);
  }

  N capital(CapitalMethod method) const {
    if (method == CapitalMethod::kNone) return 0.0;
    if (method == CapitalMethod::kStraightLine) {
      return cost_of_capital * (purchase() + residual()) / 2.0 / 12.0;
    }
    const PresentValue worth = present_value();
    const N yearly = step("capital_recovery_usd_per_year",
                          (purchase() - residual() * worth.at_end) / worth.annuity);
    return yearly / 12.0 - depreciation();
  }

  N colo() const {
    return nodes() * node_kw * dollars<N>("colo_usd_per_kw_month", t.colo_usd_per_kw_month);
  }
  N support() const {
    const N share =
        input<N>("support_share_per_year", t.support_share_per_year) * purchase() / 12.0;
    return t.support_covers_staff ? at_least_staff_floor(share) : share;
  }

  /// At full load for every hour of the month.
  N full_energy() const {
    const N drawn = nodes() * node_kw * input<N>("pue", t.pue);
    return step("full_load_energy", drawn * hours * dollars<N>("usd_per_kwh", t.usd_per_kwh));
  }
  N energy(const N& used) const {
    return full_energy() * (idle_power_share + (N(1.0) - idle_power_share) * used);
  }

  N staff() const {
    const N by_node = nodes() * option("staff_fte_per_node", t.staff_fte_per_node) *
                      dollars<N>("usd_per_fte_year", t.usd_per_fte_year);
    const N paid = (dollars<N>("staff_usd_per_year", t.staff_usd_per_year) + by_node) / 12.0;
    return t.support_covers_staff ? paid : at_least_staff_floor(paid);
  }
  N licence() const {
    return gpus * dollars<N>("licence_usd_per_gpu_year", t.licence_usd_per_gpu_year) / 12.0;
  }

  N used_gpu_hours() const { return step("used_gpu_hours", gpus * hours * utilisation); }
  N rent() const { return rent_price * used_gpu_hours(); }
  N own_per_gpu_hour(const Results<N>& r) const { return r.own / used_gpu_hours(); }

  /// own(u) and rent(u) are lines; these are where owning starts, and how fast renting catches up.
  N own_at_zero(const Results<N>& r) const {
    return step("own_at_zero_hours", r.own - r.energy + full_energy() * idle_power_share);
  }
  N rent_over_own_slope() const {
    const N used_energy = full_energy() * (N(1.0) - idle_power_share);
    return step("rent_less_energy_at_full_use", rent_price * gpus * hours - used_energy);
  }

  N savings(const Results<N>& r) const { return 12.0 * life_years * (r.rent - r.own); }

  /// Year-end flows of rent saved less running costs, plus the residual at the end, less the
  /// purchase.
  N net_present_value(const Results<N>& r) const {
    const PresentValue worth = present_value();
    const N running = r.running();
    const N yearly = step("saved_usd_per_year", 12.0 * (r.rent - running));
    const N sold = step("residual_usd", residual_share * r.capex);
    return yearly * worth.annuity + sold * worth.at_end - r.capex;
  }

  const OwnershipTerms& t;
  N gpus = count<N>("gpus", t.gpus);
  N residual_share = share_left(t);
  N life_years = input<N>("life_years", t.life_years);
  N cost_of_capital = input<N>("cost_of_capital", t.cost_of_capital);
  N node_kw = input<N>("node_kw", t.node_kw);
  N idle_power_share = input<N>("idle_power_share", t.idle_power_share);
  N utilisation = input<N>("utilisation", t.utilisation);
  N hours = input<N>("hours_per_month", t.hours_per_month);
  N rent_price = dollars<N>("rent_usd_per_gpu_hour", t.rent_usd_per_gpu_hour.value_or(MicroUsd{}));

 private:
  /// The least that people cost: those of the nodes, or those of the site where they are more.
  N at_least_staff_floor(const N& paid) const {
    if (t.least_fte_per_node == 0 && t.least_fte_per_site == 0) return paid;
    const N by_node = nodes() * option("least_fte_per_node", t.least_fte_per_node);
    const N of_site = option("least_fte_per_site", t.least_fte_per_site);
    const N people = t.least_fte_per_site == 0 ? by_node : larger(by_node, of_site);
    const N wage = dollars<N>("usd_per_fte_year", t.usd_per_fte_year);
    return larger(paid, step("staff_floor_usd", people * wage / 12.0));
  }

  /// What a dollar at the end of each year, and one at the end of life, are worth today.
  struct PresentValue {
    N annuity;
    N at_end;
  };

  /// Year by year where the life is whole, so that a cost of capital of 0 needs no case of its own.
  /// 1 / annuity is the capital recovery factor.
  PresentValue present_value() const {
    const double life = value_of(life_years);
    if (!is_written_out(life)) {
      const double rate = value_of(cost_of_capital);
      const double end = std::exp(-life * std::log1p(rate));
      const double annuity = rate == 0 ? life : -std::expm1(-life * std::log1p(rate)) / rate;
      return {input<N>("annuity", annuity), input<N>("present_value_at_end", end)};
    }
    N worth = step("present_value_1", N(1.0) / (N(1.0) + cost_of_capital));
    N sum = worth;
    for (int year = 2; year <= static_cast<int>(life); ++year) {
      const std::string name = "present_value_" + std::to_string(year);
      worth = step(name, worth / (N(1.0) + cost_of_capital));
      sum = sum + worth;
    }
    return {step("annuity", sum), worth};
  }

  /// What is off leaves no trace in a formula.
  static N option(const char* name, double value) {
    return value == 0 ? N(0.0) : input<N>(name, value);
  }

  static N share_left(const OwnershipTerms& t) {
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
};

}  // namespace sizesheet::owning
