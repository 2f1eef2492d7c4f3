// SPDX-License-Identifier: Apache-2.0
// The smallest count of GPUs that holds a job, of all whole numbers.
#pragma once

#include <cstdint>
#include <optional>

#include "sizing/layout_search.h"

namespace sizesheet {

/// From `from` to `most` GPUs, the first count on which some layout fits or is tight. Not every
/// count is looked at: a layout that fails tells by how much its data parallelism has to grow.
std::optional<std::int64_t> least_count(const Question& question, LayoutSearch& search,
                                        std::int64_t from, std::int64_t most);

}  // namespace sizesheet
