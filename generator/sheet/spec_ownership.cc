// SPDX-License-Identifier: Apache-2.0
#include "sheet/spec_ownership.h"

#include <algorithm>

#include "sheet/ownership_inputs.h"
#include "support/dates.h"
#include "support/printable.h"
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
      reader_.fault(key,
                    "no purchase rate " + shown(id) + " in the catalog" + did_you_mean(id, known_));
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

}  // namespace sizesheet
