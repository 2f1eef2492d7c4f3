// SPDX-License-Identifier: Apache-2.0
// The catalog's advice with this engine's answers.
#pragma once

#include "support/error.h"

namespace sizesheet {

class CatalogLayers;
struct Catalog;
struct Sheet;
struct SheetSpec;

/// Fills `sheet.advice`; leaves it absent where the catalog has none. A warning that the engine
/// does not print throws InputError.
void add_advice(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// Records the requests of the advice that no `estimate` takes, and the warnings that it does not
/// print, under their place in their file.
void check_advice(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

}  // namespace sizesheet
