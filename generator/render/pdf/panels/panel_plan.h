// SPDX-License-Identifier: Apache-2.0
// The plan in the words of the third panel.
#pragma once

#include "render/pdf/panels/panels.h"

namespace sizesheet {

struct Sheet;

}  // namespace sizesheet

namespace sizesheet::pdf {

/// The plan first, what it costs and has and what would change it, where the sheet has one.
FindingsPage with_plan_first(FindingsPage page, const Sheet& sheet);

}  // namespace sizesheet::pdf
