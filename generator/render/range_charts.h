// SPDX-License-Identifier: Apache-2.0
// Charts of ranges: errors by source, and what moves the price of an owned hour; and of what
// choices cost.
#pragma once

#include <string>

namespace sizesheet {

struct Accuracy;
struct Chart;
struct Sheet;
struct SheetAdapterRank;
struct SheetAdapterRanks;
struct SheetZeroStages;
struct Tornado;

/// How far each source's figures lie from the estimates: one range a source, in the order of the
/// totals, in per cent of the measured figure.
Chart error_ranges_chart(const Accuracy& accuracy);

/// The same of the speeds.
Chart speed_ranges_chart(const Accuracy& accuracy);

/// How far each input moves the price of an owned GPU-hour, the widest ranges first; inputs that
/// move nothing by a cent are left to the table beside it.
Chart tornado_chart(const Sheet& sheet, const Tornado& tornado);

/// An input's value with its unit: "$0.083 per kWh", "9 %", "$325,000", "5 years".
std::string input_value(double value, const std::string& unit);

/// The conclusion in words: which input moves the figure most, from where to where.
std::string tornado_conclusion(const Sheet& sheet, const Tornado& tornado);

/// "DDP" for "none", "ZeRO-1" for "zero1" …
std::string stage_words(const std::string& shard);

/// Memory bills of the stages against the card, GiB per GPU.
Chart zero_stages_chart(const Sheet& sheet, const SheetZeroStages& zero);

/// Weights, gradients and optimizer state of the adapters together, one bar a rank, GiB.
Chart adapter_ranks_chart(const Sheet& sheet, const SheetAdapterRanks& adapters);

/// Bytes of adapter weights, gradients and optimizer state together.
std::int64_t state_bytes(const SheetAdapterRank& rank);

}  // namespace sizesheet
