// SPDX-License-Identifier: Apache-2.0
// What a job can be run as beside its pick.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheet/decision.h"

namespace sizesheet {

struct Pick;
struct Row;
struct Sheet;

/// A run is offered as faster only within this multiple of the pick's expected dollars.
inline constexpr double kFasterUpTo = 1.5;
/// And only where it takes at most this share of the pick's expected hours: less is not worth a
/// change.
inline constexpr double kFasterBelow = 2.0 / 3;

/// The fewest GPUs of a type are told up to so many: few people can order more.
inline constexpr std::int64_t kMostToldGpus = 64;

/// What a model and method are rented as, and other answers to the same question. Absent where
/// there is none.
struct JobOptions {
  const RunCandidate* pick = nullptr;
  const SecondSource* second = nullptr;   ///< another seller
  const RunCandidate* faster = nullptr;   ///< the cheapest that is much faster
  const RunCandidate* cheaper = nullptr;  ///< lower expected dollars, at a wider range
};
JobOptions job_options(const Sheet& sheet, const Pick& pick);

/// The rows of a model and method in the main scenario, in the order of the GPU types.
std::vector<const Row*> job_rows(const Sheet& sheet, const std::string& model,
                                 const std::string& method);

/// Whether some published speed of the method is of the second source's GPU type.
bool is_measured(const Sheet& sheet, const Pick& pick, const SecondSource& second);

/// "8 × H100, used": all GPUs of the machines.
std::string machine_set_up(const Sheet& sheet, const OwnPick& own);

}  // namespace sizesheet
