// SPDX-License-Identifier: Apache-2.0
// What would help a job that does not fit: every change that is not made yet, worked out again, and
// the bytes it saves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sizing/variation.h"

namespace sizesheet {

struct Lever {
  std::string id;
  std::string words;
  std::int64_t saved = 0;       ///< device bytes per GPU
  std::int64_t term_saved = 0;  ///< of the term it was asked for
  std::string verdict;          ///< of the job with the lever
};

/// Levers on `chosen` that save at least a hundredth of its bytes, most first. Those that leave
/// what is trained and where it stands come before those that do not (host memory, shorter
/// sequences, adapters in place of all weights). `term`: a name of kTermNames.
std::vector<Lever> levers(const Question& question, const Candidate& chosen,
                          const std::string& term);

/// The best of them: one that shrinks `term` if there is any. nullopt: nothing helps.
std::optional<Lever> best_lever(const Question& question, const Candidate& chosen,
                                const std::string& term);

}  // namespace sizesheet
