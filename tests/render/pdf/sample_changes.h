// SPDX-License-Identifier: Apache-2.0
// Made-up changes between two editions of a sample sheet. No figure here comes from the engine.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet::pdf {

/// One side of a change: `gpus` cards of a type, a run at so many dollars (none when negative).
ChangeSide side_of(const std::string& gpu, const std::string& name, std::int64_t gpus, double usd);

/// A pick of 70B by `method` that became `kind`.
Change pick_change(const std::string& method, const std::string& kind, const ChangeSide& before,
                   const ChangeSide& after, double usd);

/// Four moved picks, two broken rows, three moved inputs, of which one moves nothing.
SheetChanges sample_changes();

}  // namespace sizesheet::pdf
