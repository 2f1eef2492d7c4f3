// SPDX-License-Identifier: Apache-2.0
// Conditions and works of the formats and writers of training configs, as the catalog states them.
#pragma once

#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// Words of a test in a condition, beside a plain value and a list of values.
inline const std::vector<std::string> kConfigTests = {"said", "above", "holds",
                                                      "like", "not",   "below"};

/// Operations of {"work": [operation, operand, …]}.
inline const std::vector<std::string> kConfigWork = {"*",     "+",   "/",  "floor/",
                                                     "ceil/", "min", "max"};

/// Conditions as a list of objects, one of which must hold; an empty list where there are none.
Json read_conditions(ObjectReader& reader, const std::string& key);

/// Faults every number of the entry that is further from 0 than any figure of a training run.
void check_config_numbers(ObjectReader& reader);

/// What is wrong with an operand or an operation, or "".
std::string wrong_work(const Json& work);

}  // namespace sizesheet
