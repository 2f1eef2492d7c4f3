// SPDX-License-Identifier: Apache-2.0
// OLD and NEW of the diff command: a sheet.json, the folder of an edition, or a catalog.
#pragma once

#include <string>

#include "sheet/diff/edition.h"

namespace sizesheet {

/// True for a folder that holds a catalog (engine.json) and no edition (sheet.json).
bool is_catalog(const std::string& path);

/// Reads the edition, or sizes the catalog's `sheet` with this engine on `jobs` threads. Throws
/// InputError naming the path and what was expected there.
Edition load_edition(const std::string& path, const std::string& sheet, int jobs);

}  // namespace sizesheet
