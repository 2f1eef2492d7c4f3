// SPDX-License-Identifier: Apache-2.0
// A team's own runs against the estimate without them, and against the estimate that its other runs
// correct.
#pragma once

#include "evidence/accuracy.h"

namespace sizesheet {

struct Catalog;

/// `plain` is the catalog whose estimates nothing corrects. nullopt without a run that is compared.
std::optional<TeamAccuracy> team_accuracy(const Catalog& plain);

}  // namespace sizesheet
