// SPDX-License-Identifier: Apache-2.0
// How many of very many like cases a run of the tests takes.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace sizesheet {

/// True for every `step`th case; for all with SIZESHEET_THOROUGH in the environment, and for a
/// fifth of them with SIZESHEET_SPARSE, for builds in which each takes long.
inline bool is_due(std::size_t number, std::size_t step) {
  constexpr std::size_t kSparse = 5;
  if (std::getenv("SIZESHEET_THOROUGH") != nullptr) return true;
  return number % (std::getenv("SIZESHEET_SPARSE") != nullptr ? kSparse * step : step) == 0;
}

/// A fifth of so many random cases with SIZESHEET_SPARSE, else all.
inline int trials_of(int many) {
  constexpr int kSparse = 5;
  return std::getenv("SIZESHEET_SPARSE") != nullptr ? (many + kSparse - 1) / kSparse : many;
}

}  // namespace sizesheet
