// SPDX-License-Identifier: Apache-2.0
// The project's own catalog and oracle files, loaded once for all tests.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "support/json.h"

namespace sizesheet {

/// The committed catalog; a fault in it fails the test that asks first.
const Catalog& project_catalog();

/// A JSON file under tests/oracles.
Json oracle(const std::string& name);

}  // namespace sizesheet
