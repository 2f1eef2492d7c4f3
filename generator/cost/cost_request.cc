// SPDX-License-Identifier: Apache-2.0
// A rent-or-buy question as JSON, and its answer as JSON.

#include <set>
#include <stdexcept>
#include <type_traits>

#include "cost/ownership.h"

namespace sizesheet {
namespace {

OwnershipTerms read_terms(ObjectReader& reader) {
  OwnershipTerms terms;
  reader.text("id");
  terms.gpus = reader.integer("gpus");
  terms.gpus_per_node = reader.integer("gpus_per_node");
  terms.capex_usd_per_node = reader.usd("capex_usd_per_node");
  terms.cabling_share = reader.number_or("cabling_share", 0);
  terms.residual_share = reader.number("residual_share");
  terms.value_decay_oom_per_year = reader.optional_number("value_decay_oom_per_year");
  terms.life_years = reader.number("life_years");
  terms.cost_of_capital = reader.number("cost_of_capital");
  terms.node_kw = reader.number("node_kw");
  terms.idle_power_share = reader.number("idle_power_share");
  terms.pue = reader.number("pue");
  terms.usd_per_kwh = reader.usd("usd_per_kwh");
  terms.colo_usd_per_kw_month = reader.usd("colo_usd_per_kw_month");
  terms.support_share_per_year = reader.number("support_share_per_year");
  terms.staff_usd_per_year = reader.usd("staff_usd_per_year");
  terms.staff_fte_per_node = reader.number_or("staff_fte_per_node", 0);
  terms.usd_per_fte_year = reader.optional_usd("usd_per_fte_year").value_or(MicroUsd{});
  terms.network_usd_per_gpu = reader.optional_usd("network_usd_per_gpu").value_or(MicroUsd{});
  terms.licence_usd_per_gpu_year =
      reader.optional_usd("licence_usd_per_gpu_year").value_or(MicroUsd{});
  terms.utilisation = reader.number("utilisation");
  terms.rent_usd_per_gpu_hour = reader.optional_usd("rent_usd_per_gpu_hour");
  terms.capital_method =
      read_named_or(reader, "capital_method", kCapitalMethods, CapitalMethod::kRecoveryFactor);
  terms.hours_per_month = reader.number("hours_per_month");
  terms.hours_per_run = reader.optional_number("hours_per_run");
  return terms;
}

Json money(MicroUsd usd) { return to_usd(usd); }

template <typename T>
Json or_null(const std::optional<T>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_same_v<T, MicroUsd>) {
    return money(*value);
  } else {
    return *value;
  }
}

}  // namespace

OwnershipTerms read_cost_request(const Json& request, Faults& faults) {
  ObjectReader reader(request, "", "", faults);
  OwnershipTerms terms = read_terms(reader);
  reader.done();

  // A key that could not be read holds a neutral value; its range says nothing.
  std::set<std::string> unread;
  for (const Fault& fault : faults.all()) unread.insert(fault.pointer);
  Faults ranges;
  check_terms(terms, "", "", ranges);
  for (const Fault& fault : ranges.all()) {
    if (unread.count(fault.pointer) == 0) faults.add(fault.file, fault.pointer, fault.message);
  }
  return terms;
}

Json cost_answer(const OwnLine& ownership) {
  Json parts = Json::object();
  for (const auto& [name, usd] : ownership.parts.named()) parts[name] = money(usd);
  return {{"nodes", ownership.nodes},
          {"unused_gpus", ownership.unused_gpus},
          {"unused_usd_per_month", money(ownership.unused_usd_per_month)},
          {"capex_usd", money(ownership.capex_usd)},
          {"residual_usd", money(ownership.residual_usd)},
          {"own_usd_per_gpu_hour", money(ownership.own_usd_per_gpu_hour)},
          {"own_usd_per_month", money(ownership.own_usd_per_month)},
          {"rent_usd_per_month", or_null(ownership.rent_usd_per_month)},
          {"break_even_utilisation", or_null(ownership.break_even_utilisation)},
          {"break_even_hours_per_month", or_null(ownership.break_even_hours_per_month)},
          {"break_even_runs_per_month", or_null(ownership.break_even_runs_per_month)},
          {"payback_month", or_null(ownership.payback_month)},
          {"payback_month_cash", or_null(ownership.payback_month_cash)},
          {"payback_years_cash", or_null(ownership.payback_years_cash)},
          {"savings_usd_over_life", or_null(ownership.savings_usd_over_life)},
          {"npv_usd", or_null(ownership.npv_usd)},
          {"advice", or_null(ownership.advice)},
          {"close", ownership.close},
          {"parts", parts}};
}

Json answer_cost_request(const Json& request) {
  Faults faults;
  const OwnershipTerms terms = read_cost_request(request, faults);
  if (!faults.empty()) throw InputError(faults.request_text());
  try {
    return cost_answer(cost_of_owning(terms));
  } catch (const std::overflow_error&) {
    throw InputError("the amounts are too large to add up exactly");
  }
}

}  // namespace sizesheet
