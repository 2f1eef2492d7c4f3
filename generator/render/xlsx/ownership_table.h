// SPDX-License-Identifier: Apache-2.0
// The Ownership sheet: the arithmetic of the program over the cells of a workbook.
#pragma once

#include <string>
#include <vector>

#include "render/xlsx/sheets.h"
#include "render/xlsx/table.h"

namespace sizesheet {

struct Sheet;

}  // namespace sizesheet

namespace sizesheet::xlsx {

/// A line a machine: GPUs, price and power, which are inputs. Stands on the Assumptions sheet.
Table machines_table(const Sheet& sheet);

/// A line a set-up, in the order of set_ups(sheet).
Table ownership_table(const Sheet& sheet, const std::vector<Input>& inputs);

/// What {machines} of {machine_line} cost, for `gpus` in use, `per_machine` in each.
std::string purchase(const std::vector<Input>& inputs, const std::string& gpus,
                     const std::string& per_machine);

/// The machines of a question are a site, whose people are counted once; those of a plan are units,
/// each with its own people.
enum class StaffOf { kSite, kUnit };

/// A month's support and staff of {machines} that cost {capex}, and licences of `gpus`; 0 where the
/// sheet does not count them.
std::string support(const std::vector<Input>& inputs, StaffOf of);
std::string staff(const std::vector<Input>& inputs, StaffOf of);
std::string licences(const std::vector<Input>& inputs, const std::string& gpus);

/// A month of {machines} of {machine_line} that cost {capex}, for `gpus` in use, when nothing runs;
/// and what an hour of use of all of them adds.
std::string month_at_rest(const std::vector<Input>& inputs, const std::string& gpus, StaffOf of);
std::string energy_of_use();

}  // namespace sizesheet::xlsx
