// SPDX-License-Identifier: Apache-2.0
// The texts of a document that is shown again: none may hold what a terminal or a page acts upon.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

/// Throws InputError at the first text or key below `pointer` with a character that has no place in
/// a sentence (unfit_character).
void refuse_unfit_texts(const Json& document, const std::string& file, const std::string& pointer);

}  // namespace sizesheet
