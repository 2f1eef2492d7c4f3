// SPDX-License-Identifier: Apache-2.0
// Values of frameworks.mustache: what training frameworks need for one model, table by table, each
// figure with what it rests on.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json frameworks_values(const Sheet& sheet);

}  // namespace sizesheet
