// SPDX-License-Identifier: Apache-2.0
// What a job is run with, in words.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// "no recompute", "full recompute", "recompute of sublayers".
std::string recompute_words(const std::string& recompute);

/// "micro-batch 1, 32 steps of accumulation, rank 16, no recompute"; with `targets` also "rank 16
/// on all-linear".
std::string choice_words(const JobChoices& choices, bool targets = false);

}  // namespace sizesheet
