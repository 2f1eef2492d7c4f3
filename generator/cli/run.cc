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
#include "cli/command_line.h"
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
#include "cli/import_model.h"
#include "cli/import_prices.h"
#include "cli/init.h"
#include "cli/list.h"
#include "cli/man.h"
#include "cli/measure_script.h"
#include "cli/mended_line.h"
#include "cli/plan.h"
#include "cli/record.h"
#include "cli/refusals.h"
#include "cli/schema.h"
#include "cli/sweep.h"
#include "cli/told_error.h"
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

/// kTrial: a line that somebody may have meant. Nobody has asked for its files yet.
enum class Dispatch { kWhole, kTrial };

/// Whether the parsed line writes files.
bool writes_files(const CLI::App& app) {
  const CLI::App& command = *app.get_subcommands().front();
  const auto says = [&](const char* name) {
    const CLI::Option* option = command.get_option_no_throw(name);
    return option != nullptr && option->count() > 0;
  };
  if (command.get_name() == "record") return !says("--dry-run");
  constexpr const char* kOptions[] = {"--out", "--write", "--write-intervals",
                                      "--write-speed-intervals", "--yes"};
  return contains({"build", "init"}, command.get_name()) || std::ranges::any_of(kOptions, says);
}

/// Parses, runs the chosen command; CLI11's help and version go to `out`, its complaints to `err`.
/// A trial of a line that writes files ends when it is parsed.
int dispatch(const std::vector<std::string>& arguments, const Streams& streams, Dispatch how) {
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
  if (how == Dispatch::kTrial && writes_files(app)) return 0;
  tell_ground(app, streams.err);
  if (const std::string meant = question_command(app, arguments); !meant.empty()) {
    streams.err << in_quotes(arguments.front()) << " is answered by " << meant << '\n';
  }
  return chosen();
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

/// What `check` is asked of the catalog and the sheet of a line of `build`.
std::vector<std::string> line_of_check(const std::vector<std::string>& line) {
  std::vector<std::string> check = {"check"};
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (contains({"--catalog", "--sheet"}, line[i]) && i + 1 < line.size()) {
      check.push_back(line[i]);
      check.push_back(line[++i]);
    } else if (line[i].starts_with("--catalog=") || line[i].starts_with("--sheet=")) {
      check.push_back(line[i]);
    }
  }
  return check;
}

/// Whether the line gives an answer, be it no. It writes no file.
bool works(const std::vector<std::string>& line) {
  std::istringstream in;
  std::ostringstream out;
  const Streams unseen{in, out, out};
  const auto code_of = [&](const std::vector<std::string>& words) {
    return dispatch(words, unseen, Dispatch::kTrial);
  };
  try {
    const std::vector<std::string> unwritten = without_files(line);
    if (code_of(line) >= 2 || (unwritten != line && code_of(unwritten) >= 2)) return false;
    return line.empty() || line.front() != "build" || code_of(line_of_check(line)) == 0;
  } catch (const std::exception&) {  // as wrong as the line that was refused
    return false;
  }
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
    return cure == Cure::kSought ? cure_of(arguments, error, works) : MendedLine();
  };
  try {
    const int code = dispatch(arguments, streams, Dispatch::kWhole);
    if (!out.flush()) throw OutputError("stdout: could not be written");
    return code;
  } catch (const OutputError& error) {
    if (!out && reader_is_gone(out)) return kReaderGone;
    tell_error(error.what(), {}, arguments, streams);
  } catch (const UnknownCommand& error) {
    tell_unknown_command(error, arguments, streams, works);
  } catch (const UsageError& error) {
    tell_error(error.what(), cured(error), arguments, streams);
  } catch (const InputError& error) {
    if (!out && reader_is_gone(out)) return kReaderGone;
    const std::string words = error.what();
    const bool in_words = asks_in_words(command_said(arguments)) && !is_shortage(words) &&
                          !is_about_file(arguments, words);
    const std::string said = command_said(arguments);
    MendedLine mended = in_words ? cured(UsageError(error.what())) : MendedLine();
    if (said == "plan" && !in_words && !is_shortage(words)) mended = plan_cure(arguments);
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
