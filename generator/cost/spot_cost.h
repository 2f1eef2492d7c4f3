// SPDX-License-Identifier: Apache-2.0
// What a run costs on spot: the seller takes instances back, and the run goes on from its last
// checkpoint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cost/cost_line.h"
#include "cost/rent.h"
#include "support/money.h"

namespace sizesheet {

/// What the expected hours of a run on spot follow from.
struct SpotTerms {
  double hours = 0;                   ///< of the run without interruptions
  double interruptions_per_hour = 0;  ///< of one instance
  std::int64_t instances = 1;         ///< one that is taken stops the whole run
  double checkpoint_hours = 0;        ///< from one checkpoint to the next
  double restart_hours = 0;           ///< until a stopped run trains again
};

/// A run that loses more of its paid hours than this has no price on spot.
inline constexpr double kMostLostOnSpot = 0.9;

/// What is expected of a run on spot.
struct SpotRun {
  double hours = 0;            ///< paid
  double interruptions = 0;    ///< in these hours
  double hours_lost_each = 0;  ///< half of the work between two checkpoints, and the restart
};

/// hours / (1 − rate × instances × (min(checkpoint, hours) / 2 + restart)): what is done again may
/// be interrupted as well. nullopt where that loses more than kMostLostOnSpot. Throws
/// std::invalid_argument for a term below 0, and for no instance.
std::optional<SpotRun> spot_run(const SpotTerms& terms);

/// The expected hours with their formulas; nullopt where there is no such run.
std::optional<QuantityLine> explain_spot_hours(const SpotTerms& terms, const std::string& source);

/// The dollars of so many hours, with the formula.
CostLine explain_spot_cost(MicroUsd usd_per_hour, HoursTenThousandths hours,
                           const std::string& source);

}  // namespace sizesheet
