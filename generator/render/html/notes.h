// SPDX-License-Identifier: Apache-2.0
// The notes and rules of the pages in words, with the sheet's own options and rates in them.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// The numbered notes under the matrix: [{note_text}].
Json index_notes(const Sheet& sheet);

/// "room for 10 % above the estimate, so at least 9.1 % of the card is free".
std::string headroom_rule(const Sheet& sheet);

/// Which price wins: tier, offers, age, filters.
std::string price_policy(const Sheet& sheet);

/// What a run on spot is charged beside its hours; "" without an allowance.
std::string spot_rule(const Sheet& sheet);

/// How an owned machine is paid for, from the rates the sheet used.
std::string ownership_rule(const Sheet& sheet);

}  // namespace sizesheet
