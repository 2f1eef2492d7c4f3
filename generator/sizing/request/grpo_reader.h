// SPDX-License-Identifier: Apache-2.0
// The `grpo` of a request: what is generated and where, what scores it and what a step of it runs,
// checked against the model, the card and the workload.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

struct Gpu;
struct Job;
struct JobBasis;
struct MethodKeys;
struct RunKeys;
struct WorkloadKeys;

/// The workload with what generates it, which sets the trained sequence and the batch.
RunKeys read_grpo(ObjectReader& request, const JobBasis& basis, const MethodKeys& method,
                  const WorkloadKeys& workload);

/// Whether the engine of the job can be split and started.
void check_grpo(ObjectReader& request, const Gpu* gpu, const Job& job);
/// Why the dollars of such a run are not known; "" where they are.
std::string money_fault(const RunKeys& run);

}  // namespace sizesheet
