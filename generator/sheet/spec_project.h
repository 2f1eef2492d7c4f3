// SPDX-License-Identifier: Apache-2.0
// `project` of a specification, read and held against the catalog's rates.
#pragma once

#include <optional>

#include "sheet/project.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct Catalog;
struct SheetSpec;

/// `spec` has its models, methods and scenarios by now. nullopt where nothing is given.
std::optional<ProjectSpec> read_spec_project(std::optional<ObjectReader> given,
                                             const SheetSpec& spec, const Catalog& catalog);

}  // namespace sizesheet
