// SPDX-License-Identifier: Apache-2.0
// The smallest count of GPUs on which some layout stays within so many bytes, of all whole numbers
// or of those that can be rented.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sizing/layout_search.h"

namespace sizesheet {

/// What is asked of the counts `from` … `to`.
struct Sought {
  std::int64_t room = 0;  ///< bytes of the card that a layout may take
  std::int64_t from = 1;
  std::int64_t to = 1;
  std::span<const std::int64_t> rentable;  ///< only these, in ascending order; empty: every count
};

/// The first of the counts on which some layout stays within the room. Not every count is looked
/// at: a layout that needs more tells by how much its data parallelism has to grow.
std::optional<std::int64_t> least_count(const Question& question, LayoutSearch& search,
                                        const Sought& sought);

}  // namespace sizesheet
