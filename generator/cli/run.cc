// SPDX-License-Identifier: Apache-2.0
// The whole program as a function, and the streams that it is started with.

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

#include "catalog/layer.h"
#include "catalog/loader.h"
#include "cli/command_parts.h"
#include "support/error.h"

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

/// What the environment or the working folder names, as it is.
CatalogLayers named_catalog() {
  const char* named = std::getenv("SIZESHEET_CATALOG");
  if (named != nullptr && *named != '\0') return CatalogLayers::in(named);
  std::error_code none;
  return std::filesystem::is_directory("catalog", none) ? "catalog" : kBuiltInCatalog;
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

CatalogLayers default_catalog() { return on_ground(named_catalog()); }

std::filesystem::path folder_to_merge_into(const CatalogLayers& catalog) {
  const std::filesystem::path& folder = catalog.folders().back();
  if (folder == kBuiltInCatalog) {
    throw InputError("--merge: expected --catalog, a folder to write to, got " +
                     std::string(kBuiltInCatalog));
  }
  std::error_code none;
  if (std::filesystem::exists(folder, none)) return folder;
  const auto named = folder.has_filename() ? folder : folder.parent_path();
  const std::string near = did_you_mean(named.filename().string(), neighbours_of(named));
  if (near.empty()) return folder;
  throw InputError(shown_path(folder) + ": expected a folder to write to, got nothing" + near);
}

void TakenNames::tell(const std::string& sentence) {
  if (contains(sentences_, sentence)) return;
  sentences_.push_back(sentence);
  err_ << sentence << '\n';
}

std::vector<std::string> TakenNames::sentences_in(const std::ostream& out) const {
  const bool shown_above = &out == &std::cout && &err_ == &std::cerr &&
                           isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
  return shown_above ? std::vector<std::string>{} : sentences_;
}

void take_name(std::string& name, const std::string& what, const std::vector<CalledEntry>& all,
               TakenNames& taken, const std::vector<std::string>& usual) {
  if (name.empty()) return;
  const std::string id = resolved(what, name, all, usual);
  if (id != name) taken.tell(what + ' ' + in_quotes(name) + " is " + id);
  name = id;
}

ModelTaken take_model(std::string& name, const Catalog& catalog, const CommonOptions& options,
                      TakenNames& taken) {
  const ModelNames names(catalog, [&] { return sheet_sizes(options.sheet, options.catalog); });
  ModelTaken model = names.resolved(name);
  if (!model.words.empty()) taken.tell(model.words);
  name = model.id;
  return model;
}

void put_ids(const std::string& model, const std::string& gpu, const std::string& method,
             Json& answer) {
  for (const auto& [key, id] :
       {std::pair("model_id", &model), {"gpu_id", &gpu}, {"method_id", &method}}) {
    answer[key] = id->empty() ? Json() : Json(*id);
  }
}

std::vector<std::string> methods_for(const ModelTaken& model,
                                     const std::vector<std::string>& methods,
                                     const Catalog& catalog, TakenNames& taken) {
  std::vector<std::string> fine;
  std::string refusal;
  for (const std::string& id : methods) {
    const Method& method = catalog.method(id);
    const std::string why = stored_refusal(model, method.request);
    if (why.empty()) {
      fine.push_back(id);
      continue;
    }
    if (refusal.empty()) refusal = why;
    if (methods.size() > 1) taken.tell(id + " is left out: " + why);
  }
  if (fine.empty() && !refusal.empty()) throw InputError(refusal);
  for (const std::string& id : fine) {
    const std::string words = stored_words(model, catalog.method(id).request);
    if (!words.empty()) taken.tell((fine.size() > 1 ? id + ": " : "") + words);
  }
  return fine;
}

void add_catalog(CLI::App& command, CatalogLayers& catalog) {
  command
      .add_option_function<std::vector<std::string>>(
          "--catalog",
          [&catalog](const auto& folders) { catalog = on_ground(CatalogLayers(folders)); },
          "Folder of facts, or builtin; each further one is laid over those before it, and one "
          "that is no whole catalog over builtin. Left out: SIZESHEET_CATALOG, ./catalog or "
          "builtin")
      ->allow_extra_args(false);
}

void add_jobs(CLI::App& command, int& jobs) {
  add_value(command, "--jobs", jobs, count_kind(),
            "Threads, one a core if left out; the result does not depend on it",
            Bounds<double>{1, 1024});
}

void add_choice(CLI::App& command, const std::string& name, std::string& value,
                const std::string& words, const std::vector<std::string>& known) {
  command.add_option(name, value, words)->check(CLI::IsMember(known))->capture_default_str();
}

void add_format(CLI::App& command, std::string& format, const std::vector<std::string>& known) {
  add_choice(command, "--format", format, "Form of the answer", known);
  command
      .add_flag_callback(
          "--json", [&format] { format = "json"; }, "The same as --format json")
      ->excludes("--format");
}

void add_sheet(CLI::App& command, CommonOptions& options, const std::string& words) {
  command.add_option("--sheet", options.sheet, words)->capture_default_str();
  add_day(command, "--as-of", options.as_of, "The day of the prices, YYYY-MM-DD");
}

void add_merge(CLI::App& command, const std::string& words, MergeOptions& options) {
  CLI::Option* merge = command.add_flag("--merge", options.merge, words);
  command.add_flag("--yes", options.yes, "With --merge: write the change")->needs(merge);
}

void set_run(CLI::App& command, Command& chosen, const Command& run) {
  command.callback([&chosen, run] { chosen = run; });
}

std::string tool_version() { return SIZESHEET_VERSION; }

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
