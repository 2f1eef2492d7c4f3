// SPDX-License-Identifier: Apache-2.0
// The words of a shell script, with the variables that the script itself sets. Nothing is run, and
// the environment is not read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sizesheet {

struct CommandWord {
  std::string text;
  int line = 1;  ///< from 1
  bool quoted = false;
};

/// The words of each command: those between two newlines, `;`, `&` or `|`. An array is a command of
/// its own, whose first word is "name=(" or "name+=(". Throws InputError for a quotation mark that
/// is not closed.
std::vector<std::vector<CommandWord>> shell_commands(std::string_view text,
                                                     const std::string& file);

/// NAME=value, as a shell sets it: the name and the value.
std::optional<std::pair<std::string, std::string>> assignment(const std::string& word);

/// "args" of "$args" and "${args}"; "" of any other word.
std::string variable_meant(const std::string& word);

/// The name of the array that a word stands for: "${name[@]}"; nullopt for another word.
std::optional<std::string> array_meant(const std::string& word);

/// Puts in what the script says of its variables: `$NAME`, `${NAME}`, and the default of
/// `${NAME:-default}` where the script does not set NAME; arithmetic is worked out. Other forms
/// stay as they are.
class ShellVariables {
 public:
  void set(const std::string& name, const std::string& value) { values_[name] = value; }

  /// `defaults` gets the names whose default was put in.
  std::string put_in(std::string_view word, std::vector<std::string>& defaults) const;

  const std::map<std::string, std::string>& values() const { return values_; }

 private:
  /// What an arithmetic expression at the beginning comes to, and its letters; none: no letters.
  std::pair<std::int64_t, std::size_t> worked_out(std::string_view text) const;

  std::map<std::string, std::string> values_;
};

}  // namespace sizesheet
