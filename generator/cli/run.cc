// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>

#include "catalog/catalog.h"
#include "catalog/files/layer.h"
#include "catalog/files/loader.h"
#include "cli/ask.h"
#include "cli/build.h"
#include "cli/check.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/completion.h"
#include "cli/cost.h"
#include "cli/diff.h"
#include "cli/estimate.h"
#include "cli/explain.h"
#include "cli/fits.h"
#include "cli/import_model.h"
#include "cli/import_prices.h"
#include "cli/init.h"
#include "cli/list.h"
#include "cli/man.h"
#include "cli/plan.h"
#include "cli/schema.h"
#include "cli/sweep.h"
#include "cli/validate.h"
#include "cli/verify.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
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
    const bool option = argument.starts_with("--") && argument.ends_with('=');
    if (!argument.empty() && !option) continue;
    const std::string name = option  ? argument.substr(0, argument.size() - 1)
                             : i > 0 ? arguments[i - 1]
                                     : "the command";
    throw InputError(name + ": expected a value, got \"\"");
  }
}

constexpr const char* kHelp = "help";

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::App* one : app.get_subcommands({})) known.push_back(one->get_name());
  return known;
}

void refuse_unknown(const CLI::App& app, const std::string& command) {
  const std::vector<std::string> known = commands_of(app);
  if (command.starts_with("-") || contains(known, command)) return;
  throw InputError("no command " + shown(Json(command)) + did_you_mean(command, known) +
                   "; sizesheet help lists them");
}

/// `sizesheet MODEL …` asks for it: names of models have a digit or an owner, those of commands
/// have neither.
bool names_a_model(const CLI::App& app, const std::string& word) {
  if (word.starts_with("-") || contains(commands_of(app), word)) return false;
  return word.find('/') != word.npos || std::ranges::any_of(word, is_digit);
}

/// `help` is --help, `help COMMAND` is COMMAND --help.
std::vector<std::string> understood(const CLI::App& app,
                                    const std::vector<std::string>& arguments) {
  if (names_a_model(app, arguments.front())) {
    std::vector<std::string> asking = {"ask"};
    asking.insert(asking.end(), arguments.begin(), arguments.end());
    return asking;
  }
  refuse_unknown(app, arguments.front());
  const bool help = arguments.front() == kHelp;
  if (!help || (arguments.size() > 1 && arguments[1].starts_with("-"))) return arguments;
  if (arguments.size() == 1) return {"--help"};
  refuse_unknown(app, arguments[1]);
  if (arguments.size() > 2) {
    throw InputError("help: expected one command, got " + shown(Json(arguments[2])) + " too");
  }
  return {arguments[1], "--help"};
}

/// The version, then the day of the facts that are compiled in and their hash, as an edition made
/// of them has it.
std::string version_text() {
  const CatalogFiles files = read_catalog_files(kBuiltInCatalog, kWholeCatalog);
  const std::string sheet = "sheets/" + CommonOptions().sheet + ".json";
  return tool_version() + "\ncatalog " + kBuiltInCatalog + ": " +
         parse_json(files.at(sheet), sheet).at("as_of").get<std::string>() + ", SHA-256 " +
         hash_of(files);
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

/// Parses, runs the chosen command; CLI11's help and version go to `out`, its complaints to `err`.
int dispatch(const std::vector<std::string>& arguments, const Streams& streams) {
  CLI::App app("GPU sizing sheets for fine-tuning: memory, counts, hours, money", "sizesheet");
  app.footer(kFooter);
  app.set_version_flag("--version", version_text,
                       "The program's version, its catalog's day and hash");
  app.require_subcommand(1);
  Command chosen;
  add_commands(app, streams, chosen);
  app.add_subcommand(kHelp, "List the commands, or the options of one: help COMMAND")
      ->add_option("command", "The command");
  refuse_empty(arguments);
  if (arguments.empty()) {
    streams.err << app.help();
    return 2;
  }
  const std::vector<std::string> words = understood(app, arguments);
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error, streams.out);  // help, version
    streams.err << plain_text(error.what()) << "\nRun with --help for more information.\n";
    return 2;
  }
  tell_ground(app, streams.err);
  return chosen();
}

/// True when `out` is stdout and whoever read it has gone, as `head` does when it has enough.
bool reader_is_gone(const std::ostream& out) {
  pollfd stdout_of_ours{STDOUT_FILENO, 0, 0};
  return &out == &std::cout && poll(&stdout_of_ours, 1, 0) == 1 &&
         (stdout_of_ours.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

void add_commands(CLI::App& app, const Streams& streams, Command& chosen) {
  for (const auto add :
       {add_ask, add_init, add_build, add_estimate, add_cost, add_explain, add_fits, add_plan,
        add_sweep, add_check, add_list, add_import_model, add_import_prices, add_validate,
        add_verify, add_diff, add_schema, add_completion, add_man}) {
    add(app, streams, chosen);
  }
}

int run(const std::vector<std::string>& arguments, std::istream& in, std::ostream& out,
        std::ostream& err) {
  const Streams streams{in, out, err};
  try {
    const int code = dispatch(arguments, streams);
    if (!out.flush()) throw InputError("stdout: could not be written");
    return code;
  } catch (const InputError& error) {
    if (!out && reader_is_gone(out)) return kReaderGone;
    err << "sizesheet: " << plain_lines(error.what()) << '\n';
  } catch (const std::system_error& error) {  // the machine refused: no threads, no memory file
    err << "sizesheet: " << error.what() << '\n';
  } catch (const std::bad_alloc&) {
    err << kOutOfMemory;
  } catch (const std::exception& error) {
    err << "sizesheet: internal error, please report: " << error.what() << '\n';
  }
  return 2;
}

void end_without_unwinding() {
  try {
    if (std::current_exception() != nullptr) throw;
  } catch (const std::bad_alloc&) {
    static_cast<void>(!::write(STDERR_FILENO, kOutOfMemory.data(), kOutOfMemory.size()));
    _exit(2);
  } catch (...) {  // told by the abort
  }
  std::abort();
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
