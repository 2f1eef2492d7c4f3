// SPDX-License-Identifier: Apache-2.0
// Methods and stacks hold parts of requests. A value that the engine takes for no model is a fault
// of the catalog, found before anybody asks with it.
#pragma once

#include <string>

#include "catalog/catalog.h"

namespace sizesheet {

/// Faults each method of which no model of the catalog can be asked, and each value of a stack that
/// no model can have, in the files below `directory`.
void check_practice(const Catalog& catalog, const std::string& directory, Faults& faults);

}  // namespace sizesheet
