// SPDX-License-Identifier: Apache-2.0
// Hand-made sheets for tests of writers: plausible, consistent in themselves (terms sum to the
// device figure, money follows from hours), but made up. No figure here comes from the engine, nor
// do the changes and the plan of the last three come from a comparison or the solver.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

/// Nine sizes, three methods, nine GPU types, two scenarios; every optional field present somewhere
/// and absent somewhere.
const Sheet& sample_sheet();

/// Two models, two methods, two GPU types, one scenario: small enough to read as a golden.
const Sheet& tiny_sheet();

/// The tiny sheet with its changes since a made-up 2026-Q3: a price moved, a count rose, a row no
/// longer fits, a model went.
const Sheet& changed_sheet();

/// The same edition against itself.
const Sheet& unchanged_sheet();

/// The quarterly sheet with a machine bought for joining, one that was there, a reservation, and
/// offers by the hour instead of its own plan.
const Sheet& planned_sheet();

}  // namespace sizesheet
