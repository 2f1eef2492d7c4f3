// SPDX-License-Identifier: Apache-2.0
#include "sheet/spec_ownership.h"

#include <algorithm>
#include <type_traits>

#include "catalog/files/entry.h"
#include "catalog/prices/purchase.h"
#include "cost/ownership.h"
#include "cost/rent.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

using Terms = OwnershipTerms;
using Spec = SpecOwnership;

/// Gives a term a rate's value; dollars are rounded to what money counts in.
template <auto member>
void set_term(Terms& terms, double value) {
  if constexpr (std::is_same_v<std::remove_reference_t<decltype(terms.*member)>, MicroUsd>) {
    terms.*member = rounded_usd(value);
  } else {
    terms.*member = value;
  }
}

/// The support of these machines pays their people as well.
void set_support_and_staff(Terms& terms, double value) {
  terms.support_share_per_year = value;
  terms.support_covers_staff = true;
}

/// What is left of a used machine, whatever new ones lose.
void set_used_residual(Terms& terms, double value) {
  terms.residual_share = value;
  terms.value_decay_oom_per_year.reset();
}

using enum OwnershipRole::Named;

constexpr OwnershipRole kRoles[] = {
    {"life", "life_years", &Spec::life, kAlways, rate_unit::kYears, "years of use",
     set_term<&Terms::life_years>},
    {"residual", "residual_share", &Spec::residual, kAtWill, rate_unit::kShareOfPurchase,
     "value left at the end of life", set_term<&Terms::residual_share>},
    {"value_decay", "value_decay_oom_per_year", &Spec::value_decay, kAtWill, rate_unit::kOomPerYear,
     "fall of the value a year", set_term<&Terms::value_decay_oom_per_year>},
    {"cost_of_capital", "cost_of_capital", &Spec::cost_of_capital, kAlways,
     rate_unit::kSharePerYear, "interest on the money invested", set_term<&Terms::cost_of_capital>},
    {"idle_power", "idle_power_share", &Spec::idle_power, kAlways, rate_unit::kShare,
     "power drawn while idle", set_term<&Terms::idle_power_share>},
    {"pue", "pue", &Spec::pue, kAlways, rate_unit::kRatio, "power for cooling and losses",
     set_term<&Terms::pue>},
    {"electricity", "usd_per_kwh", &Spec::electricity, kAlways, rate_unit::kUsdPerKwh,
     "price of power", set_term<&Terms::usd_per_kwh>},
    {"colocation", "colo_usd_per_kw_month", &Spec::colocation, kAlways, rate_unit::kUsdPerKwMonth,
     "space and cooling, per kW", set_term<&Terms::colo_usd_per_kw_month>},
    {"support", "support_share_per_year", &Spec::support, kAlways, rate_unit::kShareOfCapexPerYear,
     "running costs, as a share of the purchase", set_term<&Terms::support_share_per_year>},
    {"network", "network_usd_per_gpu", &Spec::network, kAlways, rate_unit::kUsdPerGpu,
     "network between machines, bought", set_term<&Terms::network_usd_per_gpu>},
    {"cabling", "cabling_share", &Spec::cabling, kAtWill, rate_unit::kShareOfCapex,
     "cabling and installation, bought", set_term<&Terms::cabling_share>},
    {"fte_per_node", "staff_fte_per_node", &Spec::staff_fte_per_node, kWithStaff,
     rate_unit::kFtePerNode, "people per node", set_term<&Terms::staff_fte_per_node>},
    {"usd_per_fte_year", "usd_per_fte_year", &Spec::usd_per_fte_year, kWithStaff,
     rate_unit::kUsdPerYear, "cost of a person", set_term<&Terms::usd_per_fte_year>,
     "fte-usd-per-year"},
    {"least_fte_per_node", "least_fte_per_node", &Spec::least_fte_per_node, kByCatalog,
     rate_unit::kFtePerNode, "minimum staff per node", set_term<&Terms::least_fte_per_node>,
     "staff-fte-per-node"},
    {"staff_fte_per_site", "least_fte_per_site", &Spec::staff_fte_per_site, kAtWill,
     rate_unit::kFtePerSite, "minimum staff of the site", set_term<&Terms::least_fte_per_site>},
    {"licence", "licence_usd_per_gpu_year", &Spec::licence, kAtWill, rate_unit::kUsdPerGpuYear,
     "software, per GPU", set_term<&Terms::licence_usd_per_gpu_year>},
    {"used_life", "used_life_years", &Spec::used_life, kAtWill, rate_unit::kYears,
     "years of use of a used machine", set_term<&Terms::life_years>, "used-life-years"},
    {"used_residual", "used_residual_share", &Spec::used_residual, kAtWill,
     rate_unit::kShareOfPurchase, "value left of a used machine at the end of life",
     set_used_residual, "residual-share-used-3y"},
    {"hours_per_month", "hours_per_month", &Spec::hours_per_month, kAlways, rate_unit::kHours,
     "hours counted as a month", set_term<&Terms::hours_per_month>},
    {"utilisation", "utilisation", &Spec::utilisation, kAtWill, rate_unit::kShare,
     "share of the hours that are used", nullptr},
};

/// The id of a rate of the catalog in the role's unit: euros are no dollars, and a ratio no price.
std::string read_rate_id(ObjectReader& reader, const OwnershipRole& role,
                         const Purchase& purchase) {
  if (role.named == kByCatalog) return "";
  const bool needed = role.named != kAtWill;
  const std::string id = needed ? reader.text(role.key) : reader.text_or(role.key, "");
  if (!reader.has(role.key) || !reader.sound(role.key)) return id;
  const Rate* rate = entry_with(purchase.rates, &Rate::id, id);
  if (rate == nullptr) {
    reader.fault(role.key, not_in_catalog("purchase rate", id, each_of(purchase.rates, &Rate::id)));
  } else if (rate->unit != role.unit) {
    std::vector<std::string> fitting;
    for (const Rate& other : purchase.rates) {
      if (other.unit == role.unit) fitting.push_back(shown(other.id));
    }
    const std::string currency = rate->unconverted.empty() ? "" : " (" + rate->unconverted + ")";
    reader.fault(role.key,
                 std::string("expected a rate in ") + role.unit + " (" + role.words + "), got " +
                     shown(id) + " in " + rate->unit + currency + "; " +
                     (fitting.empty() ? "no rate of the catalog" : join(fitting, " or ")) +
                     " would do");
  }
  return id;
}

/// The catalog's rate for what the sheet leaves out; "" where it has none of that unit.
std::string rate_otherwise(const OwnershipRole& role, const Purchase& purchase) {
  if (role.otherwise == nullptr) return "";
  const Rate* rate = entry_with(purchase.rates, &Rate::id, std::string(role.otherwise));
  return rate != nullptr && rate->unit == role.unit ? rate->id : "";
}

/// A value that falls by a decay does so in used machines too. People are paid for at least the
/// catalog's only where a wage is known, and once where the sheet names the same rate.
void put_rates_of_catalog(const Purchase& purchase, ObjectReader& reader, SpecOwnership& own) {
  const bool staff = !own.staff_fte_per_node.empty();
  for (const OwnershipRole& role : kRoles) {
    if ((own.*role.rate).empty()) own.*role.rate = rate_otherwise(role, purchase);
  }
  if (own.residual.empty() && !reader.has("used_residual")) own.used_residual.clear();
  if (own.least_fte_per_node == own.staff_fte_per_node || own.usd_per_fte_year.empty()) {
    own.least_fte_per_node.clear();
  }
  if (!own.staff_fte_per_site.empty() && own.usd_per_fte_year.empty()) {
    reader.fault("staff_fte_per_site", "expected staff beside it, since the catalog has no rate " +
                                           in_quotes("fte-usd-per-year") +
                                           " of what a person costs");
  }
  const bool least = !own.least_fte_per_node.empty() || !own.staff_fte_per_site.empty();
  if (!staff && !least) own.usd_per_fte_year.clear();
}

/// A cost that one rate covers may not be counted by another as well.
void check_counted_once(const Purchase& purchase, ObjectReader& reader, const SpecOwnership& own) {
  const std::vector<std::pair<std::string, bool>> options = {
      {"staff", !own.staff_fte_per_node.empty()},
      {"licence", !own.licence.empty()},
      {"cabling", !own.cabling.empty()}};
  for (const auto& [role, id] : own.rates()) {
    const Rate* rate = entry_with(purchase.rates, &Rate::id, id);
    if (rate == nullptr) continue;
    for (const auto& [option, on] : options) {
      if (!on || !contains(rate->covers, option)) continue;
      reader.fault(option, "expected a cost that nothing else counts, but rate " + in_quotes(id) +
                               " covers it already");
    }
  }
}

void check_planned_hours(const Purchase& purchase, ObjectReader& reader, const SpecOwnership& own) {
  const Rate* month = entry_with(purchase.rates, &Rate::id, own.hours_per_month);
  if (month == nullptr || !reader.sound("hours_per_month")) return;
  if (own.planned_hours_per_month <= month->value.typical) return;
  reader.fault("planned_hours_per_month", "expected at most the " + shortest(month->value.typical) +
                                              " hours of rate " + in_quotes(month->id) + ", got " +
                                              shortest(own.planned_hours_per_month));
}

/// Life and residual value are those of new machines, or of used ones where they have their own.
bool is_for(const OwnershipRole& role, const SpecOwnership& own, bool used) {
  if (role.rate == &Spec::used_life || role.rate == &Spec::used_residual) return used;
  if (role.rate == &Spec::life) return !used || own.used_life.empty();
  const bool left = role.rate == &Spec::residual || role.rate == &Spec::value_decay;
  return !left || !used || own.used_residual.empty();
}

bool has_staff_floor(const SpecOwnership& own) {
  return !own.least_fte_per_node.empty() || !own.staff_fte_per_site.empty();
}

/// A choice of the sheet; the rate of utilisation says how far off it may be.
OwnershipInput planned_hours(const Purchase& purchase, const SpecOwnership& own) {
  const double planned = own.planned_hours_per_month;
  OwnershipInput hours{{planned, planned, planned, "choice", "sheet specification", "", ""},
                       kPlannedHours,
                       "hours of use per month",
                       "Hours of use per month",
                       "h per month",
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

std::vector<std::pair<std::string, std::string>> SpecOwnership::rates() const {
  std::vector<std::pair<std::string, std::string>> used;
  for (const OwnershipRole& role : kRoles) {
    const std::string& id = this->*role.rate;
    if (!id.empty()) used.emplace_back(role.name, id);
  }
  return used;
}

SpecOwnership read_spec_ownership(ObjectReader reader, const Purchase& purchase) {
  SpecOwnership own;
  own.planned_hours_per_month = reader.number("planned_hours_per_month", {1, kHoursOfLongestMonth});
  auto staff = reader.optional_object("staff");
  for (const OwnershipRole& role : kRoles) {
    const bool of_staff = role.named == kWithStaff;
    if (of_staff && !staff) continue;
    own.*role.rate = read_rate_id(of_staff ? *staff : reader, role, purchase);
  }
  if (staff) staff->done();
  put_rates_of_catalog(purchase, reader, own);
  if (own.residual.empty() == own.value_decay.empty()) {
    reader.fault(own.residual.empty() ? "residual" : "value_decay",
                 std::string("expected either residual or value_decay, got ") +
                     (own.residual.empty() ? "neither" : "both"));
  }
  reader.done();
  check_planned_hours(purchase, reader, own);
  check_counted_once(purchase, reader, own);
  return own;
}

std::vector<std::pair<std::string, std::string>> rates_in_use(
    const Purchase& purchase, const SpecOwnership& own, const std::vector<std::string>& gpus) {
  const bool used = std::ranges::any_of(purchase.nodes, [&](const PurchaseNode& node) {
    return node.used() && contains(gpus, node.gpu);
  });
  auto all = own.rates();
  std::erase_if(all, [&](const auto& rate) { return !used && starts_with(rate.first, "used_"); });
  return all;
}

std::span<const OwnershipRole> ownership_roles() { return kRoles; }

std::vector<OwnershipInput> ownership_inputs(const Purchase& purchase, const SpecOwnership& own,
                                             const PurchaseNode& node, bool joined) {
  std::vector<OwnershipInput> inputs = {
      {node.usd, kUsdPerNode, "purchase of a node", node.title, "USD", true,
       set_term<&Terms::capex_usd_per_node>},
      {node.kw, kKwPerNode, "power of a node at full load", node.title + ", power", "kW", true,
       set_term<&Terms::node_kw>}};
  for (const OwnershipRole& role : kRoles) {
    const std::string& id = own.*role.rate;
    const bool counts = role.set != nullptr && (joined || role.rate != &Spec::network);
    if (id.empty() || !counts || !is_for(role, own, node.used())) continue;
    const Rate& rate = purchase.rate(id);
    const bool varies = role.rate != &Spec::hours_per_month;  // a convention
    const bool for_staff =
        role.rate == &Spec::support && has_staff_floor(own) && contains(rate.covers, "staff");
    inputs.push_back({rate.value, id, role.words, rate.title, rate.unit, varies,
                      for_staff ? set_support_and_staff : role.set});
  }
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
