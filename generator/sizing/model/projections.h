// SPDX-License-Identifier: Apache-2.0
// The names of a model's projections, and what frameworks and families call them.
#pragma once

#include <boost/container/static_vector.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sizing/model/parameters.h"

namespace sizesheet {

/// "q_proj", "lm_head" …
std::string_view name_of(Projection projection);

std::optional<Projection> projection_named(std::string_view name);

/// Sorted.
std::vector<std::string> names_of(const Projections& projections);

/// The request's names behind a framework's or family's own ("qkv_proj": q_proj, k_proj, v_proj);
/// empty for a name that is no alias.
std::vector<std::string> projections_behind(const std::string& alias);

}  // namespace sizesheet
