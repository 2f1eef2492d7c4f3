// SPDX-License-Identifier: Apache-2.0
// The proof of a memory bill: each term with its formula, inputs and source.
#pragma once

#include <string>
#include <vector>

#include "sizing/memory.h"

namespace sizesheet {

/// Every term of the bill in its peak phase, then allocator slack and overhead: they sum to
/// `device`. `stage` is the one the bill is of.
std::vector<MemoryTerm> memory_terms(const Job& job, const Stage& stage, const MemoryBill& bill);

}  // namespace sizesheet
