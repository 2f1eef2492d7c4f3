// SPDX-License-Identifier: Apache-2.0
// Values of glossary.mustache: the field's words, each in a sentence or two.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json glossary_values(const Sheet& sheet);

}  // namespace sizesheet
