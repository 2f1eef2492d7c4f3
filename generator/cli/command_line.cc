// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "cli/foreign_words.h"
#include "cli/near_lines.h"
#include "cli/question_table.h"
#include "cli/question_words.h"
#include "cli/refusals.h"
#include "support/error.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The command of ours that a word of people means; "" where it is none.
std::string other_command(const std::string& word) { return std::string(command_meant(word)); }

void refuse_not_done(const std::string& word) {
  if (const NotDone* none = not_done(word)) {
    throw UsageError(std::string(none->why), "", std::string(none->command));
  }
}

/// Words of a question before its first option that ask for what is not done: "pretrain a model
/// from scratch". Other commands have files, which may have any name.
void refuse_not_done_in(const CLI::App& app, const std::vector<std::string>& arguments) {
  const std::string& first = arguments.front();
  const bool asks = contains({"ask", "cost", "explain", "fits"}, first);
  if (contains(commands_of(app), first) && !asks) return;
  for (const std::string& argument : arguments) {
    if (looks_like_option(argument)) return;
    for (const std::string& word : split(argument, ' ')) {
      const NotDone* none = not_done(small_letters(word));
      if (none != nullptr && none->command.empty()) refuse_not_done(small_letters(word));
    }
  }
}

/// Whether an option of a question is said that no list takes.
bool has_option_of_question(const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [](const std::string& word) {
    const QuestionWord* option = question_word(word.substr(0, word.find('=')));
    return option != nullptr && !std::ranges::any_of(option->commands, [](std::string_view one) {
             return one == "list";
           });
  });
}

/// Lists by their names: `methods` is `list methods`, `model` is `models`.
std::vector<std::string> list_of(const CLI::App& app, const std::vector<std::string>& said) {
  const std::string& word = said.front();
  const std::string letters = small_letters(word);
  if (has_option_of_question(said) && !contains(commands_of(app), letters)) return {};
  for (const std::string& what : {letters, letters + "s"}) {
    if (contains({"methods", "stacks", "services", "sheets"}, what)) return {"list", what};
    if (what != word && contains({"models", "gpus", "prices", "providers"}, what)) return {what};
  }
  if (letters != word && contains(commands_of(app), letters)) return {letters};
  return {};
}

/// "--list-gpus" is `gpus`; "" for another word.
std::string list_option(const std::string& word) {
  constexpr std::string_view kList = "--list-";
  if (!word.starts_with(kList)) return "";
  const std::string what = word.substr(kList.size());
  return contains({"models", "gpus", "prices", "providers"}, what) ? what : "";
}

/// "--gpus 8xH200" says the cards too, as "--gpu 8xH200" does.
std::vector<std::string> with_cards(std::vector<std::string> words) {
  const bool named = contains(words, std::string("--gpu"));
  for (std::size_t i = 0; i + 1 < words.size() && !named; ++i) {
    const QuestionWord* option = question_word(words[i]);
    const bool counts = option != nullptr && option->name == std::string_view("--gpus");
    const std::size_t sign = words[i + 1].find_first_of("xX*:");
    if (!counts || sign == 0 || sign == std::string::npos) continue;
    if (std::all_of(words[i + 1].begin(), words[i + 1].begin() + static_cast<std::ptrdiff_t>(sign),
                    is_digit)) {
      words[i] = "--gpu";
    }
  }
  return words;
}

/// "--model", "--gpu=h100": an option of a question, and none of the program itself.
bool is_option_of(const std::string& word, std::string_view command) {
  const QuestionWord* option = question_word(word.substr(0, word.find('=')));
  return option != nullptr && std::ranges::any_of(option->commands, [&](std::string_view one) {
           return one == command;
         });
}

/// "gpus list", "models search qwen": the verb behind a list says nothing more.
std::vector<std::string> without_list_verb(std::vector<std::string> words) {
  const bool list = contains({"models", "gpus", "prices", "providers"}, words.front());
  if (list && words.size() > 1 &&
      contains({"list", "ls", "show", "search", "find", "all"}, words[1])) {
    words.erase(words.begin() + 1);
  }
  return words;
}

/// A question without a command's name is one to `ask`: it begins with a model, a method or an
/// option of `ask`.
bool is_question(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string& first = words.front();
  const std::vector<std::string> known = commands_of(app);
  if (first.starts_with("-")) return is_option_of(first, "ask");
  if (contains(known, first) || !other_command(first).empty()) return false;
  if (begins_question(first)) return true;
  // "llama lora h100", where no command has nearly the first word's name.
  return words.size() > 1 && did_you_mean(first, known).empty() &&
         std::any_of(words.begin() + 1, words.end(), begins_question);
}

/// `help` is --help, `help COMMAND` is COMMAND --help; of another word it is left to `help`.
std::vector<std::string> help_asked(const CLI::App& app,
                                    const std::vector<std::string>& arguments) {
  if (arguments.size() == 1) return {"--help"};
  if (arguments[1].starts_with("-") && question_word(arguments[1]) == nullptr) return arguments;
  if (arguments.back() == "--json") return {kHelp, "--json"};
  if (arguments.size() > 2) {
    if (!contains(commands_of(app), arguments[1])) return arguments;
    throw UsageError("help: expected one command, got " + shown(Json(arguments[2])) + " too");
  }
  if (contains(commands_of(app), arguments[1])) return {arguments[1], "--help"};
  const std::string ours = other_command(arguments[1]);
  const bool verb = contains(commands_of(app), ours) && ours != kHelp;
  return verb ? std::vector<std::string>{ours, "--help"}
              : std::vector<std::string>{kHelp, "--", arguments[1]};
}

/// `build FILE` is `build --sheet FILE`.
std::vector<std::string> with_sheet(std::vector<std::string> words) {
  if (words.front() == "build" && words.size() > 1 && !words[1].starts_with("-")) {
    words.insert(words.begin() + 1, "--sheet");
  }
  return words;
}

/// "--model", "--config": what a question is about.
bool names_model_option(const std::string& word) {
  const QuestionWord* option = question_word(word.substr(0, word.find('=')));
  return option != nullptr && contains({"--model", "--config"}, option->name);
}

/// Whether the word behind a command is a file or a folder of it, be it there or not; "owner/name"
/// with more names behind it is a model.
bool names_file(const std::vector<std::string>& words) {
  const std::string& word = words[1];
  std::error_code none;
  if (std::filesystem::exists(word, none) || word.ends_with(".json")) return true;
  const bool alone = std::all_of(words.begin() + 2, words.end(), looks_like_option);
  const bool from_root = word.find_first_of("/.~") == 0;
  return word.find('/') != std::string::npos && (alone || from_root);
}

}  // namespace

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::App* one : app.get_subcommands({})) known.push_back(one->get_name());
  return known;
}

void refuse_unknown(const CLI::App& app, const std::string& command) {
  const std::vector<std::string> known = commands_of(app);
  if (command.starts_with("-") || contains(known, command)) return;
  if (const std::string ours = other_command(command); !ours.empty()) {
    throw UnknownCommand("no command " + shown(Json(command)), ours);
  }
  throw UsageError("no command " + shown(Json(command)) + did_you_mean(command, known) +
                   "; sizesheet help lists them");
}

std::string question_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() < 2) return "";
  const std::string first = small_letters(words.front());
  const bool ours = contains(commands_of(app), first);
  const bool checks = contains({"check", "verify", "validate"}, first);
  // `fits` reads no training config: `ask` says of one whether it fits.
  const bool of_file = (checks || first == "fits") && std::ranges::any_of(words, is_training_file);
  const bool asks = of_file || contains({"plan", "estimate", "build"}, first);
  const std::string meant = asks ? "ask" : checks ? "fits" : ours ? "" : other_command(first);
  if (!contains({"ask", "compare", "cost", "explain", "fits"}, meant)) return "";
  const std::string& second = words[1];
  if (of_file) return meant;
  // An edition for `verify`, a sheet for `build`.
  if ((checks || first == "build") && names_file(words)) return "";
  const bool model = !ours || std::ranges::any_of(words, names_model_option);
  const bool question =
      second.starts_with("-") ? model && is_option_of(second, meant) : begins_question(second);
  return question ? meant : "";
}

std::vector<std::string> understood(const CLI::App& app, const std::vector<std::string>& said) {
  std::vector<std::string> arguments = with_cards(said);
  const bool on_something = arguments.size() > 1 && !looks_like_option(arguments[1]);
  if (on_something && contains({"--help", "-h"}, arguments.front())) arguments.front() = kHelp;
  if (not_done_first(arguments) != nullptr) refuse_not_done(arguments.front());
  refuse_not_done_in(app, arguments);
  const std::string listed = list_option(arguments.front());
  std::vector<std::string> words =
      listed.empty() ? list_of(app, arguments) : std::vector<std::string>{listed};
  if (!words.empty()) {
    words.insert(words.end(), arguments.begin() + 1, arguments.end());
    return without_list_verb(words);
  }
  if (const std::string meant = question_command(app, arguments); !meant.empty()) {
    words = {meant};
    words.insert(words.end(), arguments.begin() + 1, arguments.end());
    return words;
  }
  if (contains(commands_of(app), arguments.front())) {
    const std::vector<std::string> listed_words = without_list_verb(arguments);
    if (listed_words.size() < arguments.size()) return listed_words;
  }
  if (is_option_of(arguments.front(), "fits") && !is_option_of(arguments.front(), "ask")) {
    words = {"fits"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
  }
  if (is_question(app, arguments)) {
    words = {"ask"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
  }
  refuse_unknown(app, arguments.front());
  return arguments.front() == kHelp ? help_asked(app, arguments) : with_sheet(arguments);
}

void refuse_file_to_validate(const std::vector<std::string>& words) {
  if (words.front() != "validate" || words.size() < 2 || words[1].starts_with("-")) return;
  throw UsageError(
      "validate: compares the engine with published runs, and takes no file; verify checks the "
      "folder of an edition, check a catalog",
      "", "verify");
}

}  // namespace sizesheet
