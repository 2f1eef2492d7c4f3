// SPDX-License-Identifier: Apache-2.0
// The kernels of a request, read into a Job: recompute, attention, loss, operations, precision.
#pragma once

#include <optional>
#include <string>

#include "support/json.h"

namespace sizesheet {

struct Gpu;
struct Job;

void read_kernels(std::optional<ObjectReader> reader, const Gpu* gpu, Job& job);

/// Precision, once state is known: bf16, fp16 under loss scaling, or fp8.
void read_precision(ObjectReader& request, std::optional<ObjectReader>& kernels, const Gpu* gpu,
                    Job& job);

std::string recompute_name(const Job& job);

/// As a request says it: the name, or the modules.
Json recompute_json(const Job& job);

}  // namespace sizesheet
