// SPDX-License-Identifier: Apache-2.0
// The `grpo` of a request: what is generated and where, what scores it and what a step of it runs,
// checked against the model, the card and the workload.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

struct Catalog;
struct Gpu;
struct Job;

/// Once method and workload are known: it sets the trained sequence.
void read_grpo(ObjectReader& request, const Gpu* gpu, const Catalog& catalog, Job& job);

/// Whether the engine of the job can be split and started; once overheads are known.
void check_grpo(ObjectReader& request, const Gpu* gpu, const Job& job);
/// Why the dollars of such a run are not known; "" where they are.
std::string money_fault(const Job& job);

}  // namespace sizesheet
