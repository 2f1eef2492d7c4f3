// SPDX-License-Identifier: Apache-2.0
// How runs on spot are priced under a rule of rates, in sentences.
#pragma once

#include <string>

namespace sizesheet {

struct Sheet;

/// "" for a sheet with a flat share, or without a rule.
std::string spot_rule_words(const Sheet& sheet);

}  // namespace sizesheet
