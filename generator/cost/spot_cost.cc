// SPDX-License-Identifier: Apache-2.0
#include "cost/spot_cost.h"

#include <stdexcept>

#include "catalog/prices/price.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

void check_spot_terms(const SpotTerms& terms) {
  for (const double value :
       {terms.hours, terms.interruptions_per_hour, terms.checkpoint_hours, terms.restart_hours}) {
    if (!(value >= 0)) throw std::invalid_argument("spot: expected numbers at least 0");
  }
  if (terms.instances < 1) throw std::invalid_argument("spot: expected at least one instance");
}

/// Written once: `double` computes, `Traced` also records the formula.
template <typename N>
struct SpotFigures {
  explicit SpotFigures(const SpotTerms& terms)
      : hours(input<N>("hours", terms.hours)),
        lost_each(step("hours_lost_each",
                       smaller(input<N>("checkpoint_hours", terms.checkpoint_hours), hours) / 2.0 +
                           input<N>("restart_hours", terms.restart_hours))),
        rate(step("interruptions_per_hour",
                  input<N>("interruptions_per_instance_hour", terms.interruptions_per_hour) *
                      input<N>("instances", static_cast<double>(terms.instances)))),
        lost(step("share_lost", rate * lost_each)) {}

  bool ends() const { return value_of(lost) <= kMostLostOnSpot; }
  N paid() const { return hours / (N(1.0) - lost); }

  N hours, lost_each, rate, lost;
};

}  // namespace

std::optional<SpotRun> spot_run(const SpotTerms& terms) {
  check_spot_terms(terms);
  const SpotFigures<double> figures(terms);
  if (!figures.ends()) return std::nullopt;
  const double paid = figures.paid();
  return SpotRun{paid, figures.rate * paid, figures.lost_each};
}

std::optional<QuantityLine> explain_spot_hours(const SpotTerms& terms, const std::string& source) {
  check_spot_terms(terms);
  const SpotFigures<Traced> figures(terms);
  if (!figures.ends()) return std::nullopt;
  const Traced paid = figures.paid();
  return QuantityLine{"spot_hours", "Hours of a run on spot", paid.value(),
                      "h",          formula_of(paid),         source};
}

CostLine explain_spot_cost(MicroUsd usd_per_hour, HoursTenThousandths hours,
                           const std::string& source) {
  const Traced cost = Traced::input("usd_per_hour", to_usd(usd_per_hour)) *
                      Traced::input("spot_hours", to_hours(hours));
  return {"usd_per_run_interrupted",
          std::string(price_tier("spot").rent) + " per run, interruptions counted",
          run_cost(usd_per_hour, hours),
          "$/run",
          formula_of(cost),
          source};
}

}  // namespace sizesheet
