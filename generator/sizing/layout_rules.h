// SPDX-License-Identifier: Apache-2.0
// Which layouts exist: divisibility and placement rules, each named in its error with the nearest
// valid value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/model.h"

namespace sizesheet {

struct Question;

/// Why tensor parallelism of this degree cannot be, or "".
std::string tensor_parallel_fault(const Question& question, std::int64_t tp);

/// Degrees of tensor parallelism the search may use on n GPUs, ascending.
std::vector<std::int64_t> tensor_parallel_degrees(const Question& question, std::int64_t gpus);

/// "(nearest: 4, 8)" among the divisors of `whole` around `wanted`.
std::string nearest_divisors(std::int64_t whole, std::int64_t wanted);

}  // namespace sizesheet
