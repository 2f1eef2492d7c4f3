// SPDX-License-Identifier: Apache-2.0
// The tables beside the rows, worked out by the engine and made part of a sheet.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "cost/rent.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/estimate.h"
#include "sizing/request/question.h"

namespace sizesheet {

/// Fills `sheet.advice`; leaves it absent where the catalog has none. A warning that the engine
/// does not print throws InputError.
void add_advice(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// Records the requests of the advice that no `estimate` takes, and the warnings that it does not
/// print, under their place in their file.
void check_advice(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

/// Fills `sheet.guides` and `sheet.guide_differences`.
void add_guides(const Catalog& catalog, Sheet& sheet);

/// Fills `sheet.frameworks`. A request that the engine refuses throws InputError.
void add_frameworks(const Catalog& catalog, Sheet& sheet);

/// The estimate request behind a job of the table at a glance: the set's model and GPU, then the
/// keys of its framework, then its own, each laid over the one before.
Json request_for(const FrameworkSet& set, const FrameworkQuestion& question);

/// The request, understood. A fault throws InputError: `frameworks/ID: layout.ep: …` of a `place`.
Question understood(const Catalog& catalog, const std::string& place, const Json& request);

/// Records what is wrong with any request of the catalog's sets, under its place in its file.
void check_frameworks(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

/// Ranks 4 to 256 of the sheet's first LoRA method, with the bill on the layout of its rent pick.
void add_adapter_ranks(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// Levers of a row that fits. Those that save nothing and lower no count are left out.
SheetWhatIf what_if(const Catalog& catalog, const SheetSpec& spec, const Row& row);

/// Fills Sheet::what_if with that of every rent pick, on `jobs` threads.
void add_what_if(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// The layout is the rent pick's where several of its GPUs hold the same weights; else a whole node
/// of the pick's GPU type, or of the sheet's first type that is rented by more than a node.
void add_zero_stages(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// Fills `sheet.worksheets`, page by page in the order of their positions. A request that the
/// engine refuses throws InputError. The same for any `jobs`.
void add_worksheets(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// Faults columns that nothing fills and requests that `estimate` would refuse.
void check_worksheets(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

}  // namespace sizesheet
