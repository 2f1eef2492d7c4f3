// SPDX-License-Identifier: Apache-2.0
// What a sound catalog is held against: the arithmetic of guides, the engine, and a sheet.
#pragma once

#include <string>

#include "support/error.h"

namespace sizesheet {

class CatalogLayers;
struct Catalog;
struct Purchase;
struct SheetSpec;
struct SpecOwnership;

/// Holds guides, frameworks, advice and worksheets of the catalog read from `layers` against what
/// the engine says of them. Faults are recorded under their files.
void check_facts(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

/// Faults each method of which no model of the catalog can be asked, and each value of a stack that
/// no model can have, in the files of `layers`.
void check_practice(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

/// Faults every low, typical or high value that its role in `own` cannot have. The rates stand in
/// `file` under the pointer `list`, in the order of `purchase.rates`.
void check_rates(const SpecOwnership& own, const Purchase& purchase, const std::string& file,
                 const std::string& list, Faults& faults);

/// Faults each scenario of which no cell can be asked, at the key of its request that the engine
/// names where there is one.
void check_requests(const SheetSpec& spec, const Catalog& catalog, const std::string& file,
                    Faults& faults);

}  // namespace sizesheet
