// SPDX-License-Identifier: Apache-2.0
// The workload of a request, read into a Job: sequences, tokens, and how samples fill batches.
#pragma once

#include <optional>

#include "support/json.h"

namespace sizesheet {

struct Job;

/// Once kernels are known.
/// `generates`: the request has a `grpo` object.
void read_workload(std::optional<ObjectReader> reader, bool generates, Job& job);

}  // namespace sizesheet
