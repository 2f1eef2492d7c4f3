// SPDX-License-Identifier: Apache-2.0
// Commands that work as they are: what the program prints alone, and what an error ends with.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

/// A question and the command that answers it.
struct ExampleQuestion {
  const char* question;
  std::vector<std::string> words;  ///< of the command line, behind the program's name
};

/// The six questions that the program prints alone.
std::span<const ExampleQuestion> example_questions();

/// "How many GPUs …?" and its command, line by line.
std::string example_text();

/// A command that works, by which an error about `command` may be mended: "sizesheet fits h100".
/// "" is the program itself. `option` is one that the command was given and does not take, or "".
std::string example_of(const std::string& command, const std::string& option = "");

/// A word as a shell takes it: in quotation marks where it needs them.
std::string shell_word(const std::string& word);
/// Words as a shell takes them: "sizesheet ask 'Llama 3.1 8B'".
std::string shell_line(const std::vector<std::string>& words);

}  // namespace sizesheet
