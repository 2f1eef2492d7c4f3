// SPDX-License-Identifier: Apache-2.0
// What a job is run with, in words.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// "micro-batch 1, 32 steps of accumulation, rank 16, no recompute".
std::string choice_words(const JobChoices& choices);

/// The same with the targets, "rank 16 on all-linear", the loss and the optimizer.
std::string full_choice_words(const JobChoices& choices);

}  // namespace sizesheet
