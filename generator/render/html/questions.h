// SPDX-License-Identifier: Apache-2.0
// The five questions that people come with, as links to the places that answer them.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

/// Text and address of each; empty for a sheet without models. A question that this edition cannot
/// answer says so and leads to how it could. About the highlighted model, by adapters where the
/// sheet has them.
Json questions(const Sheet& sheet);

}  // namespace sizesheet
