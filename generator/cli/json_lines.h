// SPDX-License-Identifier: Apache-2.0
// Questions as JSON lines, answered in the same order.
#pragma once

#include <iosfwd>
#include <istream>
#include <ostream>
#include <string>
#include <utility>

#include "calculator/request_line.h"
#include "support/json.h"

namespace sizesheet {

struct CommonOptions;
struct EstimateRules;

/// --request: keys of a question beside those that options say, which `said` names with the option
/// of each. Throws InputError for what is no object, and for such a key.
using KeysOfOptions = std::initializer_list<std::pair<const char*, const char*>>;
Json request_keys(const std::string& text, KeysOfOptions said);

/// Answers every non-blank line of `in` on `out`. The exit code: 0 when every answer is ok, 1 when
/// one is not. Lines are answered as they come, all that wait at once on `jobs` threads; an answer
/// is written as soon as it and all before it are there. Throws InputError when `out` cannot be
/// written.
int for_each_json_line(std::istream& in, std::ostream& out, int jobs,
                       const JsonLineHandler& handler);

/// What these options say of the facts and rules of estimates. Throws InputError for a day that is
/// none.
EstimateRules estimate_rules(const CommonOptions& options);

}  // namespace sizesheet
