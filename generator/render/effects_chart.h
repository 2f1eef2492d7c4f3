// SPDX-License-Identifier: Apache-2.0
// The dollars that moved between two editions, by effect, as a chart.
#pragma once

#include "render/chart.h"
#include "sheet/changes.h"

namespace sizesheet {

/// Dollars of one run of every comparable pick: price, quantity, time, card and their total.
Chart effects_chart(const SheetChanges& changes);

}  // namespace sizesheet
