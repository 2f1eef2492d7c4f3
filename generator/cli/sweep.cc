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
#include "cli/grid_question.h"
#include "cli/question_options.h"
#include "cli/question_table.h"
#include "cli/refusals.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "render/table/csv.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/rows/size_row.h"
#include "sizing/answer/team_corrections.h"
#include "support/durable.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

/// "" is what is left out.
struct SweepOptions : GridQuestion {
  std::string shard;
  std::string format = "csv";
  std::string out;
};

constexpr std::int64_t kMostParts = 1000000;

/// A number from 1 that is all of the text.
std::optional<std::int64_t> count_in(std::string_view text) {
  const auto count = parsed<std::int64_t>(text);
  return count && *count >= 1 ? count : std::nullopt;
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
  Catalog catalog = load_catalog_to_ask(options.catalog, {CatalogPart::kMoney});
  TakenNames taken(err);  // each row tells the ids of its model, method and GPU
  const Grid grid(catalog, grid_axes(catalog, options, taken));
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
  add_grid_question(command, options);
  command.add_option("--shard", options.shard, "K/N: part K of N; the parts are the whole");
  add_choice(command, "--format", options.format, "Form of a row", {"csv", "jsonl"});
  command
      .add_flag_callback(
          "--json", [format = &options.format] { *format = "jsonl"; }, "The same as --format jsonl")
      ->excludes("--format");
  command.add_option("--out", options.out, "File, written whole or not at all [stdout]");
}

}  // namespace sizesheet
