// SPDX-License-Identifier: Apache-2.0
// A job on one layout against its card; and how many GPUs, spread how: the layouts that are
// possible, the best of a count, the smallest count that holds, the smallest that can be rented,
// and what binds before it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sizing/memory/verdict.h"
#include "sizing/search/candidate.h"
#include "sizing/time/throughput.h"

namespace sizesheet {

struct Question;

// ---- The best layout on a given number of GPUs: every combination of parallel dimensions that the
// rules allow, least splitting first.

/// A layout that fits, and how fast it is.
struct Timed {
  Candidate candidate;
  Throughput speed;
  std::optional<Hours> hours;  ///< absent where the length of the run is not known
};

// ---- The smallest count of GPUs that holds, and what binds before it.

struct Plan {
  Candidate chosen;                       ///< `rentable`, else `tight`, else the least device bytes
  std::optional<std::int64_t> by_memory;  ///< smallest n whose best layout fits or is tight
  std::optional<std::int64_t> tight;      ///< smallest rentable n that fits or is tight
  std::optional<std::int64_t> rentable;   ///< smallest rentable n that fits
  std::int64_t limit = 0;                 ///< largest count searched; 0 without a GPU
  std::vector<CountCheck> counts;         ///< rentable counts up to the answer
  std::optional<CountCheck> fewer;        ///< the rentable count before the answer
  std::optional<Candidate> before;        ///< its best layout
  std::string fingerprint;                ///< where the next smaller count would fail
};

/// Best layout on n GPUs, see LayoutSearch::best.
std::optional<Candidate> best_layout(const Question& question, std::int64_t gpus);
/// The fastest that fits; the best where none does.
std::optional<Candidate> fastest_or_best(const Question& question, std::int64_t gpus);

/// Searches what neither request nor stack pins. With a full layout it evaluates that one. Where
/// the objective is time, the fastest layout of the count is chosen.
Plan search_counts(const Question& question);

/// The fastest layout of every count from the plan's on; none where nothing fits, or where no speed
/// is known.
std::vector<Timed> fastest_by_count(const Question& question, const Plan& plan);

/// Smallest count up to `most`, of those the request allows, that fits.
std::optional<std::int64_t> smallest_that_fits(const Question& question, std::int64_t most);

/// Smallest count >= the plan's, of those the request allows, that fits and whose run ends within
/// the deadline; nullopt if none does.
std::optional<std::int64_t> deadline_count(const Question& question, const Plan& plan,
                                           double deadline_hours);

/// Smallest count >= the plan's, of those the request allows, that fits with 30 % headroom (or the
/// request's, where that is more).
std::optional<std::int64_t> comfortable_count(const Question& question, const Plan& plan);

}  // namespace sizesheet
