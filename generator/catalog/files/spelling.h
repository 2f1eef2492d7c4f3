// SPDX-License-Identifier: Apache-2.0
// How names are compared: capitals and separators tell nothing, but neighbouring digits are one
// number, and a separator between two numbers keeps them apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

/// Letters and digits alone, in small letters: "A100_80GB" -> "a10080gb".
std::string squeezed(std::string_view name);

/// Whether a name has nothing but letters, digits, blanks and - _ . : ( ).
bool is_plain_name(std::string_view name);

/// Small letters and digits, and between two numbers one of '.', '_' and '-', the last for any
/// other separator: "Llama 3.1 8B" -> "llama3.1-8b".
std::string spelled(std::string_view name);

/// Whether `asked` spells `name`, both as `spelled` has them. '-' and '_' may replace the point of
/// a version ("llama-3-1-8b"); a point never replaces what parts two numbers ("gemma-2.2b").
bool spells(std::string_view name, std::string_view asked);

/// Words and decimal numbers in small letters: "Qwen3.5-35B_A3B" -> qwen3.5, 35b, a3b. A number may
/// have '_' for its point.
std::vector<std::string> name_words(std::string_view name);

/// The same, but every separator parts two words: "A100_80GB" -> a100, 80gb.
std::vector<std::string> bare_words(std::string_view name);

/// Whether `words` has any, and `all` has each of them.
bool has_each(const std::vector<std::string>& all, const std::vector<std::string>& words);

/// Of the known names those most like `asked`, best first, three at most; empty where none has a
/// word of it.
std::vector<std::string> nearest_names(std::string_view asked,
                                       const std::vector<std::string>& known);

/// Whether `name` has every word of `asked`. A number begins a word of its own: "Qwen3-8B" has the
/// words of "qwen 8b".
bool has_words_of(std::string_view name, std::string_view asked);

}  // namespace sizesheet
