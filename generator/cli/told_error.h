// SPDX-License-Identifier: Apache-2.0
// How an error is told, and the line that works in the place of the one that was refused.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/mended_line.h"
#include "cli/refusals.h"

namespace sizesheet {

/// The command that a line names; "" where it names none that is known.
std::string command_said(const std::vector<std::string>& arguments);

/// Whether the error is about a file that the line names: "train.yaml:3: …". Another line without
/// the file would answer something else.
bool is_about_file(const std::vector<std::string>& arguments, const std::string& words);

/// A line that works in the place of the one that was refused, else an example of its command.
MendedLine cure_of(const std::vector<std::string>& arguments, const UsageError& error,
                   const LineTrial& works);

/// The line for what `plan` was asked that a sheet says: jobs in words or in a file of another
/// form, a quarter, a budget.
MendedLine plan_cure(const std::vector<std::string>& arguments);

/// The error on stderr, with a command that works below it; as JSON on stdout, too, where the
/// answer would be JSON.
void tell_error(const std::string& words, const MendedLine& mended,
                const std::vector<std::string>& arguments, const Streams& streams);

/// `no command "show"; models does that`: the command is that of the line that works.
void tell_unknown_command(const UnknownCommand& error, const std::vector<std::string>& arguments,
                          const Streams& streams, const LineTrial& works);

}  // namespace sizesheet
