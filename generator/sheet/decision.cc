// SPDX-License-Identifier: Apache-2.0
// How candidates of a pick are ranked and compared.
#include "sheet/decision.h"

#include <algorithm>

#include "catalog/facts/engine_constants.h"
#include "sizing/time/throughput.h"
#include "support/money.h"

namespace sizesheet {

bool meets(const Hours& hours, std::optional<double> deadline_hours) {
  return !deadline_hours || hours.high <= *deadline_hours;
}

namespace {

/// Less is better; of equal dollars the fewer hours.
auto order_of(const RunCandidate& candidate, const PickRules& rules) {
  return std::tuple(ranked_usd(candidate, rules), candidate.hours.high, candidate.gpus);
}

bool beats(const RunCandidate& a, const RunCandidate& b) {
  if (a.hours.mid > b.hours.mid || a.hours.high > b.hours.high) return false;
  if (a.usd.mid > b.usd.mid || a.usd.high > b.usd.high) return false;
  const auto figures = [](const RunCandidate& one) {
    return std::tuple(one.hours.mid, one.hours.high, one.usd.mid, one.usd.high);
  };
  return figures(a) != figures(b) || a.gpus < b.gpus;
}

}  // namespace

MicroUsd ranked_usd(const UsdRange& usd, const PickRules& rules) {
  return rules.rank == kRankedByUpperEnd ? usd.high : usd.mid;
}

double ranked_hours(const Hours& hours, const PickRules& rules) {
  return rules.rank == kRankedByUpperEnd ? hours.high : hours.mid;
}

std::string ranked_words(const PickRules& rules) {
  return rules.rank == kRankedByUpperEnd ? "upper end of dollars" : "dollars";
}

MicroUsd ranked_usd(const RunCandidate& candidate, const PickRules& rules) {
  return ranked_usd(candidate.usd, rules);
}

bool rules_allow(const RunCandidate& candidate, const PickRules& rules,
                 std::optional<double> deadline_hours) {
  return meets(candidate.hours, deadline_hours) && (candidate.measured || !rules.measured) &&
         candidate.offers >= rules.min_offers;
}

double ranked_usd_to_own(const OwnPick& own, const PickRules& rules) {
  const double mid = to_usd(own.usd_per_run);
  return mid * ranked_hours(own.hours, rules) / own.hours.mid;
}

const RunCandidate* least_ranked(std::span<const RunCandidate* const> all, const PickRules& rules,
                                 std::optional<double> deadline_hours) {
  const RunCandidate* least = nullptr;
  for (const RunCandidate* one : all) {
    if (!rules_allow(*one, rules, deadline_hours)) continue;
    if (least == nullptr || order_of(*one, rules) < order_of(*least, rules)) least = one;
  }
  return least;
}

const RunCandidate* picked(std::span<const RunCandidate* const> all, const PickRules& rules,
                           std::optional<double> deadline_hours) {
  const RunCandidate* least = least_ranked(all, rules, deadline_hours);
  if (least == nullptr) return nullptr;
  const double within = to_usd(ranked_usd(*least, rules)) * (1 + rules.tie_share);
  std::vector<const RunCandidate*> able;
  for (const RunCandidate* one : all) {
    if (!rules_allow(*one, rules, deadline_hours)) continue;
    // What is faster by a larger batch is another run.
    const bool ties = to_usd(ranked_usd(*one, rules)) <= within;
    if (one == least || (ties && one->keeps_batch)) able.push_back(one);
  }
  return *std::ranges::min_element(able, {}, [&](const RunCandidate* one) {
    return std::tuple(one->old, one->hours.high, order_of(*one, rules));
  });
}

std::vector<RunCandidate> frontier(std::vector<RunCandidate> all) {
  std::vector<RunCandidate> kept;
  for (const RunCandidate& one : all) {
    const auto beaten = [&](const RunCandidate& other) { return beats(other, one); };
    if (std::ranges::none_of(all, beaten)) kept.push_back(one);
  }
  std::ranges::stable_sort(kept, std::greater<>(),
                           [](const RunCandidate& one) { return one.hours.high; });
  return kept;
}

}  // namespace sizesheet
