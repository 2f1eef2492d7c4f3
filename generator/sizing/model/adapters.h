// SPDX-License-Identifier: Apache-2.0
// The adapters of a model: which projections they sit on, and their parameters.
#pragma once

#include <boost/container/static_vector.hpp>
#include <string>

#include "catalog/models/architecture.h"
#include "sizing/model/parameters.h"

namespace sizesheet {

/// r * (d_in + d_out), with DoRA + d_out, for every adapted projection; fused projections share one
/// adapter. Embedding and head are counted where they stand on this stage.
AdapterCounts count_adapters(const Architecture& model, const AdapterSpec& spec,
                             bool has_embedding = true, bool has_head = true);

/// Target names of a preset (`all-linear`, `attention`, `qv`) on this model; empty for an unknown
/// name.
Projections preset_targets(const Architecture& model, const std::string& preset);

/// Every projection of this model that an adapter of a request may name: those outside routed
/// experts, the head and the embedding.
Projections possible_targets(const Architecture& model);

/// Those that a target of a request means; empty where the model has none of them.
Projections projections_meant(const Architecture& model, const std::string& target);

/// Every projection of this model outside routed experts.
Projections projections_of(const Architecture& model);

}  // namespace sizesheet
