// SPDX-License-Identifier: Apache-2.0
// Command lines near one that was refused, in the words of whoever typed it.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

bool looks_like_option(const std::string& word);  ///< "-m", "--model"

/// "Llama-3.1-8B" of "meta-llama/Llama-3.1-8B".
std::string without_owner(const std::string& name);

/// The names that an error suggests for `word`: "did you mean", "nearest are", "say one of"; those
/// of its length first.
std::vector<std::string> suggested_names(const std::string& error, const std::string& word);

/// Lines that keep every word but the one that `error` names, the nearest first.
struct NearLines {
  std::vector<std::vector<std::string>> same;   ///< with the name that the error suggests
  std::vector<std::vector<std::string>> other;  ///< with another option or value; without the word
};

/// `option` is the one that is meant; "" where the error names none.
NearLines near_lines(const std::vector<std::string>& arguments, const std::string& error,
                     const std::string& option);

}  // namespace sizesheet
