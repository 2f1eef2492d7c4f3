// SPDX-License-Identifier: Apache-2.0
// The one table of what a question can say: the name of each option, its other names, its unit,
// its help, and the commands that take it. The command line, its help, completion and the manual
// page come from it, and so does the refusal of an option that a command does not take.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"
#include "support/values.h"

namespace sizesheet {

/// An option of a question.
struct QuestionWord {
  const char* name;                ///< "--seq"
  std::vector<const char*> other;  ///< "--seq-len" …, which mean the same and no help shows
  const ValueKind* (*kind)();      ///< how its value is read; nullptr: a name or a text
  Bounds<double> bounds;           ///< of the value; {0, 0}: those of the kind
  const char* words;               ///< what the help says of it, with an example
  const char* example;             ///< a value that works: "8k"
  std::vector<const char*> commands;
};

std::span<const QuestionWord> question_words();

/// The word with this name, or this other name; nullptr where there is none.
const QuestionWord* question_word(std::string_view name);

/// All names of an option as the parser takes them, the one that the help shows first.
std::string all_names(const std::string& name);

/// The option into a text: a name that people write.
CLI::Option* add_text(CLI::App& command, const std::string& name, std::string& target,
                      const std::string& words = "");

/// The option into several texts, one each time that it is said.
CLI::Option* add_texts(CLI::App& command, const std::string& name, std::vector<std::string>& target,
                       const std::string& words = "");

/// The option into a number, read by the kind of the table, where `words` and `bounds` may say more
/// of it. Throws std::logic_error where the table has no unit for it.
CLI::Option* add_number(CLI::App& command, const std::string& name,
                        const std::function<void(double)>& put, const std::string& words = "",
                        std::optional<Bounds<double>> bounds = std::nullopt);

/// The same into `target`, an optional number.
template <typename T>
CLI::Option* add_number(CLI::App& command, const std::string& name, std::optional<T>& target,
                        const std::string& words = "",
                        std::optional<Bounds<double>> bounds = std::nullopt) {
  return add_number(command, name, std::function<void(double)>([&target](double value) {
                      target = static_cast<T>(value);
                    }),
                    words, bounds);
}

/// Why a command does not take an option that the table has, and the command that does.
std::string no_meaning_words(const std::string& command, const QuestionWord& word,
                             const std::string& said);

}  // namespace sizesheet
