// SPDX-License-Identifier: Apache-2.0
#include "sheet/check_rates.h"

#include <array>
#include <utility>

#include "sheet/ownership_inputs.h"
#include "support/dates.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Terms that are in range, all of them, so that what is wrong after a change is the change.
OwnershipTerms sound_terms() {
  OwnershipTerms terms;
  terms.gpus = terms.gpus_per_node = 1;
  terms.life_years = terms.pue = 1;
  terms.utilisation = 1;
  terms.hours_per_month = 730;
  terms.staff_fte_per_node = 1;
  terms.usd_per_fte_year = MicroUsd{1};
  return terms;
}

/// The three values of a rate, with their keys.
std::array<std::pair<const char*, double>, 3> values_of(const Estimate& estimate) {
  return {{{"low", estimate.low}, {"typical", estimate.typical}, {"high", estimate.high}}};
}

class RateChecker {
 public:
  RateChecker(const Purchase& purchase, std::string file, std::string list, Faults& faults)
      : purchase_(purchase), file_(std::move(file)), list_(std::move(list)), faults_(faults) {}

  /// What the terms say of each value once `input` has set it.
  void by_terms(const OwnershipInput& input) {
    for (std::size_t i = 0; i < purchase_.rates.size(); ++i) {
      if (purchase_.rates[i].id != input.id) continue;
      for (const auto& [key, value] : values_of(purchase_.rates[i].value)) {
        OwnershipTerms terms = sound_terms();
        input.set(terms, value);
        Faults found;
        check_terms(terms, "", "", found);
        for (const Fault& fault : found.all()) add(i, key, fault.message, input.role);
      }
    }
  }

  void by_range(const std::string& id, double low, double high, const std::string& role) {
    for (std::size_t i = 0; i < purchase_.rates.size(); ++i) {
      if (purchase_.rates[i].id != id) continue;
      for (const auto& [key, value] : values_of(purchase_.rates[i].value)) {
        if (value >= low && value <= high) continue;
        add(i, key,
            "expected a number from " + shortest(low) + " to " + shortest(high) + ", got " +
                shortest(value),
            role);
      }
    }
  }

 private:
  void add(std::size_t rate, const char* key, const std::string& message, const std::string& role) {
    faults_.add(file_, list_ + "/" + std::to_string(rate) + "/value/" + key,
                message + " (the sheet takes it for: " + role + ")");
  }

  const Purchase& purchase_;
  std::string file_;
  std::string list_;
  Faults& faults_;
};

}  // namespace

void check_rates(const SpecOwnership& own, const Purchase& purchase, const std::string& file,
                 const std::string& list, Faults& faults) {
  RateChecker checker(purchase, file, list, faults);
  checker.by_range(own.hours_per_month, 1, kHoursOfLongestMonth, "hours counted as a month");
  if (!own.utilisation.empty()) {
    checker.by_range(own.utilisation, 1e-6, 1, "share of the hours that are used");
  }
  if (!faults.empty()) return;
  for (const OwnershipInput& input : ownership_inputs(purchase, own, PurchaseNode{}, true)) {
    if (input.varies || input.id != own.hours_per_month) checker.by_terms(input);
  }
}

}  // namespace sizesheet
