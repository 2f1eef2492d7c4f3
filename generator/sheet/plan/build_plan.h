// SPDX-License-Identifier: Apache-2.0
// From a sheet's demand to its plan.
#pragma once

#include <optional>

#include "sheet/plan.h"

namespace sizesheet {

struct Catalog;

struct SheetSpec;

/// The plan of a sheet that has a demand; nullopt for another. The same inputs give the same plan.
std::optional<SheetPlan> plan_of(const Catalog& catalog, const SheetSpec& spec, int jobs);

/// The same without what is asked of other plans: totals, pools, and where the runs go.
std::optional<SheetPlan> bare_plan_of(const Catalog& catalog, const SheetSpec& spec, int jobs);

}  // namespace sizesheet
