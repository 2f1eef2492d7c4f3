// SPDX-License-Identifier: Apache-2.0
// The binding constraint in words: which bytes stopped the next smaller count, and what would help.
#pragma once

#include <cstdint>
#include <string>

#include "sizing/search.h"

namespace sizesheet {

/// One or two sentences; "" without a GPU. Every lever that may help is sized anew.
std::string binding_words(const Question& question, const Plan& plan);

/// Bytes per GPU that stay however many GPUs share the job: kept activations, the rebuilt block,
/// the loss and what is gathered. States shrink with their number.
std::int64_t unshared_bytes(const MemoryBill& bill);

}  // namespace sizesheet
