// SPDX-License-Identifier: Apache-2.0
// The catalog's advice with this engine's answers, made part of a sheet; and what is wrong with it.
#pragma once

#include "catalog/catalog.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// Fills `sheet.advice`; leaves it absent where the catalog has none. A warning that the engine
/// does not print throws InputError.
void add_advice(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// Records the requests of the advice that no `estimate` takes, and the warnings that it does not
/// print, under their place in their file.
void check_advice(const Catalog& catalog, const std::string& directory, Faults& faults);

/// What the cards of a topic hold of the sheet's models, in tiers of their memory.
std::vector<SheetCardTier> card_tiers(const Catalog& catalog, const SheetSpec& spec,
                                      const AdviceCards& cards, int jobs);

}  // namespace sizesheet
