// SPDX-License-Identifier: Apache-2.0
// Parameters and adapters of a hybrid model (attention, Mamba-2, mixture of experts), counted from
// its shape as a guide's own breakdown does. In thousand millions.
#pragma once

#include <string>
#include <vector>

#include "catalog/convention.h"

namespace sizesheet {

/// routed, shared, mamba, attention, embeddings, misc, nonexpert, total. Throws InputError with a
/// near miss for another name.
double hybrid_parameters_bn(const HybridShape& shape, const std::string& part);

/// Parameters that one token passes through, both embeddings counted.
double hybrid_active_bn(const HybridShape& shape);

/// Adapters of this rank on the named targets: experts (one for every routed expert), attention,
/// shared, in_proj, out_proj.
double hybrid_adapters_bn(const HybridShape& shape, double rank,
                          const std::vector<std::string>& targets);

}  // namespace sizesheet
