// SPDX-License-Identifier: Apache-2.0
// `plan` of a sheet's specification.
#pragma once

#include <optional>

#include "sheet/plan.h"
#include "support/json.h"

namespace sizesheet {

struct Catalog;
struct SheetSpec;

/// Reads `plan` of a specification, whose other keys are read already; nullopt for one without.
/// Faults are recorded.
std::optional<PlanDemand> read_plan_demand(std::optional<ObjectReader> given, const SheetSpec& spec,
                                           const Catalog& catalog);

}  // namespace sizesheet
