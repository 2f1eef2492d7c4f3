// SPDX-License-Identifier: Apache-2.0
// How names are compared: capitals and separators tell nothing, but digits that stand together are
// one number, and what stands between two numbers keeps them apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

/// Whether a name has nothing but letters, digits, blanks and - _ . : ( ).
bool is_plain_name(std::string_view name);

/// Small letters and digits, and between two numbers one of '.', '_' and '-', the last for any
/// other separator: "Llama 3.1 8B" -> "llama3.1-8b".
std::string spelled(std::string_view name);

/// Whether `asked` spells `name`, both as `spelled` has them. '-' and '_' may stand for the point
/// of a version ("llama-3-1-8b"); a point never stands for what parts two numbers ("gemma-2.2b").
bool spells(std::string_view name, std::string_view asked);

/// Words and decimal numbers in small letters: "Qwen3.5-35B_A3B" -> qwen3.5, 35b, a3b. A number may
/// have '_' for its point.
std::vector<std::string> name_words(std::string_view name);

/// Of the known names those most like `asked`, best first, three at most; empty where none has a
/// word of it.
std::vector<std::string> nearest_names(std::string_view asked,
                                       const std::vector<std::string>& known);

/// Whether every word of `asked` is one of `name`; a letter begins a word after a letter only, so
/// that "qwen 8b" has the words of "Qwen3-8B".
bool has_words_of(std::string_view name, std::string_view asked);

}  // namespace sizesheet
