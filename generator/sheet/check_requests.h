// SPDX-License-Identifier: Apache-2.0
// The requests that a sheet's scenarios hold: one that the engine refuses for every model, method
// and GPU would give a page of refusals.
#pragma once

#include <string>

#include "sheet/spec.h"

namespace sizesheet {

/// Faults each scenario of which no cell can be asked, at the key of its request that the engine
/// names where there is one.
void check_requests(const SheetSpec& spec, const Catalog& catalog, const std::string& file,
                    Faults& faults);

}  // namespace sizesheet
