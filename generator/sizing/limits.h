// SPDX-License-Identifier: Apache-2.0
// How far a layout carries: the largest micro-batch and the longest sequence that still fit, and
// from which length on its number of GPUs no longer does.
#pragma once

#include <cstdint>
#include <optional>

#include "sizing/search.h"

namespace sizesheet {

/// Each by memory alone, with the headroom of the request. Absent: nothing fits, or all that a
/// request may ask for does.
struct Limits {
  std::optional<std::int64_t> micro_batch;
  std::optional<std::int64_t> micro_batch_power_of_two;
  /// Divisible as the layout asks: by tp, and by 2 cp.
  std::optional<std::int64_t> seq_len;
  bool seq_len_beyond_positions = false;  ///< longer than the model was built for
  /// The smallest multiple of 1,024 at which no layout on this count fits.
  std::optional<std::int64_t> next_count_seq_len;
};

/// For the layout of `chosen`; the question must name a GPU.
Limits limits_of(const Question& question, const Candidate& chosen);

/// Without `next_count_seq_len`, which takes a search at every length it looks at.
Limits layout_limits(const Question& question, const Candidate& chosen);

/// What the layout's splits ask of a sequence: a multiple of this many tokens.
std::int64_t seq_len_step(const Layout& layout);

}  // namespace sizesheet
