// SPDX-License-Identifier: Apache-2.0
// The ownership part of a sheet specification, and every figure that owning a machine rests on.

#include <algorithm>

#include "catalog/loader.h"
#include "cost/rent.h"
#include "sheet/spec.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Reads keys that name a purchase rate.
class RateReader {
 public:
  RateReader(ObjectReader& reader, const Purchase& purchase)
      : reader_(reader), purchase_(purchase) {
    for (const Rate& rate : purchase.rates) known_.push_back(rate.id);
  }

  std::string required(const std::string& key) { return checked(key, reader_.text(key)); }
  std::string optional(const std::string& key) { return checked(key, reader_.text_or(key, "")); }

  const Purchase& purchase() const { return purchase_; }
  bool knows(const std::string& id) const {
    return std::find(known_.begin(), known_.end(), id) != known_.end();
  }
  const Rate* find(const std::string& id) const {
    return knows(id) ? &purchase_.rate(id) : nullptr;
  }

 private:
  std::string checked(const std::string& key, const std::string& id) {
    if (!reader_.has(key) || !reader_.sound(key)) return id;
    if (!knows(id)) {
      reader_.fault(key, not_in_catalog("purchase rate", id, known_));
      return id;
    }
    for (const OwnershipRole& role : ownership_roles()) {
      if (role.key == key) check_unit(role, purchase_.rate(id));
    }
    return id;
  }

  /// Euros are no dollars, and a ratio no price.
  void check_unit(const OwnershipRole& role, const Rate& rate) {
    if (rate.unit == role.unit) return;
    std::vector<std::string> fitting;
    for (const Rate& other : purchase_.rates) {
      if (other.unit == role.unit) fitting.push_back(shown(other.id));
    }
    const std::string currency = rate.unconverted.empty() ? "" : " (" + rate.unconverted + ")";
    reader_.fault(role.key,
                  std::string("expected a rate in ") + role.unit + " (" + role.words + "), got " +
                      shown(rate.id) + " in " + rate.unit + currency + "; " +
                      (fitting.empty() ? "no rate of the catalog" : join(fitting, " or ")) +
                      " would do");
  }

  ObjectReader& reader_;
  const Purchase& purchase_;
  std::vector<std::string> known_;
};

void read_options(RateReader& rates, ObjectReader& reader, SpecOwnership& own) {
  own.utilisation = rates.optional("utilisation");
  own.cabling = rates.optional("cabling");
  own.licence = rates.optional("licence");
  if (auto staff = reader.optional_object("staff")) {
    RateReader staff_rates(*staff, rates.purchase());
    own.staff_fte_per_node = staff_rates.required("fte_per_node");
    own.usd_per_fte_year = staff_rates.required("usd_per_fte_year");
    staff->done();
  }
}

/// Exactly one of the two says what a machine is worth at the end.
void read_end_value(RateReader& rates, ObjectReader& reader, SpecOwnership& own) {
  own.residual = rates.optional("residual");
  own.value_decay = rates.optional("value_decay");
  if (own.residual.empty() == own.value_decay.empty()) {
    reader.fault(own.residual.empty() ? "residual" : "value_decay",
                 std::string("expected either residual or value_decay, got ") +
                     (own.residual.empty() ? "neither" : "both"));
  }
}

/// A cost that one rate covers may not be counted by another as well.
void check_counted_once(const RateReader& rates, ObjectReader& reader, const SpecOwnership& own) {
  const std::vector<std::pair<std::string, bool>> options = {
      {"staff", !own.staff_fte_per_node.empty()},
      {"licence", !own.licence.empty()},
      {"cabling", !own.cabling.empty()}};
  for (const auto& [role, id] : own.rates()) {
    const Rate* rate = rates.find(id);
    if (rate == nullptr) continue;
    for (const auto& [option, on] : options) {
      const auto& covers = rate->covers;
      if (!on || std::find(covers.begin(), covers.end(), option) == covers.end()) continue;
      reader.fault(option, "expected a cost that nothing else counts, but rate " + in_quotes(id) +
                               " covers it already");
    }
  }
}

void check_planned_hours(const RateReader& rates, ObjectReader& reader, const SpecOwnership& own) {
  const Rate* month = rates.find(own.hours_per_month);
  if (month == nullptr || !reader.sound("hours_per_month")) return;
  if (own.planned_hours_per_month <= month->value.typical) return;
  reader.fault("planned_hours_per_month", "expected at most the " + shortest(month->value.typical) +
                                              " hours of rate " + in_quotes(month->id) + ", got " +
                                              shortest(own.planned_hours_per_month));
}

using Terms = OwnershipTerms;
using Spec = SpecOwnership;

constexpr OwnershipRole kRoles[] = {
    {"life", "life_years", &Spec::life, rate_unit::kYears, "years of use",
     [](Terms& t, double v) { t.life_years = v; }},
    {"residual", "residual_share", &Spec::residual, rate_unit::kShareOfPurchase,
     "value left at the end of life", [](Terms& t, double v) { t.residual_share = v; }},
    {"value_decay", "value_decay_oom_per_year", &Spec::value_decay, rate_unit::kOomPerYear,
     "fall of the value a year", [](Terms& t, double v) { t.value_decay_oom_per_year = v; }},
    {"cost_of_capital", "cost_of_capital", &Spec::cost_of_capital, rate_unit::kSharePerYear,
     "interest on what is bound", [](Terms& t, double v) { t.cost_of_capital = v; }},
    {"idle_power", "idle_power_share", &Spec::idle_power, rate_unit::kShare,
     "power drawn while idle", [](Terms& t, double v) { t.idle_power_share = v; }},
    {"pue", "pue", &Spec::pue, rate_unit::kRatio, "power for cooling and losses",
     [](Terms& t, double v) { t.pue = v; }},
    {"electricity", "usd_per_kwh", &Spec::electricity, rate_unit::kUsdPerKwh, "price of power",
     [](Terms& t, double v) { t.usd_per_kwh = rounded_usd(v); }},
    {"colocation", "colo_usd_per_kw_month", &Spec::colocation, rate_unit::kUsdPerKwMonth,
     "space and cooling, per kW",
     [](Terms& t, double v) { t.colo_usd_per_kw_month = rounded_usd(v); }},
    {"support", "support_share_per_year", &Spec::support, rate_unit::kShareOfCapexPerYear,
     "running costs, as a share of the purchase",
     [](Terms& t, double v) { t.support_share_per_year = v; }},
    {"network", "network_usd_per_gpu", &Spec::network, rate_unit::kUsdPerGpu,
     "network between machines, bought",
     [](Terms& t, double v) { t.network_usd_per_gpu = rounded_usd(v); }},
    {"cabling", "cabling_share", &Spec::cabling, rate_unit::kShareOfCapex,
     "cabling and installation, bought", [](Terms& t, double v) { t.cabling_share = v; }},
    {"fte_per_node", "staff_fte_per_node", &Spec::staff_fte_per_node, rate_unit::kFtePerNode,
     "people a node", [](Terms& t, double v) { t.staff_fte_per_node = v; }},
    {"usd_per_fte_year", "usd_per_fte_year", &Spec::usd_per_fte_year, rate_unit::kUsdPerYear,
     "cost of a person", [](Terms& t, double v) { t.usd_per_fte_year = rounded_usd(v); }},
    {"licence", "licence_usd_per_gpu_year", &Spec::licence, rate_unit::kUsdPerGpuYear,
     "software, per GPU", [](Terms& t, double v) { t.licence_usd_per_gpu_year = rounded_usd(v); }},
    {"hours_per_month", "hours_per_month", &Spec::hours_per_month, rate_unit::kHours,
     "hours counted as a month", [](Terms& t, double v) { t.hours_per_month = v; }},
    {"utilisation", "utilisation", &Spec::utilisation, rate_unit::kShare,
     "share of the hours that are used", nullptr},
};

/// A choice of the sheet; the rate of utilisation says how far off it may be.
OwnershipInput planned_hours(const Purchase& purchase, const SpecOwnership& own) {
  const double planned = own.planned_hours_per_month;
  OwnershipInput hours{{planned, planned, planned, "choice", "sheet specification", "", ""},
                       kPlannedHours,
                       "hours of use a month",
                       "Planned hours",
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
  for (const OwnershipRole& role : ownership_roles()) {
    const std::string& id = this->*role.rate;
    if (!id.empty()) used.emplace_back(role.name, id);
  }
  return used;
}

SpecOwnership read_spec_ownership(ObjectReader reader, const Purchase& purchase) {
  RateReader rates(reader, purchase);
  SpecOwnership own;
  own.planned_hours_per_month = reader.number("planned_hours_per_month", {1, kHoursOfLongestMonth});
  own.life = rates.required("life");
  read_end_value(rates, reader, own);
  own.cost_of_capital = rates.required("cost_of_capital");
  own.idle_power = rates.required("idle_power");
  own.pue = rates.required("pue");
  own.electricity = rates.required("electricity");
  own.colocation = rates.required("colocation");
  own.support = rates.required("support");
  own.network = rates.required("network");
  own.hours_per_month = rates.required("hours_per_month");
  read_options(rates, reader, own);
  reader.done();
  check_planned_hours(rates, reader, own);
  check_counted_once(rates, reader, own);
  return own;
}

std::span<const OwnershipRole> ownership_roles() { return kRoles; }

std::vector<OwnershipInput> ownership_inputs(const Purchase& purchase, const SpecOwnership& own,
                                             const PurchaseNode& node, bool joined) {
  std::vector<OwnershipInput> inputs = {
      {node.usd, kUsdPerNode, "purchase of a node", node.title, "USD", true,
       [](OwnershipTerms& t, double v) { t.capex_usd_per_node = rounded_usd(v); }},
      {node.kw, kKwPerNode, "power of a node at full load", node.title + ", power", "kW", true,
       [](OwnershipTerms& t, double v) { t.node_kw = v; }}};
  for (const OwnershipRole& role : kRoles) {
    const std::string& id = own.*role.rate;
    const bool counts = role.set != nullptr && (joined || role.rate != &Spec::network);
    if (id.empty() || !counts) continue;
    const Rate& rate = purchase.rate(id);
    const bool varies = role.rate != &Spec::hours_per_month;  // a convention
    inputs.push_back({rate.value, id, role.words, rate.title, rate.unit, varies, role.set});
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
