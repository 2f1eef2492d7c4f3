// SPDX-License-Identifier: Apache-2.0
// The texts of a document that is shown again: none may hold what a terminal or a page acts upon.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

/// Throws InputError at the first text or key below `pointer` with a character that has no place in
/// a sentence (unfit_character).
void refuse_unfit_texts(const Json& document, const std::string& file, const std::string& pointer);

/// Calls `visit` with the JSON pointer of every value that holds no other, empty lists and objects
/// included: keys in their order, elements by number. `pointer` is the document's own.
void for_each_leaf(const Json& document, std::string pointer,
                   const std::function<void(const std::string& pointer, const Json& leaf)>& visit);

}  // namespace sizesheet
