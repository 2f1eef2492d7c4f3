// SPDX-License-Identifier: Apache-2.0
// A job with another micro-batch.
#pragma once

#include <cstdint>

namespace sizesheet {

struct Job;

/// Makes a rank take so many examples at once. Batches of uneven samples change with it; the
/// accumulation does not.
void set_micro_batch(std::int64_t examples, Job& job);

}  // namespace sizesheet
