// SPDX-License-Identifier: Apache-2.0
#include "cost/plan/study.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "cost/plan/plan.h"
#include "support/error.h"
#include "support/money.h"

namespace sizesheet {
namespace {

constexpr double kScan[] = {1.1, 1.25, 1.5, 2, 3, 4};  // factors; falling ones are one over them
constexpr double kFlipAccuracy = 1.005;
constexpr MicroUsd kCent{10'000};
constexpr double kWider = 1.1;

using Change = std::function<PlanProblem(double)>;

MicroUsd times(MicroUsd usd, double factor) { return rounded_usd(to_usd(usd) * factor); }

PlanProblem with_rents(PlanProblem problem, double factor) {
  for (PlanWay& way : problem.ways) {
    if (is_by_the_hour(problem.pools[way.pool].kind)) {
      way.usd_per_run = times(way.usd_per_run, factor);
    }
  }
  for (PlanPool& pool : problem.pools) {
    const bool is_contract = pool.most_units == pool.least_units;
    if (pool.kind == PoolKind::kReserved && !is_contract) {
      pool.usd_per_unit_month = times(pool.usd_per_unit_month, factor);
    }
  }
  return problem;
}

PlanProblem with_demand(PlanProblem problem, double factor) {
  for (PlanJob& job : problem.jobs) {
    for (double& runs : job.runs) runs *= factor;
  }
  return problem;
}

PlanProblem with_runs(PlanProblem problem, const PlanDemandCase& demand) {
  if (demand.runs.size() != problem.jobs.size()) {
    throw InputError("plan: demand case " + demand.id + ": expected runs of each job");
  }
  for (std::size_t job = 0; job < problem.jobs.size(); ++job) {
    problem.jobs[job].runs = demand.runs[job];
  }
  return problem;
}

CapacityPlan all_rented(PlanProblem problem) {
  const std::vector<std::int64_t> units = least_units(problem);
  for (PlanPool& pool : problem.pools) pool.connected_units = 0;
  return solve_with_units(problem, units);
}

CapacityPlan all_owned(PlanProblem problem, const PlanOptions& options) {
  for (PlanPool& pool : problem.pools) {
    if (is_by_the_hour(pool.kind)) pool.from_month = pool.until_month = 0;
  }
  return solve(problem, options);
}

/// The plan that replaces `held` after a change; none while no other units cost less.
class FlipSearch {
 public:
  FlipSearch(const CapacityPlan& held, const Change& change, const PlanOptions& options)
      : held_(held), change_(change), options_(options) {}

  /// The factor, and the plan from there on.
  std::optional<std::pair<double, CapacityPlan>> first(bool rising) const {
    double same = 1;
    for (const double step : kScan) {
      const double factor = rising ? step : 1 / step;
      if (const auto other = replacement(factor)) return narrowed(same, factor, *other);
      same = factor;
    }
    return std::nullopt;
  }

 private:
  /// Whether these units cost less than those that are held.
  bool beat(const CapacityPlan& other, const PlanProblem& problem) const {
    const CapacityPlan same = solve_with_units(problem, held_.units);
    return other.found() && (!same.found() || other.total() + kCent < same.total());
  }

  std::optional<CapacityPlan> replacement(double factor) const {
    const PlanProblem problem = change_(factor);
    CapacityPlan best = solve(problem, options_);
    const bool proven = best.status == PlanStatus::kOptimal;
    return proven && beat(best, problem) ? std::optional(std::move(best)) : std::nullopt;
  }

  std::pair<double, CapacityPlan> narrowed(double same, double other, CapacityPlan plan) const {
    while (std::max(same, other) / std::min(same, other) > kFlipAccuracy) {
      const double middle = std::sqrt(same * other);
      // Often what is known to be better beyond is better here: no search then.
      const PlanProblem problem = change_(middle);
      std::optional<CapacityPlan> found = solve_with_units(problem, plan.units);
      if (!beat(*found, problem)) found = replacement(middle);
      if (found) {
        other = middle;
        plan = *std::move(found);
      } else {
        same = middle;
      }
    }
    if (auto best = replacement(other)) plan = *std::move(best);
    return {other, std::move(plan)};
  }

  const CapacityPlan& held_;
  const Change& change_;
  const PlanOptions& options_;
};

/// A search for flips, or of what each deadline costs, solves the problem some hundred times.
/// Beyond so many kinds of runs times months that takes minutes.
bool is_large(const PlanProblem& problem) {
  constexpr std::size_t kMostRunMonths = 200;
  return problem.jobs.size() * static_cast<std::size_t>(problem.months) > kMostRunMonths;
}

std::vector<PlanVariation> flips(const PlanStudyQuestion& question, const CapacityPlan& plan) {
  std::vector<PlanVariation> all;
  if (plan.status != PlanStatus::kOptimal) return all;
  for (const bool of_rents : {true, false}) {
    const Change change = [&](double factor) {
      return of_rents ? with_rents(question.problem, factor)
                      : with_demand(question.problem, factor);
    };
    for (const bool rising : {true, false}) {
      auto flip = FlipSearch(plan, change, question.options).first(rising);
      if (!flip) continue;
      auto& [factor, other] = *flip;
      all.push_back({of_rents ? factor : 1, of_rents ? 1 : factor, std::move(other)});
    }
  }
  return all;
}

std::vector<PlanLimitValue> limit_values(const PlanStudyQuestion& question,
                                         const CapacityPlan& plan) {
  const PlanLimits& limits = question.problem.limits;
  const auto saved_by = [&](const PlanProblem& problem) {
    const CapacityPlan other = solve(problem, question.options);
    return other.found() ? std::max(MicroUsd{}, plan.total() - other.total()) : MicroUsd{};
  };
  const auto saved = [&](const PlanLimits& eased) {
    PlanProblem problem = question.problem;
    problem.limits = eased;
    return saved_by(problem);
  };
  const auto saved_within = [&](std::size_t job, double of_deadline) {
    PlanProblem problem = question.problem;
    for (const LateWay& late : question.late_ways) {
      if (late.way.job == job && late.of_deadline <= of_deadline) problem.ways.push_back(late.way);
    }
    const bool same = problem.ways.size() == question.problem.ways.size();
    return same ? MicroUsd{} : saved_by(problem);
  };
  std::vector<PlanLimitValue> values;
  if (limits.budget) {
    const PlanLimits wider{times(*limits.budget, kWider), limits.kw};
    values.push_back({PlanLimit::kBudget, 0, saved(wider), saved({std::nullopt, limits.kw})});
  }
  if (limits.kw) {
    const PlanLimits wider{limits.budget, *limits.kw * kWider};
    values.push_back({PlanLimit::kPower, 0, saved(wider), saved({limits.budget, std::nullopt})});
  }
  for (std::size_t job = 0; job < question.problem.jobs.size() && !is_large(question.problem);
       ++job) {
    constexpr double kNone = std::numeric_limits<double>::max();
    const MicroUsd without = saved_within(job, kNone);
    if (without == MicroUsd{}) continue;
    values.push_back({PlanLimit::kDeadline, job, saved_within(job, kWider), without});
  }
  return values;
}

std::vector<PlanRegret> regrets(const PlanStudyQuestion& question) {
  std::vector<PlanProblem> cases;
  std::vector<PlanRegret> all;
  for (const PlanDemandCase& demand : question.demands) {
    cases.push_back(with_runs(question.problem, demand));
    all.push_back({solve(cases.back(), question.options), {}});
  }
  for (PlanRegret& one : all) {
    for (std::size_t other = 0; other < cases.size(); ++other) {
      one.usd.emplace_back();
      if (!one.plan.found() || !all[other].plan.found()) continue;
      const CapacityPlan held = solve_with_units(cases[other], one.plan.units);
      if (held.found()) one.usd.back() = held.total() - all[other].plan.total();
    }
  }
  return all;
}

}  // namespace

PlanStudy study(const PlanStudyQuestion& question) {
  const PlanProblem& problem = question.problem;
  PlanStudy study;
  study.plan = solve(problem, question.options);
  if (!study.plan.found()) return study;
  study.all_rented = all_rented(problem);
  study.all_owned = all_owned(problem, question.options);
  study.nothing_new = solve_with_units(problem, least_units(problem));
  for (const double demand : {0.5, 2.0}) {
    study.variations.push_back({1, demand, solve(with_demand(problem, demand), question.options)});
  }
  for (const double rents : {0.8, 1.2}) {
    study.variations.push_back({rents, 1, solve(with_rents(problem, rents), question.options)});
  }
  study.narrowed = is_large(problem);
  if (!study.narrowed) study.flips = flips(question, study.plan);
  study.limits = limit_values(question, study.plan);
  study.regrets = regrets(question);
  const auto held_at = [&](const std::vector<PlanWay>& ways) -> std::optional<CapacityPlan> {
    if (ways.empty()) return std::nullopt;
    PlanProblem other = problem;
    other.ways = ways;
    return solve_with_units(other, study.plan.units);
  };
  study.upper = held_at(question.upper_ways);
  study.middle = held_at(question.middle_ways);
  return study;
}

}  // namespace sizesheet
