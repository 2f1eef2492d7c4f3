// SPDX-License-Identifier: Apache-2.0
// The rent picks that train adapters, under the fastest stack of the catalog: the stack is worth
// more than the card.
#pragma once

namespace sizesheet {

struct Catalog;
struct Sheet;
struct SheetSpec;

/// Fills Row::fastest_stack of the rent picks that train adapters, on `jobs` threads.
void add_fastest_stacks(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

}  // namespace sizesheet
