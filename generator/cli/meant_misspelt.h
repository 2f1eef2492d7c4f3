// SPDX-License-Identifier: Apache-2.0
// Reads names in a line that are nearly spelled right.
#pragma once

namespace sizesheet {

struct LineReading;

/// A method, a model or a card that is nearly spelled: "lroa", "lama-3-8b", "H10O".
bool take_misspelt(LineReading& line);

/// "price" of "pirce", "prcie" and "prise"; "" of a word that is near none of our verbs.
std::string spelled_verb(const std::string& word);

}  // namespace sizesheet
