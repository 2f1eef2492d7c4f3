// SPDX-License-Identifier: Apache-2.0
// The tables by framework of the catalog, worked out by the engine and made part of a sheet.
#pragma once

#include "catalog/catalog.h"
#include "sheet/sheet.h"

namespace sizesheet {

/// Fills `sheet.frameworks`.
void add_frameworks(const Catalog& catalog, Sheet& sheet);

// Its parts. A request that the engine refuses throws InputError.

/// Jobs at a glance, lengths against layouts, methods side by side.
void add_framework_rows(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out);
void add_sequences(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out);
void add_comparison(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out);

/// Parameters by component, adapters by rank and mode, activations by kind of layer.
void add_components(const Architecture& model, SheetFrameworkSet& out);
void add_adapters(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out);
void add_layers(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out);

}  // namespace sizesheet
