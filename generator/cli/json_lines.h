// SPDX-License-Identifier: Apache-2.0
// Questions as JSON lines in, answers as JSON lines out, in the same order.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <ostream>

#include "support/json.h"

namespace sizesheet {

/// Answers one question with an object; `id` and `ok` are set here. Throws InputError to refuse it.
using JsonLineHandler = std::function<Json(const Json& request, std::int64_t line_number)>;

/// Answers every non-blank line of `in` on `out`. The exit code: 0 when every answer is ok, 1 when
/// one is not. Lines are answered as they come, all that wait at once on `jobs` threads; an answer
/// is written as soon as it and all before it are there. Throws InputError when `out` cannot be
/// written.
int for_each_json_line(std::istream& in, std::ostream& out, int jobs,
                       const JsonLineHandler& handler);

}  // namespace sizesheet
