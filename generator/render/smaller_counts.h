// SPDX-License-Identifier: Apache-2.0
// Why a run is not rented on fewer GPUs, in words.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// Why so many GPUs are not the row's set-up: "slower and more expensive", "no valid offer", "too
/// slow: up to 96 h, the limit is 72 h".
std::string why_not(const Sheet& sheet, const Row& row, const SmallerCount& count);

/// "1 × B200 fits, takes 9.9 h and costs $70.4: slower and more expensive." of the fewest GPUs that
/// fit; what the next smaller count lacks where none does; "" where one GPU is the set-up.
std::string why_not_fewer(const Sheet& sheet, const Row& row);

}  // namespace sizesheet
