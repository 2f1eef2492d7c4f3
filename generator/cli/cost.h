// SPDX-License-Identifier: Apache-2.0
// `sizesheet cost`: rent-or-buy questions as JSON lines.
#pragma once

#include <istream>
#include <ostream>

namespace sizesheet {

/// 0 when every line was answered, 1 when one was refused.
int run_cost(std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace sizesheet
