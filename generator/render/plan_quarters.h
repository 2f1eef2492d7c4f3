// SPDX-License-Identifier: Apache-2.0
// What the quarters of a plan cost.
#pragma once

#include <vector>

#include "support/money.h"

namespace sizesheet {

struct SheetPlan;

struct PlanQuarter {
  MicroUsd usd;          ///< charges: rent, energy, and the monthly charges of machines
  MicroUsd ordered_usd;  ///< the price of the machines that are ordered in it
};

/// From the first month on; the last one may be shorter.
std::vector<PlanQuarter> quarters_of(const SheetPlan& plan);

}  // namespace sizesheet
