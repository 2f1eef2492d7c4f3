// SPDX-License-Identifier: Apache-2.0
// What would save memory on the picks, and what choices cost.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

struct MemoryBill;
struct Row;
struct Sheet;

/// The five segments of a bill, as cells.
Json segment_parts(const MemoryBill& bill);

/// What would save memory: the levers of the best method open, those of the others folded.
void put_levers(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

void put_zero_stages(Json& values, const Sheet& sheet, const std::string& model);
void put_adapter_ranks(Json& values, const Sheet& sheet, const std::string& model);

}  // namespace sizesheet
