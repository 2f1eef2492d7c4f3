// SPDX-License-Identifier: Apache-2.0
// The kernels of a request: recompute, attention, loss, operations, precision.
#pragma once

#include <optional>
#include <string>

#include "support/json.h"

namespace sizesheet {

struct Gpu;
struct JobBasis;
struct KernelKeys;
struct MethodKeys;
struct PrecisionKeys;
struct StateKeys;

/// bf16, fp16 under loss scaling, or fp8; and the state under it.
PrecisionKeys read_precision(ObjectReader& request, std::optional<ObjectReader>& kernels,
                             const Gpu* gpu, const StateKeys& state);

/// An objective has a loss of its own, whether or not there is a `reader`.
KernelKeys read_kernels(std::optional<ObjectReader> reader, const JobBasis& basis,
                        const PrecisionKeys& stated, const MethodKeys& method);

std::string recompute_name(const KernelKeys& kernels);

/// As a request says it: the name, or the modules.
Json recompute_json(const KernelKeys& kernels);

}  // namespace sizesheet
