// SPDX-License-Identifier: Apache-2.0
// What happened between two editions, before what followed from it.
#pragma once

#include <string>

namespace sizesheet {

struct SheetChanges;

/// "H100 prices +20 %", "Engine"; "" where nothing moved or causes are not known.
std::string what_happened(const SheetChanges& changes);

}  // namespace sizesheet
