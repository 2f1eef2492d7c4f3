// SPDX-License-Identifier: Apache-2.0
// What somebody means who has not read how to say it: "how long to train qwen2.5-7b lora on 1B
// tokens with 4 x L40S".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

/// A command line of ours, and what was said that it does not say.
struct MeantLine {
  std::vector<std::string> words;
  std::vector<std::string> left_out;  ///< "--steps 1000", in the words of whoever asked
  std::vector<std::string> notes;     ///< "34B is taken as qwen3-32b, …"
  std::string file = {};              ///< the answer goes to it, or ""

  bool operator==(const MeantLine&) const = default;
};

/// What `diff` compares, for who asks what changed.
inline constexpr std::string_view kChangesNote =
    "diff compares two editions, or two catalogs; build makes an edition";

/// Reads a line that was refused word by word, in any order: verbs choose the command; names of
/// models, methods, cards, machines and sellers, figures with their units, and options under other
/// names are kept. The first line says all of it, each further one an option less. None where
/// nothing is recognised, or the catalog that it names cannot be read.
std::vector<MeantLine> meant_lines(const std::vector<std::string>& arguments);

}  // namespace sizesheet
