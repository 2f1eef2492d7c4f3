// SPDX-License-Identifier: Apache-2.0
// A sheet's demand as a problem: what each kind of run takes on each GPU type, the pools that the
// catalog's prices and machines make, and which run can be where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "cost/plan/study.h"
#include "sheet/plan.h"

namespace sizesheet {

struct Catalog;
struct SheetSpec;

/// A demand as the solver takes it, and what its answer is told with.
struct PlanTask {
  using RunOn = std::tuple<std::size_t, std::string, std::int64_t>;  ///< kind, GPU type, GPUs

  PlanStudyQuestion question;
  std::map<RunOn, PlanSetUp> set_ups;
  std::vector<PlanPoolLine> pools;      ///< beside those of the problem
  std::vector<PlanLeftOut> left_out;    ///< machines on sale that are no pools
  std::vector<std::string> price_keys;  ///< beside its ways; "" but by the hour
};

/// Every kind of run in every pool that it can be in: by the hour where it is least by the
/// statistic that the sheet's picks minimise, on machines and reserved instances in the layouts
/// that take the fewest GPU-hours. Hours and dollars of runs are that figure of their ranges, so
/// that a lower price never raises what a plan comes to. `jobs`: threads.
PlanTask plan_task(const Catalog& catalog, const SheetSpec& spec, int jobs);

}  // namespace sizesheet
