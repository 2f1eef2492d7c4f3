// SPDX-License-Identifier: Apache-2.0
// What else would do: other GPU types, other counts, other stacks.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// One block a method: the other GPU types, cheapest run first, and the counts below the answer.
Json choice_list(const Sheet& sheet, const std::string& model, const Row* best);

/// The model's rows of other scenarios beside the same row of the main one.
Json stack_list(const Sheet& sheet, const std::string& model);

/// What each stack of the sheet assumes, in its own words.
Json stack_summaries(const Sheet& sheet);

}  // namespace sizesheet
