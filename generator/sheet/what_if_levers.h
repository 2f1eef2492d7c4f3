// SPDX-License-Identifier: Apache-2.0
// The levers of a pick: each change that would shrink its bill, or does so already, sized again on
// the same layout.
#pragma once

#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// Levers of a row that fits. Those that save nothing and lower no count are left out.
SheetWhatIf what_if(const Catalog& catalog, const SheetSpec& spec, const Row& row);

/// Fills Sheet::what_if with that of every rent pick, on `jobs` threads.
void add_what_if(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

}  // namespace sizesheet
