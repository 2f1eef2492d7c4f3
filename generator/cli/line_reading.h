// SPDX-License-Identifier: Apache-2.0
// Where the reading of a line is.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/meant_parts.h"
#include "cli/said_words.h"

namespace sizesheet {

class WordMeanings;

struct LineReading {
  const std::vector<std::string>& words;
  const WordMeanings& means;
  MeantParts parts;    ///< what the words so far say
  std::size_t at = 0;  ///< the next word

  /// The word at a place in small letters, without its signs; "" behind the end.
  std::string letters(std::size_t place) const { return letters_at(words, place); }

  std::string next_word() const { return at + 1 < words.size() ? words[at + 1] : ""; }
};

}  // namespace sizesheet
