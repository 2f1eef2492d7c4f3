// SPDX-License-Identifier: Apache-2.0
// Faults of a request's layout, beyond the type of each key: what cannot be, and what would be
// ignored.
#pragma once

#include "sizing/question.h"

namespace sizesheet {

/// Records every fault of the layout that `request`, as the user wrote it, asks for.
void check_layout(const Json& request, const Question& question, Faults& faults);

}  // namespace sizesheet
