// SPDX-License-Identifier: Apache-2.0
// What people call the tiers of prices.
#pragma once

#include <string>
#include <vector>

#include "catalog/names.h"

namespace sizesheet {

/// Every tier, by its key and its words.
std::vector<CalledEntry> called_tiers();

/// "on_demand" for "on demand", "spot", "1 year"; "" stays. Throws InputError for what is none.
std::string tier_key(const std::string& asked);

/// The tier that an option of another program names alone: spot of "--preemptible"; "" of an option
/// that needs a value.
std::string tier_of_flag(const std::string& name);

/// The tier that such an option and its value mean: reserved_3y of "--reserved 36mo"; "" where they
/// mean none.
std::string tier_of_option(const std::string& name, const std::string& value);

}  // namespace sizesheet
