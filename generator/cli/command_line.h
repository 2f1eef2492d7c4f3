// SPDX-License-Identifier: Apache-2.0
// Which of our commands a line of words means.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sizesheet {

inline constexpr const char* kHelp = "help";

std::vector<std::string> commands_of(const CLI::App& app);

/// The line with the command, the lists and the options that it means. Throws UsageError where it
/// names no command of ours, or what is not done; `said` has a word.
std::vector<std::string> understood(const CLI::App& app, const std::vector<std::string>& said);

/// The command of ours that a question under another name is for, "ask" of `plan --model …` and
/// "explain" of `memory llama-3.1-8b …`; "" for other lines.
std::string question_command(const CLI::App& app, const std::vector<std::string>& words);

/// Throws UsageError for a word that is no command, with a near one.
void refuse_unknown(const CLI::App& app, const std::string& command);

/// Throws UsageError for what people expect of `validate` that other commands do.
void refuse_file_to_validate(const std::vector<std::string>& words);

}  // namespace sizesheet
