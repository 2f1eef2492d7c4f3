// SPDX-License-Identifier: Apache-2.0
// A specification read and checked as a whole.
#pragma once

#include <filesystem>
#include <string>

#include "support/error.h"

namespace sizesheet {

class CatalogLayers;
struct Catalog;
struct SheetSpec;

/// Holds a sound spec against a sound catalog: rates that cannot have the role that it gives them,
/// scenarios of which no row can be asked.
void check_sheet_spec(const SheetSpec& spec, const std::filesystem::path& file,
                      const CatalogLayers& layers, const Catalog& catalog, Faults& faults);

/// The spec in `sheet_file`. Any fault throws InputError.
SheetSpec load_sheet_spec(const std::string& id_or_file, const CatalogLayers& layers,
                          const Catalog& catalog);

}  // namespace sizesheet
