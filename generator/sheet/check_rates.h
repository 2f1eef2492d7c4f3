// SPDX-License-Identifier: Apache-2.0
// The purchase rates that a sheet names, against what each is named for: a share is no 2, a year
// has no 800 hours a month.
#pragma once

#include <string>

#include "catalog/purchase.h"
#include "sheet/spec_ownership.h"

namespace sizesheet {

/// Faults every low, typical or high value that its role in `own` cannot have. The rates stand in
/// `file` under the pointer `list`, in the order of `purchase.rates`.
void check_rates(const SpecOwnership& own, const Purchase& purchase, const std::string& file,
                 const std::string& list, Faults& faults);

}  // namespace sizesheet
