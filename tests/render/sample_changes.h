// SPDX-License-Identifier: Apache-2.0
// Hand-made changes for tests of writers: the tiny sheet against an earlier edition of itself, with
// made-up causes and inputs. No figure here comes from the engine.
#pragma once

#include "sheet/changes.h"
#include "sheet/sheet.h"

namespace sizesheet {

/// The tiny sheet with its changes since a made-up 2026-Q3: a price moved, a count rose, a row no
/// longer fits, a model went.
const Sheet& changed_sheet();

/// The same edition against itself.
const Sheet& unchanged_sheet();

}  // namespace sizesheet
