// SPDX-License-Identifier: Apache-2.0
// Counters that the benchmarks share. Times are in seconds.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>

namespace sizesheet {

/// Seconds an item, where each iteration goes through `items` of them.
inline benchmark::Counter seconds_each(std::size_t items) {
  return {static_cast<double>(items),
          benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert};
}

/// Items a second, where each iteration goes through `items` of them.
inline benchmark::Counter each_second(std::size_t items) {
  return {static_cast<double>(items), benchmark::Counter::kIsIterationInvariantRate};
}

}  // namespace sizesheet
