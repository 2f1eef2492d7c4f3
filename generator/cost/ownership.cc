// SPDX-License-Identifier: Apache-2.0
#include "cost/ownership.h"

#include <cmath>

#include "cost/ownership_formulas.h"

namespace sizesheet {

namespace {

using Terms = owning::Quantities<double>;

OwnershipParts parts_of(const Terms& q, const OwnershipTerms& terms) {
  OwnershipParts parts;
  parts.depreciation = rounded_usd(owning::depreciation(q));
  parts.capital = rounded_usd(owning::capital(q, terms.capital_method));
  parts.colo = rounded_usd(owning::colo(q));
  parts.support = rounded_usd(owning::support(q));
  parts.energy = rounded_usd(owning::energy(q, q.utilisation));
  parts.staff = rounded_usd(owning::staff(q));
  parts.licence = rounded_usd(owning::licence(q));
  return parts;
}

MicroUsd total_at(const Terms& q, OwnershipParts parts, double utilisation) {
  parts.energy = rounded_usd(owning::energy(q, utilisation));
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
  const double slope = owning::rent_over_own_slope(q, owning::rent_price<double>(terms));
  const double utilisation = owning::own_at_zero(q, rounded) / slope;
  if (!(slope > 0) || utilisation > 1) return;
  result.break_even_utilisation = utilisation;
  result.break_even_hours_per_month = utilisation * terms.hours_per_month;
  if (!terms.hours_per_run) return;
  result.break_even_runs_per_month = *result.break_even_hours_per_month / *terms.hours_per_run;
}

/// Absent where nothing is saved, and beyond the life.
std::optional<double> cash_payback_years(const OwnLine& result, double life_years) {
  const double years = owning::payback_years(owning::Results<double>(result));
  if (!(years >= 0) || years > life_years) return std::nullopt;
  return years;
}

void compare(const Terms& q, const OwnershipTerms& terms, OwnLine& result) {
  const MicroUsd rent = rounded_usd(owning::rent(q, owning::rent_price<double>(terms)));
  result.rent_usd_per_month = rent;
  add_break_even(q, terms, result);

  result.payback_years_cash = cash_payback_years(result, terms.life_years);
  const MicroUsd with_capital = result.own_usd_per_month - result.parts.depreciation;
  const MicroUsd cash = with_capital - result.parts.capital;
  result.payback_month = payback(result.capex_usd, with_capital, rent, terms.life_years);
  result.payback_month_cash = payback(result.capex_usd, cash, rent, terms.life_years);

  const owning::Results<double> rounded(result);
  result.savings_usd_over_life = rounded_usd(owning::savings(q, rounded));
  result.npv_usd = rounded_usd(owning::net_present_value(q, rounded));

  result.advice = advice(result.own_usd_per_gpu_hour, *terms.rent_usd_per_gpu_hour);
  result.close = is_close(result.own_usd_per_gpu_hour, *terms.rent_usd_per_gpu_hour);
}

void refuse_bad(const OwnershipTerms& terms) {
  Faults faults;
  check_terms(terms, "", "", faults);
  if (!faults.empty()) throw InputError(faults.request_text());
}

/// Exact where whole amounts are added up; a share of an amount is rounded once.
MicroUsd purchase_of(const Terms& q, const OwnershipTerms& terms, std::int64_t nodes) {
  const MicroUsd plain = terms.capex_usd_per_node * nodes + terms.network_usd_per_gpu * terms.gpus;
  return terms.cabling_share == 0 ? plain : rounded_usd(owning::purchase(q));
}

}  // namespace

std::string advice(MicroUsd own, MicroUsd rent) { return own < rent ? "buy" : "rent"; }

bool is_close(MicroUsd own, MicroUsd rent) {
  const MicroUsd gap = own < rent ? rent - own : own - rent;
  return gap * 10 <= rent;
}

double value_left(double decay_oom_per_year, double years) {
  return std::pow(10.0, -decay_oom_per_year * years);
}

std::vector<std::pair<std::string, MicroUsd>> OwnershipParts::named() const {
  return {{"depreciation", depreciation}, {"capital", capital}, {"colo", colo},
          {"support", support},           {"energy", energy},   {"staff", staff},
          {"network", network},           {"licence", licence}};
}

MicroUsd OwnershipParts::total() const {
  MicroUsd sum;
  for (const auto& [name, usd] : named()) sum += usd;
  return sum;
}

OwnLine cost_of_owning(const OwnershipTerms& terms) {
  refuse_bad(terms);
  const Terms q(terms);
  OwnLine result;
  result.nodes = static_cast<std::int64_t>(owning::nodes(q));
  result.gpus_bought = result.nodes * terms.gpus_per_node;
  result.unused_gpus = result.gpus_bought - terms.gpus;
  result.capex_usd = purchase_of(q, terms, result.nodes);
  result.residual_usd = rounded_usd(owning::residual(q));
  result.parts = parts_of(q, terms);
  result.own_usd_per_month = result.parts.total();
  const owning::Results<double> rounded(result);
  result.own_usd_per_gpu_hour = rounded_usd(owning::own_per_gpu_hour(q, rounded));
  result.fixed_usd_per_month = total_at(q, result.parts, 0);
  result.full_use_usd_per_month = total_at(q, result.parts, 1);
  result.unused_usd_per_month =
      rounded_usd(owning::unused(rounded, result.unused_gpus, result.gpus_bought));
  if (terms.rent_usd_per_gpu_hour) compare(q, terms, result);
  return result;
}

}  // namespace sizesheet
