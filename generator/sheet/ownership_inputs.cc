// SPDX-License-Identifier: Apache-2.0
#include "sheet/ownership_inputs.h"

#include "cost/rent.h"

namespace sizesheet {
namespace {

using Setter = void (*)(OwnershipTerms& terms, double value);

struct Role {
  std::string rate;  ///< "": off
  const char* role;
  Setter set;
};

std::vector<Role> roles(const SpecOwnership& own, bool joined) {
  using T = OwnershipTerms;
  return {
      {own.residual, "value left at the end of life", [](T& t, double v) { t.residual_share = v; }},
      {own.value_decay, "fall of the value a year",
       [](T& t, double v) { t.value_decay_oom_per_year = v; }},
      {own.life, "years of use", [](T& t, double v) { t.life_years = v; }},
      {own.cost_of_capital, "interest on what is bound",
       [](T& t, double v) { t.cost_of_capital = v; }},
      {own.idle_power, "power drawn while idle", [](T& t, double v) { t.idle_power_share = v; }},
      {own.pue, "power for cooling and losses", [](T& t, double v) { t.pue = v; }},
      {own.electricity, "price of power", [](T& t, double v) { t.usd_per_kwh = rounded_usd(v); }},
      {own.colocation, "space and cooling, per kW",
       [](T& t, double v) { t.colo_usd_per_kw_month = rounded_usd(v); }},
      {own.support, "running costs, as a share of the purchase",
       [](T& t, double v) { t.support_share_per_year = v; }},
      {joined ? own.network : "", "network between machines, bought",
       [](T& t, double v) { t.network_usd_per_gpu = rounded_usd(v); }},
      {own.cabling, "cabling and installation, bought",
       [](T& t, double v) { t.cabling_share = v; }},
      {own.staff_fte_per_node, "people a node", [](T& t, double v) { t.staff_fte_per_node = v; }},
      {own.usd_per_fte_year, "cost of a person",
       [](T& t, double v) { t.usd_per_fte_year = rounded_usd(v); }},
      {own.licence, "software, per GPU",
       [](T& t, double v) { t.licence_usd_per_gpu_year = rounded_usd(v); }},
  };
}

OwnershipInput of_estimate(const std::string& id, const std::string& role, const std::string& title,
                           const std::string& unit, const Estimate& value, Setter set) {
  return {id,         role,        title,        unit,       value.low, value.typical,
          value.high, value.basis, value.source, value.date, true,      set};
}

OwnershipInput of_rate(const Rate& rate, const char* role, Setter set) {
  return of_estimate(rate.id, role, rate.title, rate.unit, rate.value, set);
}

/// A choice of the sheet; the rate of utilisation says how far off it may be.
OwnershipInput planned_hours(const Purchase& purchase, const SpecOwnership& own) {
  const double planned = own.planned_hours_per_month;
  OwnershipInput hours{kPlannedHours,
                       "hours of use a month",
                       "Planned hours",
                       "h per month",
                       planned,
                       planned,
                       planned,
                       "choice",
                       "sheet specification",
                       "",
                       false,
                       [](OwnershipTerms& t, double v) { t.utilisation = v / t.hours_per_month; }};
  if (own.utilisation.empty()) return hours;
  const Rate& use = purchase.rate(own.utilisation);
  const double month = purchase.rate(own.hours_per_month).value.typical;
  hours.low = to_hours(round_hours(use.value.low * month));
  hours.high = to_hours(round_hours(use.value.high * month));
  hours.source = "sheet specification; range: " + use.value.source;
  hours.date = use.value.date;
  hours.varies = true;
  return hours;
}

}  // namespace

std::vector<OwnershipInput> ownership_inputs(const Purchase& purchase, const SpecOwnership& own,
                                             const PurchaseNode& node, bool joined) {
  std::vector<OwnershipInput> inputs = {
      of_estimate(kUsdPerNode, "purchase of a node", node.title, "USD", node.usd,
                  [](OwnershipTerms& t, double v) { t.capex_usd_per_node = rounded_usd(v); }),
      of_estimate(kKwPerNode, "power of a node at full load", node.title + ", power", "kW", node.kw,
                  [](OwnershipTerms& t, double v) { t.node_kw = v; })};
  for (const Role& role : roles(own, joined)) {
    if (!role.rate.empty()) {
      inputs.push_back(of_rate(purchase.rate(role.rate), role.role, role.set));
    }
  }
  inputs.push_back(of_rate(purchase.rate(own.hours_per_month), "hours counted as a month",
                           [](OwnershipTerms& t, double v) { t.hours_per_month = v; }));
  inputs.back().varies = false;
  inputs.push_back(planned_hours(purchase, own));
  return inputs;
}

OwnershipTerms typical_terms(const std::vector<OwnershipInput>& inputs, const PurchaseNode& node,
                             std::int64_t gpus) {
  OwnershipTerms terms;
  terms.gpus = gpus;
  terms.gpus_per_node = node.gpus;
  for (const OwnershipInput& input : inputs) input.set(terms, input.typical);
  return terms;
}

}  // namespace sizesheet
