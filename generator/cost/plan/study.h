// SPDX-License-Identifier: Apache-2.0
// What a plan would cost otherwise, when it changes, and how wrong it can be.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cost/plan/plan.h"
#include "support/money.h"

namespace sizesheet {

/// Another demand: the same jobs, pools and ways.
struct PlanDemandCase {
  std::string id;
  std::vector<std::vector<double>> runs;  ///< by job and month
};

/// A way that its job's deadline bars.
struct LateWay {
  PlanWay way;
  double of_deadline = 0;  ///< its hours over the deadline, above 1
};

struct PlanStudyQuestion {
  PlanProblem problem;
  std::vector<LateWay> late_ways;
  std::vector<PlanDemandCase> demands;
  /// The problem's ways with hours and dollars at the upper ends of their ranges, and in the
  /// middle, one for each; or none.
  std::vector<PlanWay> upper_ways;
  std::vector<PlanWay> middle_ways;
  PlanOptions options;  ///< of each solving; a study solves some sixty times
};

/// The plan of a changed market or demand, from scratch.
struct PlanVariation {
  double rents = 1;  ///< factor of what has no contract yet: hours, and reservations
  double demand = 1;
  CapacityPlan plan;
};

/// What a limit costs, by what the plan saves where it is wider.
struct PlanLimitValue {
  PlanLimit limit = PlanLimit::kBudget;
  std::size_t job = 0;   ///< of a deadline
  MicroUsd wider_usd;    ///< with 10 % more of it
  MicroUsd without_usd;  ///< with none
};

struct PlanRegret {
  CapacityPlan plan;  ///< of the case
  /// What its units cost under each case beyond that case's own plan, below 0 only where that has a
  /// gap; absent where the runs do not all go, or one of the plans is missing.
  std::vector<std::optional<MicroUsd>> usd;
};

struct PlanStudy {
  CapacityPlan plan;
  /// The problem is so large that `flips` and what each deadline costs were not searched for.
  bool narrowed = false;
  /// Every run by the hour; what is there already or in a contract stands idle and is paid.
  CapacityPlan all_rented;
  /// Nothing by the hour: machines and reservations.
  CapacityPlan all_owned;
  /// No unit beyond the least of each pool: what is there is used, the rest is rented.
  CapacityPlan nothing_new;
  std::vector<PlanVariation> variations;  ///< half and twice the demand; rents at 0.8 and at 1.2
  /// The least changes after which other units cost less by more than a cent, found to 0.5 %: rents
  /// rising and falling, then the demand; none of what changes nothing between a quarter and four
  /// times. Empty where the plan is not proven: its units then say little.
  std::vector<PlanVariation> flips;
  std::vector<PlanLimitValue>
      limits;                       ///< of those that there are; of deadlines that cost something
  std::vector<PlanRegret> regrets;  ///< by case
  /// The plan's units at the upper ends, and in the middle; infeasible where the runs then do not
  /// go.
  std::optional<CapacityPlan> upper;
  std::optional<CapacityPlan> middle;
};

/// Where the plan itself is not found, the study has nothing but it. Throws as solve() does.
PlanStudy study(const PlanStudyQuestion& question);

}  // namespace sizesheet
