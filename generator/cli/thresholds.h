// SPDX-License-Identifier: Apache-2.0
// --threshold of the diff command, as text.
#pragma once

#include <string>
#include <vector>

#include "sheet/changes.h"

namespace sizesheet {

/// Each word is one or more of usd=1%, hours=2%, memory=0.1 (or 0.1GiB), comma separated; what is
/// not named stays as it is. Throws InputError naming option, value, what was expected, near miss.
ChangeThresholds read_thresholds(const std::vector<std::string>& words);

}  // namespace sizesheet
