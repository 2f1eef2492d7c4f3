// SPDX-License-Identifier: Apache-2.0
// An explanation as a person reads it.
#pragma once

#include <ostream>

namespace sizesheet {

struct Explanation;

void print_explanation(const Explanation& explanation, std::ostream& out);

}  // namespace sizesheet
