// SPDX-License-Identifier: Apache-2.0
// Errors by source as a chart: how far each source's figures lie from the estimates.
#pragma once

#include "render/chart.h"
#include "sheet/sheet.h"

namespace sizesheet {

/// One range a source, in the order of the totals, in per cent of the measured figure.
Chart error_ranges_chart(const Accuracy& accuracy);

/// The same of the speeds.
Chart speed_ranges_chart(const Accuracy& accuracy);

}  // namespace sizesheet
