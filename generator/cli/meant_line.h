// SPDX-License-Identifier: Apache-2.0
// What somebody means who has not read how to say it: "how long to train qwen2.5-7b lora on 1B
// tokens with 4 x L40S".
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sizesheet {

/// A command line of ours, and what was said that it does not say.
struct MeantLine {
  std::vector<std::string> words;
  std::vector<std::string> left_out;  ///< "--steps 1000", in the words of whoever asked
};

/// Reads a line that was refused word by word, in any order: verbs choose the command; names of
/// models, methods, cards and machines, figures with their units, and options under other names are
/// kept. nullopt where none of these is in it, or the catalog that it names cannot be read.
std::optional<MeantLine> meant_line(const std::vector<std::string>& arguments);

}  // namespace sizesheet
