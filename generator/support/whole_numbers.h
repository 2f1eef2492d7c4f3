// SPDX-License-Identifier: Apache-2.0
// Counts as floating numbers, and bytes as whole ones.
#pragma once

#include <boost/container/static_vector.hpp>
#include <cstdint>

namespace sizesheet {

inline double as_double(std::int64_t count) { return static_cast<double>(count); }

/// Halves go up.
inline std::int64_t whole_bytes(double bytes) {
  const double up = bytes + 0.5;
  const auto cut = static_cast<std::int64_t>(up);
  return static_cast<double>(cut) > up ? cut - 1 : cut;
}

}  // namespace sizesheet
