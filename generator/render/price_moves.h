// SPDX-License-Identifier: Apache-2.0
// Says how prices of offers moved.
#pragma once

#include <string>

#include "render/change_words.h"

namespace sizesheet {

struct ChangeSide;
struct MovedInput;

/// Whether an input is the price of the offer that a price row belongs to.
bool is_price_of(const MovedInput& moved, const std::string& price_key);

/// "nebius $5.04 -> $5.50, so together $3.99", or "together $3.99 instead of nebius $5.04" where
/// that one did not move: what became of the offer of one side, and the one that took its place.
/// Dollars are of a GPU-hour.
std::string took_over_words(const ChangeSide& from, const ChangeSide& to, const MovedById& moved,
                            const std::string& arrow);

}  // namespace sizesheet
