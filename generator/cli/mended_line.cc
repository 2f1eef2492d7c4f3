// SPDX-License-Identifier: Apache-2.0
#include "cli/mended_line.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/examples.h"
#include "cli/foreign_words.h"
#include "cli/meant_line.h"
#include "cli/near_lines.h"
#include "cli/question_table.h"
#include "cli/question_words.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The words that a shorter line lacks, an option with its value; of one as long those that are no
/// figure in another form.
std::vector<std::string> lacking(const std::vector<std::string>& arguments,
                                 std::vector<std::string> line) {
  const bool shorter = line.size() < arguments.size();
  std::vector<std::string> left_out;
  bool option = false;
  for (const std::string& word : arguments) {
    const auto there = std::ranges::find(line, word);
    const bool kept = there != line.end();
    if (kept) {
      line.erase(there);
    } else if (option && !looks_like_option(word) && shorter) {
      left_out.back() += " " + word;
    } else if (shorter || word.find_first_of("./") != word.npos) {
      left_out.push_back(word);
    }
    option = !kept && shorter && looks_like_option(word);
  }
  return left_out;
}

/// "--examples 20000 is an example" of each value that nobody said.
std::vector<std::string> example_notes(const std::vector<std::string>& arguments,
                                       const std::vector<std::string>& line) {
  std::vector<std::string> notes;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const QuestionWord* word = question_word(line[i - 1]);
    const bool said = std::ranges::any_of(arguments, [&](const std::string& argument) {
      return argument.find(line[i]) != argument.npos;
    });
    if (word == nullptr || said || line[i] != word->example) continue;
    if (contains(arguments, line[i - 1])) continue;  // a value of the same option that was wrong
    notes.push_back(line[i - 1] + " " + line[i] + " is an example");
  }
  return notes;
}

/// The first that works of the lines near the one that was refused; none where none does.
MendedLine first_that_works(const std::vector<std::string>& arguments,
                            std::vector<std::vector<std::string>> near, bool spelled_right,
                            const LineTrial& works) {
  constexpr std::size_t kMostTried = 6;
  if (near.size() > kMostTried) near.resize(kMostTried);
  const auto found = std::ranges::find_if(near, works);
  if (found == near.end()) return {};
  return {shell_line(*found),
          spelled_right ? std::vector<std::string>() : lacking(arguments, *found),
          spelled_right ? std::vector<std::string>() : example_notes(arguments, *found),
          found->front()};
}

/// The first of the lines of `meant_lines` that works; nullopt where none does.
std::optional<MeantLine> first_meant(const std::vector<std::string>& arguments,
                                     const LineTrial& works) {
  for (const MeantLine& line : meant_lines(arguments)) {
    if (line.words != arguments && works(line.words)) return line;
  }
  return std::nullopt;
}

/// Options that other programs call otherwise, by our names.
std::vector<std::string> with_our_options(std::vector<std::string> words) {
  for (std::string& word : words) {
    const std::size_t end = std::min(word.find('='), word.size());
    const ForeignOption* foreign = foreign_option(word.substr(0, end));
    if (foreign == nullptr || foreign->form != OptionForm::kSame) continue;
    word = std::string(foreign->ours) + word.substr(end);
  }
  return words;
}

/// Whether a sentence asks for what is not done, so that no line can answer it.
bool asks_not_done(const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments, [](const std::string& argument) {
    return std::ranges::any_of(split(argument, ' '), [](const std::string& word) {
      const NotDone* none = not_done(small_letters(word));
      return none != nullptr && none->command.empty();
    });
  });
}

/// "diff" of "help diff", where the help is what answers.
std::string command_of(const std::vector<std::string>& line) {
  const bool helps = line.size() == 2 && line.front() == "help" && asks_in_words(line.back());
  return helps ? line.back() : line.front();
}

/// A training config that a command of editions was given: `ask` reads it.
std::optional<MendedLine> line_of_config(const std::vector<std::string>& arguments,
                                         const LineTrial& works) {
  std::error_code none;
  const auto file = std::find_if(arguments.begin() + 1, arguments.end(), [&](const auto& word) {
    return is_config_file(word) && !word.ends_with(".json") &&
           std::filesystem::is_regular_file(word, none);
  });
  if (file == arguments.end()) return std::nullopt;
  const std::vector<std::string> asked = {"ask", "--config", *file};
  if (!works(asked)) return std::nullopt;
  return MendedLine{shell_line(asked), {}, {"ask reads a training config"}, "ask"};
}

/// The options that `init` takes; the others are left out. A trial of `init` would write its file,
/// so `ask` tries the names.
std::optional<MendedLine> line_of_init(const std::vector<std::string>& arguments,
                                       const LineTrial& works) {
  std::vector<std::string> line = {arguments.front()};
  std::vector<std::string> left_out;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const QuestionWord* word = question_word(arguments[i]);
    const bool value = i + 1 < arguments.size() && !looks_like_option(arguments[i + 1]);
    std::vector<std::string> said = {arguments[i]};
    if (looks_like_option(arguments[i]) && value) said.push_back(arguments[++i]);
    const bool takes =
        word != nullptr && std::ranges::count(word->commands, std::string_view("init"));
    if (takes) {
      line.insert(line.end(), said.begin(), said.end());
    } else {
      left_out.push_back(join(said, " "));
    }
  }
  std::vector<std::string> asked = line;
  asked.front() = "ask";
  if (left_out.empty() || line.size() == 1 || !works(asked)) return std::nullopt;
  return MendedLine{shell_line(line),
                    left_out,
                    {"init writes a sheet of questions; its \"methods\" can be edited"},
                    "init"};
}

/// Of `diff` alone: what it compares.
MendedLine help_on_changes() {
  return {shell_line({"help", "diff"}), {}, {std::string(kChangesNote)}, "diff"};
}

}  // namespace

bool asks_in_words(const std::string& command) {
  return contains({"", "ask", "compare", "cost", "diff", "estimate", "explain", "fits", "gpus",
                   "list", "models", "plan", "prices", "providers", "sweep"},
                  command);
}

MendedLine mended_line(const std::vector<std::string>& arguments, const std::string& command,
                       const std::string& error, const std::string& option,
                       const LineTrial& works) {
  const bool in_words = asks_in_words(command);
  if (arguments.empty()) return {};
  if (const NotDone* none = not_done_first(arguments); none != nullptr && !none->command.empty()) {
    const std::string help(none->command);
    return {shell_line({"help", help}), {}, {}, help};
  }
  if (asks_not_done(arguments)) return {};
  if (command == "diff" && arguments.size() == 1) return help_on_changes();
  if (command == "build") {
    if (auto line = line_of_config(arguments, works)) return *line;
  }
  if (command == "init") {
    if (auto line = line_of_init(arguments, works)) return *line;
  }
  // A plan and a table take long: the line that helps is not worth a second one.
  const bool near = in_words && !contains({"compare", "plan", "sweep"}, command);
  if (command == "record") {  // another command would not keep the run
    const std::vector<std::string> renamed = with_our_options(arguments);
    if (renamed != arguments && works(renamed)) return {shell_line(renamed), {}, {}, command};
    return first_that_works(arguments, near_lines(arguments, error, option).same, true, works);
  }
  if (!in_words && command != "help") return {};
  const NearLines lines = near ? near_lines(arguments, error, option) : NearLines();
  MendedLine same = first_that_works(arguments, lines.same, true, works);
  if (!same.line.empty()) return same;
  const std::optional<MeantLine> meant = first_meant(arguments, works);
  const auto told = [](const MeantLine& line) {
    const std::string to = line.file.empty() ? "" : " > " + shell_word(line.file);
    return MendedLine{shell_line(line.words) + to, line.left_out, line.notes,
                      command_of(line.words)};
  };
  if (meant && meant->left_out.empty()) return told(*meant);
  const MendedLine other = first_that_works(arguments, lines.other, false, works);
  const bool invents = !other.notes.empty();  // an example in the place of a value
  const bool less_left =
      meant && (other.left_out.size() < meant->left_out.size() ||
                (other.left_out.size() == meant->left_out.size() && meant->notes.empty()));
  const bool nearer = !meant || (less_left && !invents);
  if (!other.line.empty() && nearer) return other;
  return meant ? told(*meant) : MendedLine();
}

}  // namespace sizesheet
