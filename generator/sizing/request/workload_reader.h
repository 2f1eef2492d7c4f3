// SPDX-License-Identifier: Apache-2.0
// The workload of a request: sequences, tokens, and how samples fill batches.
#pragma once

#include <optional>

#include "support/json.h"

namespace sizesheet {

struct JobBasis;
struct KernelKeys;
struct ReadMethod;
struct WorkloadKeys;

/// `generates`: the request has a `grpo` object.
WorkloadKeys read_workload(std::optional<ObjectReader> reader, bool generates,
                           const JobBasis& basis, const ReadMethod& method,
                           const KernelKeys& kernels);

}  // namespace sizesheet
