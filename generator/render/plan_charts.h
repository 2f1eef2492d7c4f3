// SPDX-License-Identifier: Apache-2.0
// Charts of the plan: what its months cost, and what its places are used for.
#pragma once

#include "sheet/plan.h"

namespace sizesheet {

struct Chart;
struct Sheet;

/// What each month of the plan costs, by what is paid for.
Chart plan_months_chart(const SheetPlan& plan);

/// GPU-hours in each place of the plan by kind of run, with those that machines and reservations
/// have; kinds beyond the first four together.
Chart plan_use_chart(const Sheet& sheet, const SheetPlan& plan);

}  // namespace sizesheet
