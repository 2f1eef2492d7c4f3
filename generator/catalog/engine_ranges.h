// SPDX-License-Identifier: Apache-2.0
// What the engine asks of its constants: which names there must be, and within which bounds each
// value makes sense.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/engine_constants.h"

namespace sizesheet {

/// Bounds of a constant; absent for a name that the engine does not ask for.
std::optional<Bounds<double>> range_of_constant(const std::string& id);

/// Names of all constants that the engine asks for, sorted.
std::vector<std::string> engine_constant_names();

/// Faults `file` where a name that the engine asks for is missing, and each constant that it does
/// not ask for: such a value would be accepted and ignored.
void check_engine_names(const EngineCatalog& engine, const std::string& file, Faults& faults);

}  // namespace sizesheet
