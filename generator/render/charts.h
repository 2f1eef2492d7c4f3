// SPDX-License-Identifier: Apache-2.0
// The charts of a sheet as values: what is drawn, in which units, and what it says in words.
#pragma once

#include <string>
#include <vector>

#include "render/chart.h"
#include "sheet/sheet.h"

namespace sizesheet {

/// What a segment is called in legends, heads and sentences: "optimizer states".
std::string segment_words(SegmentKind kind);

/// A bill folded into the five segments a bar may have; they sum to the device figure.
std::vector<Segment> five_segments(const MemoryBill& bill);

/// Stacked memory bills of the model's picks, one bar a method, GiB per GPU.
/// No bar for a method that nothing fits.
Chart memory_bill_chart(const Sheet& sheet, const std::string& model);

/// Cost a month over hours of use: rented, reserved, spot, owned. Lines only for what is known.
Chart rent_or_own_chart(const Sheet& sheet, const Row& row);

/// Share of the usable memory over sequence length, one line a pick, from Sheet::series.
Chart memory_by_sequence_chart(const Sheet& sheet, const std::string& model);

/// 0, step, 2·step … up to `high`, with a step of 1, 2, 2.5 or 5 times a power of ten; at most six.
std::vector<double> nice_ticks(double high);

}  // namespace sizesheet
