// SPDX-License-Identifier: Apache-2.0
// From a sheet's demand to its plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "catalog/catalog.h"
#include "cost/plan/plan.h"
#include "sheet/plan/plan.h"
#include "support/json.h"

namespace sizesheet {

struct SheetSpec;

/// Reads `plan` of a specification, whose other keys are read already; nullopt for one without.
/// Faults are recorded.
std::optional<PlanDemand> read_plan_demand(std::optional<ObjectReader> given, const SheetSpec& spec,
                                           const Catalog& catalog);

/// A demand as the solver takes it, and what its answer is told with.
struct PlanTask {
  using RunOn = std::tuple<std::size_t, std::string, std::int64_t>;  ///< kind, GPU type, GPUs

  PlanStudyQuestion question;
  std::map<RunOn, PlanSetUp> set_ups;
  std::vector<PlanPoolLine> pools;      ///< beside those of the problem
  std::vector<std::string> price_keys;  ///< beside its ways; "" but by the hour
};

/// Every kind of run in every pool that it can be in: by the hour where it is least by the
/// statistic that the sheet's picks minimise, on machines and reserved instances in the layouts
/// that take the fewest GPU-hours. Hours and dollars of runs are that figure of their ranges, so
/// that a lower price never raises what a plan comes to. `jobs`: threads.
PlanTask plan_task(const Catalog& catalog, const SheetSpec& spec, int jobs);

/// The plan of a sheet that has a demand; nullopt for another. The same inputs give the same plan.
std::optional<SheetPlan> plan_of(const Catalog& catalog, const SheetSpec& spec, int jobs);

/// The same without what is asked of other plans: totals, pools, and where the runs go.
std::optional<SheetPlan> bare_plan_of(const Catalog& catalog, const SheetSpec& spec, int jobs);

}  // namespace sizesheet
