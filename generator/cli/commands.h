// SPDX-License-Identifier: Apache-2.0
// The whole program as a function, and its commands: what each is asked, and what runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "support/parallel.h"

namespace sizesheet {

/// Exit codes: 0 done, 1 the answer is "no", 2 could not do it. stdout is data, stderr is talk.
/// Where the reader of stdout has gone nothing is said, and the code is that of a program the
/// system ends for it.
int run(const std::vector<std::string>& arguments, std::istream& in, std::ostream& out,
        std::ostream& err);

/// For std::set_terminate: where no memory was left even to tell of it in order, tells of it with
/// exit code 2; else ends as the system does.
[[noreturn]] void end_without_unwinding();

/// The project's version, "0.1.0".
std::string tool_version();

/// A reader that went away, or a limit on the size of files, makes a write fail instead of ending
/// the program, and a stream that was closed stays unusable instead of becoming the number of the
/// next file that is opened.
void secure_standard_streams();

// ---- The command line as CLI11 sees it: each command with its options and what runs it.

/// What the chosen command does; its exit code.
using Command = std::function<int()>;

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

/// What SIZESHEET_CATALOG names, else ./catalog, else the one that is compiled in; a part of a
/// catalog is laid over that one.
CatalogLayers default_catalog();

/// The last layer, which a merge writes into and may begin. Throws InputError for the one that is
/// compiled in, and for one that is not there where another has nearly its name.
std::filesystem::path folder_to_merge_into(const CatalogLayers& catalog);

/// What many commands are asked.
struct CommonOptions {
  CatalogLayers catalog = default_catalog();
  std::string sheet = "quarterly";  ///< an id or a file
  std::string as_of;                ///< "" where it is left out
  int jobs = default_jobs();
};

/// What is asked of a command that may write what it made into the catalog.
struct MergeOptions : CommonOptions {
  bool merge = false;
  bool yes = false;
};

/// `--catalog` and `--jobs`, which many commands have.
void add_catalog(CLI::App& command, CatalogLayers& catalog);
void add_jobs(CLI::App& command, int& jobs);

/// `--sheet`, where `words` say what of it counts, and the day of its prices.
void add_sheet(CLI::App& command, CommonOptions& options, const std::string& words);

/// An option that is one of a few words, with what `value` says as the usual one.
void add_choice(CLI::App& command, const std::string& name, std::string& value,
                const std::string& words, const std::vector<std::string>& known);

/// `--format` of an answer, and `--json` for the one of them that programs read.
void add_format(CLI::App& command, std::string& format, const std::vector<std::string>& known);

/// `--merge`, which `words` explain, and `--yes`.
void add_merge(CLI::App& command, const std::string& words, MergeOptions& options);

/// What `command` does, once it is the one that was asked for.
void set_run(CLI::App& command, Command& chosen, const Command& run);

/// A command that calls `run` with what it is asked, and where options of it are read into.
template <typename Options>
std::pair<CLI::App&, Options&> add_command(CLI::App& app, const Streams& streams, Command& chosen,
                                           const std::string& name, const std::string& words,
                                           int (*run)(const Options&, const Streams&)) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(name, words);
  set_run(*command, chosen, [options, run, &streams] { return run(*options, streams); });
  return {*command, *options};
}

// In the order of the help. What their exit codes mean stands in their help where it is more than 0
// done, 2 could not do it.
void add_init(CLI::App& app, const Streams& streams, Command& chosen);
void add_build(CLI::App& app, const Streams& streams, Command& chosen);
void add_estimate(CLI::App& app, const Streams& streams, Command& chosen);
void add_cost(CLI::App& app, const Streams& streams, Command& chosen);
void add_explain(CLI::App& app, const Streams& streams, Command& chosen);
void add_ask(CLI::App& app, const Streams& streams, Command& chosen);
void add_fits(CLI::App& app, const Streams& streams, Command& chosen);
void add_plan(CLI::App& app, const Streams& streams, Command& chosen);
void add_sweep(CLI::App& app, const Streams& streams, Command& chosen);
void add_check(CLI::App& app, const Streams& streams, Command& chosen);
void add_list(CLI::App& app, const Streams& streams, Command& chosen);
void add_import_model(CLI::App& app, const Streams& streams, Command& chosen);
void add_import_prices(CLI::App& app, const Streams& streams, Command& chosen);
void add_validate(CLI::App& app, const Streams& streams, Command& chosen);
void add_verify(CLI::App& app, const Streams& streams, Command& chosen);
void add_diff(CLI::App& app, const Streams& streams, Command& chosen);
void add_schema(CLI::App& app, const Streams& streams, Command& chosen);
void add_completion(CLI::App& app, const Streams& streams, Command& chosen);
void add_man(CLI::App& app, const Streams& streams, Command& chosen);

/// All of these.
void add_commands(CLI::App& app, const Streams& streams, Command& chosen);

// ---- Commands that tests run without their words.

struct CheckOptions {
  CatalogLayers catalog = default_catalog();
  std::string as_of;  ///< "" falls back to SOURCE_DATE_EPOCH, then to the latest day of the sheets
  bool json = false;  ///< faults and warnings as JSON, all of it on `out`
  std::string sheet = {};  ///< an id or a file: this specification alone; "" the catalog
};

/// Exit code 0 without a fault, warnings or not, else 1. A specification is only looked at once the
/// catalog has no fault, which is told instead. Unreadable or malformed files throw
/// InputError. Faults go to `out`, warnings to `err`.
int run_check(const CheckOptions& options, std::ostream& out, std::ostream& err);

/// Each odd price of the catalog, as of a sheet's day, with its place.
std::vector<Fault> odd_prices(const Catalog& catalog, const std::string& day);
/// A line for each.
void print_warnings(const std::vector<Fault>& odd, std::ostream& err);

/// Rent-or-buy questions as JSON lines: 0 when every line was answered, 1 when one was refused.
int run_cost(std::istream& in, std::ostream& out);

struct ValidateOptions : CommonOptions {
  std::string format = "text";
  bool held_out = false;              ///< only the held-out sources, bars too
  std::string write_intervals;        ///< file for the intervals of memory fitted anew, or ""
  std::string write_speed_intervals;  ///< the same for those of speed
};

/// 0 when every bar is cleared, 1 when one is missed.
int run_validate(const ValidateOptions& options, std::ostream& out);

}  // namespace sizesheet
