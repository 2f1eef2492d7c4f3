// SPDX-License-Identifier: Apache-2.0
// The whole program as a function, and its commands: what each is asked, and what runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "support/parallel.h"

namespace sizesheet {

// ---- The whole program as a function: arguments and streams in, exit code out. Tests call this.

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

// ---- The three streams a program is started with, made safe to use whatever the caller did to
// them.

/// A reader that went away, or a limit on the size of files, makes a write fail instead of ending
/// the program, and a stream that was closed stays unusable instead of becoming the number of the
/// next file that is opened.
void secure_standard_streams();

/// True when `out` is stdout and whoever read it has gone, as `head` does when it has enough.
bool reader_is_gone(const std::ostream& out);

// ---- The command line as CLI11 sees it: each command with its options and what runs it.

/// What the chosen command does; its exit code.
using Command = std::function<int()>;

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

/// `--catalog` and `--jobs`, which many commands have.
void add_catalog(CLI::App& command, std::string& catalog);
void add_jobs(CLI::App& command, int& jobs);

/// Commands that size or price: build, estimate, cost, explain, fits, sweep.
void add_sizing_commands(CLI::App& app, const Streams& streams, Command& chosen);

/// Commands on what is there: check, list, import-model, import-prices, validate, verify, diff.
void add_data_commands(CLI::App& app, const Streams& streams, Command& chosen);

// ---- `sizesheet build`: catalog and sheet spec in, one whole edition out.

struct BuildOptions {
  std::string sheet = "quarterly";
  std::string catalog = "catalog";
  std::string templates;  ///< "" uses the built-in ones
  std::string out = "output";
  std::string paper = "a4";
  std::string as_of;  ///< "" falls back to SOURCE_DATE_EPOCH, then to the spec
  std::string base_url;
  std::string baseline;  ///< sheet.json of an earlier edition, or its folder; "" compares nothing
  int jobs = default_jobs();
};

/// 0; on any error the old edition stays whole and InputError is thrown. Progress goes to `err`, on
/// a terminal only.
int run_build(const BuildOptions& options, std::ostream& err);

// ---- `sizesheet check`: every fault in the catalog, one a line, and what looks odd in its prices.

struct CheckOptions {
  std::string catalog = "catalog";
  std::string as_of;  ///< "" falls back to SOURCE_DATE_EPOCH, then to the latest day of the sheets
};

/// Exit code 0 without a fault, warnings or not, else 1. Unreadable or malformed files throw
/// InputError. Faults go to `out`, warnings to `err`.
int run_check(const CheckOptions& options, std::ostream& out, std::ostream& err);

/// A line for each odd price of the catalog, as of a sheet's day; how many there were.
std::size_t warn_of_prices(const Catalog& catalog, const std::string& day, std::ostream& err);

// ---- `sizesheet cost`: rent-or-buy questions as JSON lines.

/// 0 when every line was answered, 1 when one was refused.
int run_cost(std::istream& in, std::ostream& out, std::ostream& err);

// ---- The diff command: what changed between two editions, for people, pull requests and programs.

struct DiffCommand {
  std::string old_path;
  std::string new_path;
  std::string format = "text";          ///< text | markdown | html | json
  std::vector<std::string> thresholds;  ///< as typed
  std::string fail_on = "any";          ///< breaking | notable | any | none
  bool all = false;
  std::string sort = "kind";  ///< kind | usd
  std::string explain;        ///< "" or MODEL/METHOD[/GPU[/SCENARIO]]
  std::string sheet;          ///< of a catalog; "" is quarterly
  bool colour = false;
  int jobs = 1;
};

/// 0 when no change is as severe as `fail_on`, 1 when one is. What can't be compared throws
/// InputError.
int run_diff(const DiffCommand& command, std::ostream& out);

/// True where marks may be coloured: `out` is the terminal's and NO_COLOR is not set.
bool may_colour(const std::ostream& out);

// ---- `sizesheet estimate`: sizing requests as JSON lines in, answers as JSON lines out, in order.

/// 1 when at least one line was answered `ok: false`, else 0.
int run_estimate(const std::filesystem::path& catalog, int jobs, std::istream& in,
                 std::ostream& out);

// ---- `sizesheet explain`: one sizing taken apart: every term with formula, inputs and source, and
// why not fewer.

struct ExplainOptions {
  std::string catalog = "catalog";
  std::string model;
  std::string method;
  std::string gpu;               ///< "" asks without a GPU; then gpus is needed
  std::string stack = "hf-trl";  ///< "none": the values of `estimate` without a stack
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> seq_len;
  std::optional<std::int64_t> micro_batch;
  std::optional<std::int64_t> tokens;
  std::string request;  ///< other keys of an `estimate` request, a JSON object
  std::optional<double> measured_gib;
  std::string format = "text";
};

/// Asks what `estimate` would read from the same words. 0; 1 when nothing fits; what the engine
/// refuses throws InputError.
int run_explain(const ExplainOptions& options, std::ostream& out);

// ---- `sizesheet fits`: what can be trained on the GPUs one has.

struct FitsOptions {
  std::string catalog = "catalog";
  std::string sheet = "quarterly";  ///< whose rules for prices and headroom hold
  std::string gpu;
  std::int64_t gpus = 1;
  std::string stack = "hf-trl";
  std::int64_t seq_len = 4096;
  std::int64_t tokens = 50000000;
  std::optional<std::string> budget_usd;  ///< as typed: money is read from its digits
  std::optional<double> deadline_hours;
  std::string as_of;
  std::string format = "text";
  int jobs = 1;
};

/// 0; 1 when nothing fits, or nothing within budget and deadline.
int run_fits(const FitsOptions& options, std::ostream& out);

// ---- `sizesheet import-model`: a published config.json in, a catalog entry out.

struct ImportModelOptions {
  std::filesystem::path config;
  std::string id;
  std::string title;       ///< "": the id
  std::string repository;  ///< "": none
  std::string source;      ///< "": the name of the file
  std::string date;        ///< "": the day of the command
  std::string as_of;
  std::string catalog = "catalog";
  bool merge = false;
  bool yes = false;
};

/// The entry goes to `out`; with `merge` what it would change in the catalog. What the entry leaves
/// out of the config, and what was taken for its date, is told on `err`.
int run_import_model(const ImportModelOptions& options, std::ostream& out, std::ostream& err);

// ---- `sizesheet import-prices`: someone's CSV of prices in, a price file of the catalog out.

struct ImportPricesOptions {
  std::filesystem::path file;
  std::string format;    ///< skypilot | sizesheet
  std::string provider;  ///< "": by the name of the file or its folder
  std::string as_of;     ///< YYYY-MM-DD
  std::string source;    ///< "": SkyPilot's catalog
  std::string catalog = "catalog";
  bool merge = false;
  bool yes = false;  ///< with merge: write
};

/// 0 when every row was taken (or has no GPU), 1 when some were refused. The price file, or with
/// `merge` the plan, goes to `out`; what was wrong with which line to `err`.
int run_import_prices(const ImportPricesOptions& options, std::ostream& out, std::ostream& err);

// ---- `sizesheet list`: what the catalog holds, one entry a line, tab-separated.

/// `what`: models, gpus, methods, stacks, prices, sheets.
int run_list(const std::string& what, const std::filesystem::path& catalog, std::ostream& out);

// ---- `sizesheet sweep`: a grid of models, methods, GPU types and lengths as a table, whole or one
// part of it.

struct SweepOptions {
  std::string catalog = "catalog";
  std::string sheet = "quarterly";  ///< whose rules, stack and first scenario hold
  std::string models;               ///< ids with commas between them; "": all of the catalog
  std::string methods;              ///< likewise
  std::string gpus;                 ///< likewise
  std::string lengths;              ///< tokens of a sequence; "": six from 1,024 to 32,768
  std::string shard;                ///< "K/N"; "": the whole
  std::string format = "csv";       ///< csv | jsonl
  std::string out;                  ///< file; "": standard output
  std::string as_of;                ///< "" falls back to SOURCE_DATE_EPOCH, then to the sheet
  int jobs = default_jobs();
};

/// 0. A file appears whole or not at all; an interrupt stops between two rows and throws
/// InputError. Progress goes to `err`, on a terminal only.
int run_sweep(const SweepOptions& options, std::ostream& out, std::ostream& err);

// ---- The validate command: the engine against published measurements, row by row, and the totals.

struct ValidateOptions {
  std::string catalog = "catalog";
  std::string format = "text";
  bool held_out = false;              ///< only the held-out sources, bars too
  std::string write_intervals;        ///< file for the intervals of memory fitted anew, or ""
  std::string write_speed_intervals;  ///< the same for those of speed
  int jobs = 1;
};

/// 0 when every bar is cleared, 1 when one is missed.
int run_validate(const ValidateOptions& options, std::ostream& out);

// ---- `sizesheet verify`: is a folder a whole edition, and what this program writes from its own
// sheet.json? Reads only.

struct VerifyOptions {
  std::string folder;
  std::string templates;  ///< "" uses the built-in ones
};

/// 0 and one line when whole and equal; else 1 and a line for each file and why. Throws InputError
/// where the answer cannot be known: no edition there, an unreadable sheet.json, another version.
int run_verify(const VerifyOptions& options, std::ostream& out);

}  // namespace sizesheet
