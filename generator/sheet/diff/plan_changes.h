// SPDX-License-Identifier: Apache-2.0
// How the plans of two editions differ, and which group of inputs moved what: each is a plan of its
// own, found again.
#pragma once

#include <optional>
#include <vector>

#include "support/json.h"

namespace sizesheet {

struct ChangeThresholds;
struct Edition;
struct PlanCause;
struct PlanChange;

/// How the plans of two editions differ; nullopt where that is less than the thresholds. No causes.
/// OLD under NEW's names.
std::optional<PlanChange> plan_change(const Edition& old_edition, const Edition& new_edition,
                                      const ChangeThresholds& thresholds);

/// What each group of inputs did to the plan: OLD's is made again with this engine, then groups of
/// NEW's inputs take their places one after the other, the demand last. Both inputs under NEW's
/// names. Throws InputError.
std::vector<PlanCause> plan_causes(const Edition& old_edition, const Edition& new_edition,
                                   const Json& old_inputs, const Json& new_inputs, int jobs);

}  // namespace sizesheet
