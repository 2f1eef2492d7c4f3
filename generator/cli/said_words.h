// SPDX-License-Identifier: Apache-2.0
// The words of a line as somebody typed it: arguments taken apart, signs of a sentence left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

class WordMeanings;

/// The word without the comma, the question mark or the quotation mark behind it.
std::string without_signs(std::string word);

/// The word at a place in small letters, without signs; "" behind the last.
std::string letters_at(const std::vector<std::string>& words, std::size_t at);

/// "8" of "eight", "1" of "single"; "" of other words.
std::string count_in_words(const std::string& word);

/// Whether the word says nothing to us: "please", "the", "train".
bool is_filler(std::string_view word);

/// The words of a line: an argument of several words is taken apart where it is not one name, cards
/// in the plural ("H100s") are in the singular, "4x-L40S" is "4xL40S".
std::vector<std::string> said_words(const std::vector<std::string>& arguments,
                                    const WordMeanings& means);

}  // namespace sizesheet
