// SPDX-License-Identifier: Apache-2.0
// What would shrink a pick, the stages of ZeRO on one layout, and adapters by rank.
#pragma once

namespace sizesheet {

struct Catalog;
struct Row;
struct Sheet;
struct SheetSpec;
struct SheetWhatIf;

/// Ranks 4 to 256 of the sheet's first LoRA method, with the bill on the layout of its rent pick.
void add_adapter_ranks(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// Levers of a row that fits. Those that save nothing and lower no count are left out.
SheetWhatIf what_if(const Catalog& catalog, const SheetSpec& spec, const Row& row);

/// Fills Sheet::what_if with that of every rent pick, on `jobs` threads.
void add_what_if(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// The layout is the rent pick's where several of its GPUs hold the same weights; else a whole node
/// of the pick's GPU type, or of the sheet's first type that is rented by more than a node.
void add_zero_stages(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

}  // namespace sizesheet
