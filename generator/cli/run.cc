// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/files/layer.h"
#include "catalog/files/loader.h"
#include "cli/ask.h"
#include "cli/build.h"
#include "cli/check.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/compare.h"
#include "cli/completion.h"
#include "cli/concept_help.h"
#include "cli/cost.h"
#include "cli/diff.h"
#include "cli/estimate.h"
#include "cli/examples.h"
#include "cli/explain.h"
#include "cli/fits.h"
#include "cli/foreign_words.h"
#include "cli/import_model.h"
#include "cli/import_prices.h"
#include "cli/init.h"
#include "cli/list.h"
#include "cli/man.h"
#include "cli/measure_script.h"
#include "cli/mended_line.h"
#include "cli/near_lines.h"
#include "cli/plan.h"
#include "cli/question_table.h"
#include "cli/question_words.h"
#include "cli/record.h"
#include "cli/refusals.h"
#include "cli/schema.h"
#include "cli/sweep.h"
#include "cli/validate.h"
#include "cli/verify.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done; 1 the answer is no; 2 could not do it.\n"
    "stdout is data, stderr is talk.";

constexpr std::string_view kOutOfMemory = "sizesheet: out of memory\n";

constexpr int kReaderGone = 128 + SIGPIPE;  // as a shell reports `list prices | head` of any tool

/// CLI11 takes an empty value for none at all.
void refuse_empty(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool option = argument.starts_with("--") && argument.ends_with('=') &&
                        argument.find('=') == argument.size() - 1;
    if (!argument.empty() && !option) continue;
    const std::string name = option  ? argument.substr(0, argument.size() - 1)
                             : i > 0 ? arguments[i - 1]
                                     : "the command";
    throw UsageError(name + ": expected a value, got \"\"");
  }
}

/// What reads a question looks at each word beside each other one.
void refuse_many_words(const std::vector<std::string>& arguments) {
  constexpr std::size_t kMostWords = 2000;
  if (arguments.size() <= kMostWords) return;
  throw UsageError("expected at most " + format_integer(kMostWords) + " words, got " +
                   format_integer(static_cast<std::int64_t>(arguments.size())));
}

constexpr const char* kHelp = "help";

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::App* one : app.get_subcommands({})) known.push_back(one->get_name());
  return known;
}

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

void refuse_unknown(const CLI::App& app, const std::string& command) {
  const std::vector<std::string> known = commands_of(app);
  if (command.starts_with("-") || contains(known, command)) return;
  if (const std::string ours = other_command(command); !ours.empty()) {
    throw UnknownCommand("no command " + shown(Json(command)), ours);
  }
  throw UsageError("no command " + shown(Json(command)) + did_you_mean(command, known) +
                   "; sizesheet help lists them");
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

/// The command of ours that a question under another name is for, "ask" of `plan --model …` and
/// "explain" of `memory llama-3.1-8b …`; "" for other lines.
std::string question_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() < 2) return "";
  const std::string first = small_letters(words.front());
  const bool ours = contains(commands_of(app), first);
  const std::string meant = contains({"plan", "estimate"}, first) ? "ask"
                            : ours                                ? ""
                                                                  : other_command(first);
  if (!contains({"ask", "compare", "cost", "explain", "fits"}, meant)) return "";
  const std::string& second = words[1];
  const bool model = !ours || std::ranges::any_of(words, names_model_option);
  const bool question =
      second.starts_with("-") ? model && is_option_of(second, meant) : begins_question(second);
  return question ? meant : "";
}

/// The line with the command, the lists and the options that it means.
std::vector<std::string> understood(const CLI::App& app, const std::vector<std::string>& said) {
  const std::vector<std::string> arguments = with_cards(said);
  refuse_not_done(arguments.front());
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

/// The version, the day of the facts that are compiled in and their hash, as an edition made of
/// them has it.
Json version_json() {
  const CatalogFiles files = read_catalog_files(kBuiltInCatalog, kWholeCatalog);
  const std::string sheet = "sheets/" + CommonOptions().sheet + ".json";
  return {{"version", tool_version()},
          {"catalog", kBuiltInCatalog},
          {"as_of", parse_json(files.at(sheet), sheet).at("as_of")},
          {"sha256", hash_of(files)}};
}

std::string version_text() {
  const Json version = version_json();
  const auto text = [&](const char* key) { return version.at(key).get<std::string>(); };
  return text("version") + "\ncatalog " + text("catalog") + ": " + text("as_of") + ", SHA-256 " +
         text("sha256");
}

/// Every command with its options, as the parser has them.
Json help_json(const CLI::App& app) {
  Json commands = Json::array();
  for (const CLI::App* command : app.get_subcommands({})) {
    Json options = Json::array();
    for (const CLI::Option* option : command->get_options()) {
      Json names = Json::array();
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      options.push_back(
          {{"name",
            option->get_positional() ? option->get_name(true) : names[0].get<std::string>()},
           {"names", names},
           {"value",
            option->get_items_expected_max() == 0 ? Json() : Json(option->get_type_name())},
           {"words", option->get_description()}});
    }
    commands.push_back({{"name", command->get_name()},
                        {"words", command->get_description()},
                        {"options", std::move(options)}});
  }
  Json examples = Json::array();
  for (const ExampleQuestion& one : example_questions()) {
    examples.push_back({{"question", one.question}, {"command", shell_line(one.words)}});
  }
  return {{"commands", std::move(commands)}, {"examples", std::move(examples)}};
}

void add_version(CLI::App& app, const Streams& streams, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("version", "Print the program's version, its catalog's day and hash");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "The same as JSON");
  set_run(*command, chosen, [json, &streams] {
    streams.out << (*json ? json_text(version_json()) : version_text()) << '\n';
    return 0;
  });
}

/// "" too where the catalog at hand is at fault: then no word has a meaning.
std::string help_on(const std::string& name) {
  try {
    return concept_help(name);
  } catch (const InputError&) {
    return "";
  }
}

/// The help on what is no command. Throws UsageError for what is nothing.
int print_concept(const CLI::App& app, const std::string& name, const Streams& streams) {
  const std::string text = help_on(name);
  if (text.empty()) refuse_unknown(app, name);
  streams.out << text;
  return 0;
}

void add_help(CLI::App& app, const Streams& streams, Command& chosen) {
  CLI::App* command =
      app.add_subcommand(kHelp, "List the commands, or the options of one: help COMMAND");
  const auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("words", *words, "A command, or a method, a GPU, a model, a seller");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "All commands and their options as JSON");
  set_run(*command, chosen, [json, words, &app, &streams] {
    if (!words->empty()) return print_concept(app, join(*words, " "), streams);
    streams.out << (*json ? json_text(help_json(app)) + "\n" : app.help());
    return 0;
  });
}

/// Says where the chosen command's catalog is laid over the one that is compiled in.
void tell_ground(const CLI::App& app, std::ostream& err) {
  for (const CLI::App* command : app.get_subcommands()) {
    const CLI::Option* option = command->get_option_no_throw("--catalog");
    if (option == nullptr) continue;
    const auto given = option->count() > 0 ? CatalogLayers(option->results()) : named_catalog();
    const std::string words = ground_words(given);
    if (!words.empty()) err << words << '\n';
  }
}

/// What people expect of `validate` that other commands do.
void refuse_file_to_validate(const std::vector<std::string>& words) {
  if (words.front() != "validate" || words.size() < 2 || words[1].starts_with("-")) return;
  throw UsageError(
      "validate: compares the engine with published runs, and takes no file; verify checks the "
      "folder of an edition, check a catalog",
      "", "verify");
}

/// Parses, runs the chosen command; CLI11's help and version go to `out`, its complaints to `err`.
int dispatch(const std::vector<std::string>& arguments, const Streams& streams) {
  CLI::App app("GPU sizing sheets for fine-tuning: memory, counts, hours, money", "sizesheet");
  app.footer(kFooter);
  app.formatter(help_formatter());
  app.set_version_flag("--version,-V", version_text,
                       "The program's version, its catalog's day and hash");
  app.require_subcommand(1);
  Command chosen;
  add_commands(app, streams, chosen);
  add_version(app, streams, chosen);
  add_help(app, streams, chosen);
  refuse_empty(arguments);
  refuse_many_words(arguments);
  if (arguments.empty()) {
    streams.err << example_text();
    return 2;
  }
  const std::vector<std::string> words = understood(app, arguments);
  refuse_file_to_validate(words);
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error, streams.out);  // help, version
    throw parse_refusal(app, words, error);
  }
  tell_ground(app, streams.err);
  if (const std::string meant = question_command(app, arguments); !meant.empty()) {
    streams.err << in_quotes(arguments.front()) << " is answered by " << meant << '\n';
  }
  return chosen();
}

/// The command that a line names; "" where it names none that is known.
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

/// The line without the options that write files: it is tried, and what it would write is not asked
/// for.
std::vector<std::string> without_files(const std::vector<std::string>& line) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool writes = contains({"--write", "--out"}, line[i]);
    const bool joined = line[i].starts_with("--write=") || line[i].starts_with("--out=");
    if (writes) ++i;
    if (!writes && !joined) kept.push_back(line[i]);
  }
  if (!kept.empty() && kept.front() == "record") kept.emplace_back("--dry-run");
  return kept;
}

/// Whether the line gives an answer, be it no.
bool works(const std::vector<std::string>& line) {
  std::istringstream in;
  std::ostringstream out;
  const Streams unseen{in, out, out};
  try {
    return dispatch(without_files(line), unseen) < 2;
  } catch (const std::exception&) {  // as wrong as the line that was refused
    return false;
  }
}

/// The error on stderr, with a command that works below it; as JSON on stdout, too, where the
/// answer would be JSON.
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

/// Whether the error is about a file that the line names: "train.yaml:3: …". Another line without
/// the file would answer something else.
bool is_about_file(const std::vector<std::string>& arguments, const std::string& words) {
  return std::ranges::any_of(arguments, [&](const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string file = equals == std::string::npos ? word : word.substr(equals + 1);
    return is_config_file(file) && words.starts_with(shown_path(file) + ":");
  });
}

/// The training config that a command was given which reads none; "" without one.
std::string config_named(const std::vector<std::string>& arguments, const std::string& command) {
  if (!contains({"plan", "check", "estimate", "cost", "compare", "sweep"}, command)) return "";
  const auto found = std::ranges::find_if(arguments, [](const std::string& word) {
    return word.ends_with(".yaml") || word.ends_with(".yml");
  });
  return found == arguments.end() ? "" : *found;
}

/// A line that works in the place of the one that was refused, else an example of its command.
MendedLine cure_of(const std::vector<std::string>& arguments, const UsageError& error) {
  constexpr std::size_t kMostWords = 200;  // of a line that somebody typed
  if (arguments.size() > kMostWords) return {};
  // Another line would write the config of another run.
  if (std::string_view(error.what()).starts_with("--write: ")) return {};
  const std::string said = command_said(arguments);
  MendedLine mended = mended_line(arguments, said, error.what(), error.option(), works);
  if (!mended.line.empty()) return mended;
  if (const std::string file = config_named(arguments, said); !file.empty()) {
    return {.line = shell_line({"ask", "--config", file}), .command = "ask", .example = true};
  }
  const std::string& command = error.command().empty() ? said : error.command();
  const std::string line = example_of(command, error.option());
  return {.line = line, .command = command, .example = !line.starts_with("sizesheet help ")};
}

/// `no command "show"; models does that`: the command is that of the line that works.
void tell_unknown_command(const UnknownCommand& error, const std::vector<std::string>& arguments,
                          const Streams& streams) {
  const MendedLine mended = cure_of(arguments, error);
  const std::string_view listed = list_of_noun(mended.command);
  const std::string found = mended.example    ? error.command()
                            : !listed.empty() ? std::string(listed)
                                              : command_said({mended.command});
  tell_error(error.what() + ("; " + (found.empty() ? "ask" : found)) + " does that", mended,
             arguments, streams);
}

/// The machine has no more of something: no other words of the command line would help.
bool is_shortage(const std::string& words) {
  constexpr int kShortages[] = {EMFILE, ENFILE, ENOMEM, ENOSPC, EIO};
  return std::ranges::any_of(kShortages, [&](int error) {
    return words.ends_with(": " + std::generic_category().message(error));
  });
}

/// True when `out` is stdout and whoever read it has gone, as `head` does when it has enough.
bool reader_is_gone(const std::ostream& out) {
  pollfd stdout_of_ours{STDOUT_FILENO, 0, 0};
  return &out == &std::cout && poll(&stdout_of_ours, 1, 0) == 1 &&
         (stdout_of_ours.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

void add_commands(CLI::App& app, const Streams& streams, Command& chosen) {
  for (const auto add : {add_ask,           add_init,       add_build,  add_estimate,
                         add_cost,          add_explain,    add_record, add_measure_script,
                         add_fits,          add_compare,    add_plan,   add_sweep,
                         add_check,         add_list,       add_lists,  add_import_model,
                         add_import_prices, add_validate,   add_verify, add_diff,
                         add_schema,        add_completion, add_man}) {
    add(app, streams, chosen);
  }
}

int run(const std::vector<std::string>& arguments, std::istream& in, std::ostream& out,
        std::ostream& err, Cure cure) {
  const Streams streams{in, out, err};
  const auto cured = [&](const UsageError& error) {
    return cure == Cure::kSought ? cure_of(arguments, error) : MendedLine();
  };
  try {
    const int code = dispatch(arguments, streams);
    if (!out.flush()) throw OutputError("stdout: could not be written");
    return code;
  } catch (const OutputError& error) {
    if (!out && reader_is_gone(out)) return kReaderGone;
    tell_error(error.what(), {}, arguments, streams);
  } catch (const UnknownCommand& error) {
    tell_unknown_command(error, arguments, streams);
  } catch (const UsageError& error) {
    tell_error(error.what(), cured(error), arguments, streams);
  } catch (const InputError& error) {
    if (!out && reader_is_gone(out)) return kReaderGone;
    const std::string words = error.what();
    const bool in_words = asks_in_words(command_said(arguments)) && !is_shortage(words) &&
                          !is_about_file(arguments, words);
    const std::string said = command_said(arguments);
    MendedLine mended = in_words ? cured(UsageError(error.what())) : MendedLine();
    if (said == "record") mended = {.line = example_of(said, ""), .command = said, .example = true};
    tell_error(error.what(), mended, arguments, streams);
  } catch (const std::overflow_error& error) {  // of sound figures that are out of proportion
    tell_error(error.what() + std::string("; ask for fewer tokens, or lower prices"), {}, arguments,
               streams);
  } catch (const std::system_error& error) {  // the machine refused: no threads, no memory file
    tell_error(error.what(), {}, arguments, streams);
  } catch (const std::bad_alloc&) {
    err << kOutOfMemory;
  } catch (const std::exception& error) {
    err << "sizesheet: internal error, please report: " << error.what() << '\n';
  }
  return 2;
}

void end_without_unwinding() {
  // libstdc++ ends some functions of its own before an exception is handled; then malloc's errno
  // tells.
  bool no_memory = std::current_exception() == nullptr && errno == ENOMEM;
  try {
    if (std::current_exception() != nullptr) throw;
  } catch (const std::bad_alloc&) {
    no_memory = true;
  } catch (...) {  // told by the abort
  }
  if (!no_memory) std::abort();
  static_cast<void>(!::write(STDERR_FILENO, kOutOfMemory.data(), kOutOfMemory.size()));
  _exit(2);
}

void secure_standard_streams() {
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    // Opened the wrong way round, so that reading or writing fails and is told.
    ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace sizesheet
