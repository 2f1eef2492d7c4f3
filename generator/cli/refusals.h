// SPDX-License-Identifier: Apache-2.0
// What the command line refuses, in the program's own words, and the command that an error ends
// with.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/mended_line.h"
#include "support/error.h"

namespace sizesheet {

/// A command line that no command can be run by.
class UsageError : public InputError {
 public:
  /// `option` is what the command does not take, "" where it is something else; `command` is the
  /// one that does what was asked for, "" where it is the command itself.
  explicit UsageError(const std::string& words, std::string option = "", std::string command = "")
      : InputError(words), option_(std::move(option)), command_(std::move(command)) {}

  const std::string& option() const { return option_; }
  const std::string& command() const { return command_; }

 private:
  std::string option_;
  std::string command_;
};

/// A first word that is no command. `command` is the one that it is likely to mean, or "".
class UnknownCommand : public UsageError {
 public:
  UnknownCommand(const std::string& words, std::string command)
      : UsageError(words, "", std::move(command)) {}
};

/// What keeps an answer from being written: no other words of the command line would help.
class OutputError : public InputError {
 public:
  using InputError::InputError;
};

/// What the parser found wrong with `words`, the first of which is a command.
UsageError parse_refusal(const CLI::App& app, const std::vector<std::string>& words,
                         const CLI::ParseError& error);

/// Whether the answer is asked for as JSON: then its errors are, too.
bool asks_json(const std::vector<std::string>& arguments);

/// {"error": …, "ok": false, "try": …}, the last one without a command that works as null. What
/// that command does not say of the refused one is its `left_out`, what it takes words for are its
/// `notes`; `example` is true where it answers another question.
std::string error_json(const std::string& words, const MendedLine& works);

/// The names of a command's options, the first of each.
std::vector<std::string> option_names(const CLI::App& command);

}  // namespace sizesheet
