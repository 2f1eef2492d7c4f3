// SPDX-License-Identifier: Apache-2.0
// How far each input moves the price of an owned GPU-hour, as a chart: one range an input.
#pragma once

#include "render/chart.h"
#include "sheet/sheet.h"

namespace sizesheet {

/// The widest ranges first; inputs that move nothing by a cent are left to the table beside it.
Chart tornado_chart(const Sheet& sheet, const Tornado& tornado);

/// An input's value with its unit: "$0.083 per kWh", "9 %", "$325,000", "5 years".
std::string input_value(double value, const std::string& unit);

/// The conclusion in words: which input moves the figure most, from where to where.
std::string tornado_conclusion(const Sheet& sheet, const Tornado& tornado);

}  // namespace sizesheet
