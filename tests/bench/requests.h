// SPDX-License-Identifier: Apache-2.0
// Distinct random requests for the benchmarks, by the shape of their models. The same ones in every
// run; each is one that the program answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "catalog/models/architecture.h"
#include "sizing/request/question.h"
#include "support/json.h"

namespace sizesheet {

/// What the blocks of a model are made of. A hybrid has Mamba blocks, with experts or without.
enum class Shape { kDense, kMoe, kHybrid };

Shape shape_of_model(const Architecture& model);

/// Requests that fix every parallel dimension, on `gpus` GPUs in all.
std::vector<Json> requests_with_layout(Shape shape, std::int64_t gpus, std::size_t count);

/// Requests that name a GPU and leave the count and the layout to the search; every second one
/// leaves to a stack what it decides.
std::vector<Json> requests_to_search(Shape shape, std::size_t count);

/// By the project's catalog and today's constants. Throws InputError with the faults.
Question question_from(const Json& request);

}  // namespace sizesheet
