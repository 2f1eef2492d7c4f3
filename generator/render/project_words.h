// SPDX-License-Identifier: Apache-2.0
// The whole project of a set-up in words, the same in every form.
#pragma once

#include <string>

namespace sizesheet {

struct ProjectCost;

/// "$1,234 (980–1,700)".
std::string project_amount(const ProjectCost& cost);

/// "4 runs, 10 % of those started lost: $1,100; evaluation $34; engineering $100".
std::string project_parts(const ProjectCost& cost);

}  // namespace sizesheet
