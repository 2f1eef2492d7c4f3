// SPDX-License-Identifier: Apache-2.0
// Formula texts that stand in more than one table. {key} is a cell of the same row; plain names are
// those of cells and columns of the workbook.
#pragma once

#include <string>

namespace sizesheet::xlsx {

/// "" where `cell` is empty, else `formula`: unknown stays unknown.
std::string unless_empty(const std::string& cell, const std::string& formula);

/// "" where the line number in `line` is 0, else `formula`.
std::string with_line(const std::string& line, const std::string& formula);

/// Line of the cheapest admitted price of a tier for {gpus} x {gpu}, 0 when there is none. Beyond
/// {node} GPUs only whole nodes count. Works on arrays.
std::string cheapest_price_line(const std::string& tier);

/// Dollars an hour for {gpus} GPUs at the price in line {`line`}.
std::string usd_per_hour(const std::string& line);

/// GPUs that are paid at the price in line {`line`}: whole instances.
std::string gpus_paid(const std::string& line);

/// Line of the machine that houses {gpus} x {gpu} for the least money, 0 when there is none. Works
/// on arrays.
std::string cheapest_machine_line();

}  // namespace sizesheet::xlsx
