// SPDX-License-Identifier: Apache-2.0
#include "cli/told_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string_view>

#include "cli/command_line.h"
#include "cli/examples.h"
#include "cli/foreign_words.h"
#include "cli/meant_kinds.h"
#include "cli/near_lines.h"
#include "cli/question_words.h"
#include "cli/run.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A model without a near one can be asked about all the same, by its own file.
void add_own_file_note(std::string_view error, MendedLine& mended) {
  constexpr std::string_view kUnknown = "no model \"";
  if (!error.starts_with(kUnknown)) return;
  const std::string name(
      error.substr(kUnknown.size(), error.find('"', kUnknown.size()) - kUnknown.size()));
  const bool like_one =
      name.find_first_of("-/") != std::string::npos && name.find(' ') == std::string::npos;
  const bool dropped = contains(mended.left_out, name) && mended.notes.empty();
  if (like_one && dropped)
    mended.notes.push_back("to ask about " + name +
                           ", use --config config.json, its own file, in its place");
}

/// A GPU that the catalog lacks can be asked about by its memory.
void add_memory_note(std::string_view error, MendedLine& mended) {
  const bool unknown = error.starts_with("no GPU \"") && !error.ends_with("?)");
  const bool asked = mended.line.find("--vram") != std::string::npos;
  if (unknown && !asked && mended.notes.empty() && !mended.left_out.empty()) {
    mended.notes.emplace_back(
        "to ask about a GPU that the catalog lacks, say its memory: "
        "sizesheet fits 24GB llama-3.1-8b lora");
  }
}

/// The training config that a command was given which reads none; "" without one.
std::string config_named(const std::vector<std::string>& arguments, const std::string& command) {
  if (!contains({"", "check", "estimate", "cost", "compare", "sweep"}, command)) return "";
  const auto found = std::ranges::find_if(arguments, [](const std::string& word) {
    return word.ends_with(".yaml") || word.ends_with(".yml");
  });
  return found == arguments.end() ? "" : *found;
}

/// Whether a line has an example in the place of a model.
bool asks_of_no_model(const MendedLine& mended) {
  return std::ranges::any_of(
      mended.notes, [](const std::string& note) { return note.ends_with("no model was named"); });
}

}  // namespace

std::string command_said(const std::vector<std::string>& arguments) {
  std::istringstream in;
  std::ostringstream out;
  const Streams none{in, out, out};
  CLI::App app;
  Command unused;
  add_commands(app, none, unused);
  for (const std::string& word : arguments) {
    if (word == "version" || word == kHelp || contains(commands_of(app), word)) return word;
    if (!word.starts_with("-")) break;
  }
  return "";
}

void tell_error(const std::string& words, const MendedLine& mended,
                const std::vector<std::string>& arguments, const Streams& streams) {
  streams.err << "sizesheet: " << plain_lines(words) << '\n';
  if (!mended.line.empty()) {
    streams.err << (mended.example ? "an example: " : "try: ") << mended.line << '\n';
  }
  if (!mended.left_out.empty()) {
    constexpr std::size_t kLongest = 60;  // of words that are shown as they were typed
    std::vector<std::string> words_left;
    for (const std::string& word : mended.left_out) {
      words_left.push_back(word.size() > kLongest ? shown(Json(word)) : word);
    }
    streams.err << "left out: " << plain_lines(join(words_left, ", ")) << '\n';
  }
  for (const std::string& note : mended.notes) streams.err << "note: " << plain_lines(note) << '\n';
  if (!asks_json(arguments) || !streams.out) return;
  streams.out << error_json(plain_lines(words), mended);
  streams.out.flush();
}

bool is_about_file(const std::vector<std::string>& arguments, const std::string& words) {
  return std::ranges::any_of(arguments, [&](const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string file = equals == std::string::npos ? word : word.substr(equals + 1);
    return is_config_file(file) && words.starts_with(shown_path(file) + ":");
  });
}

MendedLine plan_cure(const std::vector<std::string>& arguments) {
  const bool own = std::ranges::any_of(arguments, [](const std::string& word) {
    return word.starts_with("--sheet") || word.starts_with("--catalog");
  });
  if (own) return {};  // a fault of theirs
  return {.line = shell_line({"init"}), .notes = {plan_words()}, .command = "init"};
}

MendedLine cure_of(const std::vector<std::string>& arguments, const UsageError& error,
                   const LineTrial& works) {
  constexpr std::size_t kMostWords = 200;  // of a line that somebody typed
  if (arguments.size() > kMostWords) return {};
  // Another line would write the config of another run.
  if (std::string_view(error.what()).starts_with("--write: ")) return {};
  const std::string said = command_said(arguments);
  MendedLine mended;
  try {
    mended = mended_line(arguments, said, error.what(), error.option(), works);
  } catch (const std::exception& failure) {  // the refusal itself is told all the same
    mended.notes.push_back("internal error, please report: " + std::string(failure.what()));
  }
  add_own_file_note(error.what(), mended);
  add_memory_note(error.what(), mended);
  const bool other = said == "plan" && asks_of_no_model(mended);
  if (!mended.line.empty() && !other) return mended;
  if (said == "plan") {
    MendedLine planned = plan_cure(arguments);
    if (!planned.line.empty()) return planned;
  }
  if (const std::string file = config_named(arguments, said); !file.empty()) {
    return {.line = shell_line({"ask", "--config", file}), .command = "ask", .example = true};
  }
  const std::string& command = error.command().empty() ? said : error.command();
  const std::string line = example_of(command, error.option());
  return {.line = line, .command = command, .example = !line.starts_with("sizesheet help ")};
}

void tell_unknown_command(const UnknownCommand& error, const std::vector<std::string>& arguments,
                          const Streams& streams, const LineTrial& works) {
  const MendedLine mended = cure_of(arguments, error, works);
  const std::string_view listed = list_of_noun(mended.command);
  const std::string found = mended.example    ? error.command()
                            : !listed.empty() ? std::string(listed)
                                              : command_said({mended.command});
  tell_error(error.what() + ("; " + (found.empty() ? "ask" : found)) + " does that", mended,
             arguments, streams);
}

}  // namespace sizesheet
