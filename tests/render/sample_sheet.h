// SPDX-License-Identifier: Apache-2.0
// Hand-made sheets for tests of writers: plausible, consistent in themselves (terms sum to the
// device figure, money follows from hours), but made up. No figure here comes from the engine.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

/// Nine sizes, three methods, nine GPU types, two scenarios; every optional field present somewhere
/// and absent somewhere.
const Sheet& sample_sheet();

/// Two models, two methods, two GPU types, one scenario: small enough to read as a golden.
const Sheet& tiny_sheet();

}  // namespace sizesheet
