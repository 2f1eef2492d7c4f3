// SPDX-License-Identifier: Apache-2.0
// One row of two editions side by side.
#pragma once

#include <string>

namespace sizesheet {

struct Edition;
struct SheetChanges;

/// Memory term by term, the money's three factors, the cause. `key` is MODEL/METHOD (the picked
/// rows), MODEL/METHOD/GPU (its row in each scenario) or a whole row key, in NEW's names. `changes`
/// is what they were compared to. Throws InputError with a near miss where neither edition has it.
std::string explain_change(const Edition& old_edition, const Edition& new_edition,
                           const SheetChanges& changes, const std::string& key);

}  // namespace sizesheet
