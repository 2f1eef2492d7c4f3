// SPDX-License-Identifier: Apache-2.0
// Owning one machine against renting another: from how many runs a month the owned one costs less.
#pragma once

#include <optional>
#include <vector>

#include "cost/cost_line.h"
#include "support/money.h"

namespace sizesheet {

/// An owned machine as a line over its hours, and one run of a job on it.
struct OwnedMachine {
  MicroUsd fixed_usd_per_month;     ///< own cost at zero hours
  MicroUsd full_use_usd_per_month;  ///< own cost at every hour of the month
  double hours_per_month = 730;
  double hours_per_run = 0;
};

struct RunBreakEven {
  double runs_per_month = 0;
  double hours_per_month = 0;  ///< of the owned machine, for those runs
};

/// Where the machine's month costs what the same runs cost elsewhere, at `rent_usd_per_run` each.
/// Absent when more runs never pay, or when those that would do not fit into the month.
std::optional<RunBreakEven> run_break_even(const OwnedMachine& machine, MicroUsd rent_usd_per_run);

/// Both figures with their formulas; empty where there is no break-even.
std::vector<QuantityLine> explain_run_break_even(const OwnedMachine& machine,
                                                 MicroUsd rent_usd_per_run);

}  // namespace sizesheet
