// SPDX-License-Identifier: Apache-2.0
// Runs on spot by a rate of interruptions: the sheet's rule, the rate of an offer, and what a run
// comes to.
#pragma once

#include <optional>
#include <string>

#include "cost/spot_cost.h"
#include "support/described.h"

namespace sizesheet {

/// How often an instance on spot is taken back.
struct SpotRate {
  std::string id;       ///< of a class of sellers in the catalog; "sheet" for the sheet's own
  double per_hour = 0;  ///< of one instance
  double low = 0;       ///< likewise
  double high = 0;      ///< likewise
  std::string basis;    ///< source | part-assumption | assumption
  std::string source;
  std::string date;  ///< "" of the sheet's own

  static constexpr bool kMayLack = true;
};
BOOST_DESCRIBE_STRUCT(SpotRate, (), (id, per_hour, low, high, basis, source, date))

/// A sheet's rule in the place of a flat share of the hours.
struct SpotRule {
  std::optional<SpotRate> rate;  ///< of all offers; absent: the catalog's, by class of seller
  double checkpoint_hours = 0;   ///< from one checkpoint to the next
  std::string checkpoint_basis;  ///< "choice" of the sheet, else the basis of the catalog's hours
  std::string checkpoint_source;

  static constexpr bool kMayLack = true;
};
BOOST_DESCRIBE_STRUCT(SpotRule, (), (rate, checkpoint_hours, checkpoint_basis, checkpoint_source))

/// What is expected of a run on spot under such a rule.
struct SpotLine {
  std::string rate;                   ///< id of the SpotRate
  double interruptions_per_hour = 0;  ///< of one instance
  double checkpoint_hours = 0;
  double restart_hours = 0;  ///< the start of the run, once more
  double hours_lost_each = 0;
  std::optional<double> hours;          ///< paid, rounded to 0.0001 h; absent: it hardly ends
  std::optional<double> interruptions;  ///< in those hours

  static constexpr bool kMayLack = true;
};
BOOST_DESCRIBE_STRUCT(SpotLine, (),
                      (rate, interruptions_per_hour, checkpoint_hours, restart_hours,
                       hours_lost_each, hours, interruptions))

}  // namespace sizesheet
