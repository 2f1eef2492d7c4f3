// SPDX-License-Identifier: Apache-2.0
// Runs that a team measured itself, and what they say about estimates of the same kind of run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/described.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct IntervalFacts;

/// The file of a catalog that has them: a source of measurements like others, but never published.
inline constexpr const char* kTeamRuns = "team-runs";
inline constexpr const char* kTeamRunsFile = "measured/team-runs.json";

/// A measured figure beside the estimate for the same request, which no run had corrected.
struct TeamRun {
  std::string id;
  std::string stack;  ///< "" for none
  std::string gpu;
  std::string kind;       ///< of a MethodKind
  std::string spread;     ///< as IntervalFacts calls it
  std::string optimizer;  ///< id
  bool routed = false;    ///< a mixture of experts
  bool fp8 = false;
  double ln_ratio = 0;     ///< natural logarithm of measured over estimated
  std::int64_t bytes = 0;  ///< measured less estimated; 0 for a speed
};
BOOST_DESCRIBE_STRUCT(TeamRun, (),
                      (id, stack, gpu, kind, spread, optimizer, routed, fp8, ln_ratio, bytes))

/// How runs of the same stack, GPU type and kind of method move an estimate.
///
/// With n runs (one with another optimizer counts kOtherOptimizer) the estimate moves by the share
/// n / (n + kPriorRuns) of their median difference: one run moves it by a third, ten by five
/// sixths. The range is that of a normal distribution with an unknown middle and an unknown spread,
/// where the range without runs counts as kPriorRuns and kPriorSpreadRuns runs.
struct TeamCorrection {
  static constexpr double kPriorRuns = 2;
  static constexpr double kPriorSpreadRuns = 4;
  static constexpr double kOtherOptimizer = 0.1;

  std::int64_t runs = 0;    ///< that say something; 0: nothing is corrected
  double ln_factor = 0;     ///< of the estimate, as a logarithm
  double bytes = 0;         ///< that are added to it
  double near_runs = 0;     ///< of the same spread over GPUs as well: the range rests on these
  double near_squares = 0;  ///< sum of their squared logarithms from the median

  /// The logarithm of one end of the range, without its sign, around the corrected estimate.
  double narrowed(double ln_end) const;
};

/// What a run is compared by.
IntervalFacts facts_of(const TeamRun& run);

TeamCorrection team_correction(const std::vector<TeamRun>& runs, const IntervalFacts& facts);

/// As an edition keeps it, and back.
Json as_json(const TeamRun& run);
TeamRun read_team_run(ObjectReader& reader);

}  // namespace sizesheet
