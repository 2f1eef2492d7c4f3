// SPDX-License-Identifier: Apache-2.0
// How candidates of a pick are ranked and compared.
#include "sheet/decision.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

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

double PickRules::weight() const {
  if (rank == kRankedByUpperEnd) return 1;
  return rank == kRankedByMiddle ? 0 : risk_weight;
}

std::string PickRules::planned_by() const {
  return rank == kRankedByUpperEnd ? kRankedByUpperEnd : kRankedByMiddle;
}

MicroUsd planned_usd(const UsdRange& usd, const PickRules& rules) {
  return rules.planned_by() == kRankedByUpperEnd ? usd.high : usd.mid;
}

double planned_hours(const Hours& hours, const PickRules& rules) {
  return rules.planned_by() == kRankedByUpperEnd ? hours.high : hours.mid;
}

MicroUsd ranked_usd(const UsdRange& usd, const PickRules& rules) {
  const double above = static_cast<double>(usd.high.value - usd.mid.value);
  return {usd.mid.value + std::llround(rules.weight() * above)};
}

double ranked_hours(const Hours& hours, const PickRules& rules) {
  return hours.mid + rules.weight() * (hours.high - hours.mid);
}

std::string ranked_words(const PickRules& rules) {
  if (rules.rank == kRankedByUpperEnd) return "upper end of dollars";
  return rules.rank == kRankedByMiddle ? "expected dollars" : "score";
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
  return to_usd(
      ranked_usd(UsdRange{own.usd_per_run_low, own.usd_per_run, own.usd_per_run_high}, rules));
}

SecondSource source_of(const RunCandidate& run) {
  return {run.provider,  run.gpu,        run.gpus,          run.hours.mid,
          run.usd.mid,   run.usd.low,    run.usd.high,      run.price_key,
          run.hours.low, run.hours.high, run.startup_share, run.certain};
}

bool is_hard_to_start(const RunCandidate& candidate) {
  const bool long_start = candidate.nodes > 1 && candidate.startup_share > kMostStartup;
  return long_start || (candidate.nodes > kManyNodes && candidate.hours.mid < kFewHours);
}

std::vector<const RunCandidate*> able_to_win(std::span<const RunCandidate* const> all,
                                             const PickRules& rules,
                                             std::optional<double> deadline_hours) {
  std::vector<const RunCandidate*> able;
  for (const RunCandidate* one : all) {
    if (rules_allow(*one, rules, deadline_hours)) able.push_back(one);
  }
  std::int64_t fewest_started = std::numeric_limits<std::int64_t>::max();
  for (const RunCandidate* one : able) {
    if (!is_hard_to_start(*one)) fewest_started = std::min(fewest_started, one->gpus);
  }
  std::erase_if(able, [&](const RunCandidate* one) {
    return is_hard_to_start(*one) && one->gpus > fewest_started;
  });
  return able;
}

const RunCandidate* least_ranked(std::span<const RunCandidate* const> all, const PickRules& rules,
                                 std::optional<double> deadline_hours) {
  const std::vector<const RunCandidate*> able = able_to_win(all, rules, deadline_hours);
  const auto least = std::ranges::min_element(
      able, {}, [&](const RunCandidate* one) { return order_of(*one, rules); });
  return least == able.end() ? nullptr : *least;
}

const RunCandidate* picked(std::span<const RunCandidate* const> all, const PickRules& rules,
                           std::optional<double> deadline_hours) {
  std::vector<const RunCandidate*> able = able_to_win(all, rules, deadline_hours);
  const RunCandidate* least = least_ranked(all, rules, deadline_hours);
  if (least == nullptr || rules.tie_share == 0) return least;
  const double within = to_usd(ranked_usd(*least, rules)) * (1 + rules.tie_share);
  // What is faster by a larger batch is another run.
  std::erase_if(able, [&](const RunCandidate* one) {
    const bool ties = to_usd(ranked_usd(*one, rules)) <= within && one->keeps_batch;
    return one != least && !ties;
  });
  return *std::ranges::min_element(able, {}, [&](const RunCandidate* one) {
    return std::tuple(one->hours.high, order_of(*one, rules));
  });
}

const RunCandidate* cheapest_on_average(std::span<const RunCandidate* const> all,
                                        const PickRules& rules,
                                        std::optional<double> deadline_hours) {
  const std::vector<const RunCandidate*> able = able_to_win(all, rules, deadline_hours);
  const auto least =
      std::ranges::min_element(able, {}, [](const RunCandidate* one) { return one->usd.mid; });
  return least == able.end() ? nullptr : *least;
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
