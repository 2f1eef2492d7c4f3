// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "catalog/names.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/question_options.h"
#include "cli/question_table.h"
#include "cli/refusals.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "render/table/csv.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/rows/size_row.h"
#include "support/durable.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

/// "" is what is left out.
struct SweepOptions : RunOptions {
  std::string models;  // ids with commas between them; "": all
  std::string methods;
  std::string types;  // "8": a count, and no type
  std::string gpu;    // the same under the name that other commands have
  std::vector<std::string> lengths;
  std::string shard;
  std::string format = "csv";
  std::string out;
};

constexpr std::int64_t kMostParts = 1000000;

/// "a,b,c", each once.
std::vector<std::string> listed(const std::string& text, const std::string& option) {
  std::vector<std::string> parts = split(text, ',');
  std::set<std::string> seen;
  for (const std::string& part : parts) {
    if (!seen.insert(part).second) throw InputError(option + ": " + shown(part) + " stands twice");
  }
  return parts;
}

/// Those asked for, by any of their names, which `take` sets to ids; all known ones where none is
/// asked for.
template <typename T, typename Take>
std::vector<std::string> axis(const std::string& asked, const std::map<std::string, T>& known,
                              const std::string& option, const Take& take) {
  if (asked.empty() || small_letters(asked) == "all") return keys_of(known);
  std::vector<std::string> ids;
  for (const std::string& name : listed(asked, option)) {
    std::string id = name;
    try {
      take(id);
    } catch (const InputError& error) {
      throw InputError(option + ": " + error.what());
    }
    if (contains(ids, id)) throw InputError(option + ": " + shown(name) + " stands twice");
    ids.push_back(id);
  }
  return ids;
}

/// A number from 1 that is all of the text.
std::optional<std::int64_t> count_in(std::string_view text) {
  const auto count = parsed<std::int64_t>(text);
  return count && *count >= 1 ? count : std::nullopt;
}

/// Those of every time that the option is given.
std::vector<std::int64_t> lengths_of(const std::vector<std::string>& asked) {
  if (asked.empty()) return {1024, 2048, 4096, 8192, 16384, 32768};
  std::vector<std::int64_t> lengths;
  for (const std::string& text : asked) {
    for (const std::int64_t length : lengths_in("--seq", text)) {
      if (contains(lengths, length)) {
        throw InputError("--seq: " + in_quotes(std::to_string(length)) + " stands twice");
      }
      lengths.push_back(length);
    }
  }
  return lengths;
}

/// "3/16": the third of sixteen parts. "": the whole.
GridRange range_of(const Grid& grid, const std::string& shard) {
  if (shard.empty()) return grid.part(1, 1);
  const std::size_t slash = std::min(shard.find('/'), shard.size());
  const auto number = count_in(std::string_view(shard).substr(0, slash));
  const auto of = count_in(std::string_view(shard).substr(std::min(slash + 1, shard.size())));
  if (number && of && *number <= *of && *of <= kMostParts) return grid.part(*number, *of);
  throw InputError("--shard: expected K/N with K from 1 to N and N up to " +
                   std::to_string(kMostParts) + ", such as 3/16, got " + shown(shard));
}

/// Each row tells the ids of its model, method and GPU; `err` hears what names were taken for.
Grid grid_of(Catalog& catalog, const SweepOptions& asked, std::ostream& err) {
  TakenNames taken(err);
  SweepOptions options = asked;
  GridAxes axes;
  axes.rules = sheet_asked_for(options, catalog);
  const UsualNames usual{axes.rules.methods, axes.rules.gpus};
  take_rules(options, catalog, taken);
  axes.methods = axis(options.methods, catalog.methods, "--methods",
                      [&](std::string& name) { take_method(name, catalog, usual.methods, taken); });
  if (options.rank) axes.methods = methods_of_rank(*options.rank, axes.methods, catalog);
  axes.models = axis(options.models, catalog.models, "--models", [&](std::string& name) {
    const ModelTaken model = take_model(name, catalog, options, taken);
    for (const std::string& method : axes.methods) methods_for(model, {method}, catalog, taken);
  });
  const bool counts = !options.types.empty() && std::ranges::all_of(options.types, [](char letter) {
    return is_digit(letter) || letter == ' ' || letter == ',';
  });
  if (counts) {
    options.gpus =
        static_cast<std::int64_t>(value_in("--gpus", options.types, count_kind(), {1, 100000}));
  } else if (!options.types.empty() && !options.gpu.empty()) {
    throw InputError("--gpu: is said twice, --gpus says it too");
  }
  const bool one = counts || options.types.empty();
  axes.gpus = axis(
      one ? options.gpu : options.types, catalog.gpus, one ? "--gpu" : "--gpus",
      [&](std::string& name) { take_name(name, "GPU", called_gpus(catalog), taken, usual.gpus); });
  axes.seq_lens = lengths_of(options.lengths);
  ask_scenario(options, catalog, {}, axes.gpus.size() == 1 ? axes.gpus.front() : "", axes.rules,
               taken);
  return Grid(catalog, std::move(axes));
}

/// One line that is overwritten, on a terminal only: cells, how many a second, time left.
class ProgressLine {
 public:
  ProgressLine(std::ostream& err, std::int64_t all)
      : err_(err), all_(all), terminal_(isatty(STDERR_FILENO) != 0) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() {
    if (shown_) err_ << '\n';
  }

  void show(std::int64_t done) {
    if (!terminal_) return;
    shown_ = true;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    const double rate = static_cast<double>(done) / std::max(passed.count(), 1e-3);
    const double left = static_cast<double>(all_ - done) / rate;
    err_ << "\r\x1b[K" << format_integer(done) << " of " << format_integer(all_) << " cells, "
         << format_number(rate, 0) << " per second, " << format_number(left, 0) << " s left"
         << std::flush;
  }

 private:
  std::ostream& err_;
  std::int64_t all_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

using Write = std::function<void(const std::string& text)>;

void write_cells(const SweepOptions& options, const Interrupts& interrupts, const Write& write,
                 std::ostream& err) {
  Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
  const Grid grid = grid_of(catalog, options, err);
  const GridRange range = range_of(grid, options.shard);
  const bool csv = options.format == "csv";
  const std::int64_t all = range.to - range.from;
  ProgressLine progress(err, all);
  bool interrupted = false;
  if (csv) write(grid_csv_header());
  for_each_cell(grid, range, options.jobs, csv ? grid_csv_line : grid_json_line,
                [&](const std::string& text, std::int64_t done) {
                  write(text);
                  progress.show(done);
                  interrupted = done < all && interrupts.came();
                  return !interrupted;
                });
  if (interrupted) throw OutputError("interrupted before the last cell");
}

/// A file appears whole or not at all; an interrupt stops between two rows and throws InputError.
int run_sweep(const SweepOptions& options, const Streams& streams) {
  const Interrupts interrupts;  // before anything is made that an end would leave behind
  if (options.out.empty()) {
    const auto write = [&](const std::string& text) {
      if (!(streams.out << text << std::flush)) {
        throw OutputError("the rows cannot be written to the output");
      }
    };
    write_cells(options, interrupts, write, streams.err);
    return 0;
  }
  const WholeFile file(options.out);
  write_cells(
      options, interrupts, [&](const std::string& text) { file.append(text); }, streams.err);
  file.publish();
  return 0;
}

}  // namespace

void add_sweep(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] = add_command(
      app, streams, chosen, "sweep",
      "Write a table of models x methods x GPU types x lengths, or a part of it", run_sweep);
  add_catalog(command, options.catalog);
  command.add_option("--sheet", options.sheet, "Sheet whose rules and first scenario hold")
      ->capture_default_str();
  command.add_option("--models," + all_names("--model"), options.models,
                     "Models, with commas between them: phi-4,llama-3.1-8b [all]");
  command.add_option("--methods," + all_names("--method"), options.methods,
                     "Methods, likewise: full,lora [all]");
  command.add_option(all_names("--gpus"), options.types,
                     "GPU types, likewise [all]; a number is the most of one type, as elsewhere");
  add_text(command, "--gpu", options.gpu, "The same as --gpus of types: h100, 4090,l40s");
  command
      .add_option(all_names("--seq"), options.lengths,
                  "Tokens of a sequence: 4096,8192, or 8k; again for each [1024,2048 … 32768]")
      ->allow_extra_args(false)
      ->type_name("LENGTHS");
  add_run_options(command, options);
  command.add_option("--shard", options.shard, "K/N: part K of N; the parts are the whole");
  add_choice(command, "--format", options.format, "Form of a row", {"csv", "jsonl"});
  command
      .add_flag_callback(
          "--json", [format = &options.format] { *format = "jsonl"; }, "The same as --format jsonl")
      ->excludes("--format");
  command.add_option("--out", options.out, "File, written whole or not at all [stdout]");
  add_day(command, "--as-of", options.as_of, "The day of the prices, YYYY-MM-DD");
  add_jobs(command, options.jobs);
}

}  // namespace sizesheet
