// SPDX-License-Identifier: Apache-2.0
// Figures that follow from one row's bill.
#pragma once

#include <cstdint>

#include "sizing/answer.h"

namespace sizesheet {

/// Bytes of a GPU while the optimizer steps, context and communicators included. No activation is
/// alive then: no checkpointing and no shorter sequence takes any of it away. 0 without a bill.
std::int64_t floor_bytes(const MemoryBill& bill);

}  // namespace sizesheet
