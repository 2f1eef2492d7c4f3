// SPDX-License-Identifier: Apache-2.0
// Work on many items at once with results that do not depend on the number of jobs.
#pragma once

#include <cstddef>
#include <functional>

namespace sizesheet {

/// Calls `work(i)` for every i in [0, count), on `jobs` threads; rethrows the exception of the
/// lowest i.
void for_each_index(std::size_t count, int jobs, const std::function<void(std::size_t)>& work);

/// Number of jobs when the user names none: the machine's, at least 1.
int default_jobs();

}  // namespace sizesheet
