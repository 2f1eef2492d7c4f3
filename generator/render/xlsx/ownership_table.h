// SPDX-License-Identifier: Apache-2.0
// The Ownership sheet: what each GPU type and count costs to own, part by part, and against renting
// it; and the machines that can be bought.
#pragma once

#include <vector>

#include "render/xlsx/inputs.h"
#include "render/xlsx/table.h"
#include "sheet/sheet.h"

namespace sizesheet::xlsx {

/// A line a machine: GPUs, price and power, which are inputs. Stands on the Assumptions sheet.
Table machines_table(const Sheet& sheet);

/// A line a set-up, in the order of set_ups(sheet).
Table ownership_table(const Sheet& sheet, const std::vector<Input>& inputs);

}  // namespace sizesheet::xlsx
