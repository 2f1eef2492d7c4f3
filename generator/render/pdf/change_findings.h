// SPDX-License-Identifier: Apache-2.0
// What the third panel tells when an earlier edition is given: the picks that moved most, the rows
// that broke, the inputs that moved, each with its cause. Only what the comparison holds is said.
#pragma once

#include "render/pdf/findings.h"

namespace sizesheet::pdf {

/// Most telling first: the panel draws as many as it has room for.
FindingsPage changed_since(const SheetChanges& changes, const Sheet& sheet);

}  // namespace sizesheet::pdf
