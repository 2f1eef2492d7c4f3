// SPDX-License-Identifier: Apache-2.0
// What a sound catalog must hold beyond each entry for itself: where facts answer to arithmetic.
#pragma once

#include <string>

#include "catalog/catalog.h"

namespace sizesheet {

/// Holds guides, frameworks, advice and worksheets of the catalog in `directory` against what the
/// engine says of them. Faults are recorded under their files.
void check_facts(const Catalog& catalog, const std::string& directory, Faults& faults);

}  // namespace sizesheet
