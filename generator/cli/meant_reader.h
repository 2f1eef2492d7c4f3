// SPDX-License-Identifier: Apache-2.0
// Reads the words of a line in any order.
#pragma once

#include <string>
#include <vector>

#include "cli/meant_parts.h"

namespace sizesheet {

class WordMeanings;

/// At each place from the left the longest name that means something is taken. `words` are those of
/// `said_words`.
MeantParts meant_parts(const std::vector<std::string>& words, const WordMeanings& means);

}  // namespace sizesheet
