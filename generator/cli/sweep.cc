// SPDX-License-Identifier: Apache-2.0
// `sweep` and `fits`: many set-ups at once, as a grid or on the GPUs that one has.

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <iomanip>
#include <map>
#include <optional>
#include <set>

#include "cli/command_parts.h"
#include "cli/commands.h"
#include "render/table/csv.h"
#include "sheet/build/build_sheet.h"
#include "sheet/build/fits.h"
#include "support/durable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kMostParts = 1000000;
constexpr std::int64_t kMostTokens = 100000000;

/// "a,b,c", each once.
std::vector<std::string> listed(const std::string& text, const std::string& option) {
  std::vector<std::string> parts = split(text, ',');
  std::set<std::string> seen;
  for (const std::string& part : parts) {
    if (!seen.insert(part).second) throw InputError(option + ": " + shown(part) + " stands twice");
  }
  return parts;
}

/// Those asked for, each of them known; all known ones where none is asked for.
template <typename T>
std::vector<std::string> axis(const std::string& asked, const std::map<std::string, T>& known,
                              const std::string& option, const std::string& what) {
  std::vector<std::string> all;
  for (const auto& [id, unused] : known) all.push_back(id);
  if (asked.empty()) return all;
  std::vector<std::string> ids = listed(asked, option);
  for (const std::string& id : ids) {
    if (known.contains(id)) continue;
    throw InputError(option + ": no " + what + " " + shown(id) + " in the catalog" +
                     did_you_mean(id, all));
  }
  return ids;
}

/// A number from 1 that is all of the text.
std::optional<std::int64_t> count_in(std::string_view text) {
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, count);
  if (read.ec != std::errc{} || read.ptr != end || count < 1) return std::nullopt;
  return count;
}

std::vector<std::int64_t> lengths_of(const std::string& asked) {
  if (asked.empty()) return {1024, 2048, 4096, 8192, 16384, 32768};
  std::vector<std::int64_t> lengths;
  for (const std::string& text : listed(asked, "--seq")) {
    const auto length = count_in(text);
    if (!length || *length > kMostTokens) {
      throw InputError("--seq: expected tokens from 1 to " + std::to_string(kMostTokens) +
                       ", got " + shown(text));
    }
    lengths.push_back(*length);
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

Grid grid_of(const Catalog& catalog, const SweepOptions& options) {
  GridAxes axes;
  axes.rules = load_sheet_spec(options.sheet, options.catalog, catalog);
  axes.rules.as_of = as_of_day(options.as_of, axes.rules.as_of);
  axes.models = axis(options.models, catalog.models, "--models", "model");
  axes.methods = axis(options.methods, catalog.methods, "--methods", "method");
  axes.gpus = axis(options.gpus, catalog.gpus, "--gpus", "GPU");
  axes.seq_lens = lengths_of(options.lengths);
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
         << format_number(rate, 0) << " a second, " << format_number(left, 0) << " s left"
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
  const Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
  const Grid grid = grid_of(catalog, options);
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
  if (interrupted) throw InputError("interrupted before the last cell");
}

}  // namespace

int run_sweep(const SweepOptions& options, std::ostream& out, std::ostream& err) {
  const Interrupts interrupts;  // before anything is made that an end would leave behind
  if (options.out.empty()) {
    const auto write = [&](const std::string& text) {
      if (!(out << text << std::flush)) {
        throw InputError("the rows cannot be written to the output");
      }
    };
    write_cells(options, interrupts, write, err);
    return 0;
  }
  const WholeFile file(options.out);
  write_cells(
      options, interrupts, [&](const std::string& text) { file.append(text); }, err);
  file.publish();
  return 0;
}

namespace {

MicroUsd budget_of(const std::string& text) {
  const auto budget = parse_usd(text);
  if (budget && budget->value > 0) return *budget;
  throw InputError("--budget-usd: expected dollars above 0 with at most six decimals, got " +
                   in_quotes(text));
}

FitsQuestion question_of(const FitsOptions& options) {
  FitsQuestion question;
  question.gpu = options.gpu;
  question.gpus = options.gpus;
  question.stack = options.stack;
  question.seq_len = options.seq_len;
  question.tokens = options.tokens;
  if (options.budget_usd) question.budget = budget_of(*options.budget_usd);
  if (options.deadline_hours && !(*options.deadline_hours > 0)) {
    throw InputError("--deadline-hours: expected hours above 0, got " +
                     shortest(*options.deadline_hours));
  }
  constexpr double kLeastHours = 1e-6;
  constexpr double kMostHours = 1e9;
  if (options.deadline_hours &&
      (*options.deadline_hours < kLeastHours || *options.deadline_hours > kMostHours)) {
    throw InputError("--deadline-hours: expected hours from 0.000001 to 1e9, got " +
                     shortest(*options.deadline_hours));
  }
  question.deadline_hours = options.deadline_hours;
  return question;
}

std::string layout_words(const LayoutShape& layout) {
  std::string words;
  const std::pair<const char*, std::int64_t> dimensions[] = {{"dp", layout.dp},
                                                             {"tp", layout.tp},
                                                             {"pp", layout.pp},
                                                             {"cp", layout.cp},
                                                             {"ep", layout.ep}};
  for (const auto& [name, ranks] : dimensions) {
    if (ranks > 1) words += (words.empty() ? "" : " ") + (name + std::to_string(ranks));
  }
  if (words.empty()) words = "one GPU";
  if (layout.shard != "none") words += " " + layout.shard;
  return words;
}

template <typename T, typename Format>
std::string or_absent(const std::optional<T>& value, const Format& format) {
  return value ? format(*value) : std::string(kAbsent);
}

/// Right-aligned by characters: the sign of absence takes three bytes.
std::string padded(const std::string& text, int width) {
  const int characters = text == kAbsent ? 1 : static_cast<int>(text.size());
  return std::string(static_cast<std::size_t>(std::max(0, width - characters)), ' ') + text;
}

void print_row(const FitRow& row, std::ostream& out) {
  const auto count = [](std::int64_t n) { return format_integer(n); };
  out << "  " << std::left << std::setw(32) << row.model << std::setw(6) << row.verdict
      << padded(format_gib(row.device, 1), 8) << "  " << std::setw(22) << layout_words(row.layout)
      << padded(or_absent(row.micro_batch, count), 7) << padded(or_absent(row.seq_len, count), 12)
      << (row.seq_len_beyond_positions ? "*" : " ")
      << padded(or_absent(row.hours, [](double h) { return format_number(h, 1); }), 11)
      << padded(or_absent(row.usd_per_run, [](MicroUsd usd) { return format_usd(usd, 2); }), 13);
  if (!row.excluded.empty()) out << "  " << join(row.excluded, ", ");
  out << '\n';
}

void print_head(const Fits& fits, const FitsOptions& options, const SheetSpec& policy,
                std::ostream& out) {
  out << options.gpus << " × " << options.gpu << ", " << format_gib(fits.capacity, 1)
      << " GiB usable on each; stack " << options.stack << ", sequence "
      << format_integer(options.seq_len) << ", " << format_integer(options.tokens)
      << " tokens a run\n";
  if (fits.usd_per_hour) {
    out << "$" << format_usd(*fits.usd_per_hour, 2) << " an hour on demand (" << fits.price_key
        << ")\n";
  } else {
    out << "no current on-demand price on " << policy.as_of << ": costs unknown\n";
  }
}

void print_foot(const Fits& fits, std::ostream& out) {
  const auto excluded = std::count_if(fits.rows.begin(), fits.rows.end(),
                                      [](const FitRow& row) { return !row.excluded.empty(); });
  out << '\n' << fits.rows.size() << " pairs of model and method hold";
  if (excluded > 0) out << ", " << excluded << " of them outside budget or deadline";
  out << "; " << fits.too_large << " do not, " << fits.refused.size()
      << " are refused (--format json names them)\n";
  const bool beyond = std::any_of(fits.rows.begin(), fits.rows.end(),
                                  [](const FitRow& row) { return row.seq_len_beyond_positions; });
  if (beyond) out << "* by memory; longer than the model was built for\n";
}

void print_text(const Fits& fits, const Catalog& catalog, const FitsOptions& options,
                const SheetSpec& policy, std::ostream& out) {
  print_head(fits, options, policy, out);
  std::string method;
  for (const FitRow& row : fits.rows) {
    if (row.method != method) {
      method = row.method;
      out << '\n'
          << catalog.method(method).title << " (" << method << ")\n"
          << "  model                                GiB a GPU  layout                  "
             "batch    sequence       hours        $/run\n";
    }
    print_row(row, out);
  }
  print_foot(fits, out);
}

Json layout_json(const LayoutShape& layout) {
  return {{"gpus", layout.gpus},   {"dp", layout.dp},          {"tp", layout.tp},
          {"pp", layout.pp},       {"cp", layout.cp},          {"ep", layout.ep},
          {"shard", layout.shard}, {"offload", layout.offload}};
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json usd_or_null(const std::optional<MicroUsd>& usd) { return usd ? Json(to_usd(*usd)) : Json(); }

Json row_json(const FitRow& row) {
  return {{"model", row.model},
          {"method", row.method},
          {"parameters", row.parameters},
          {"verdict", row.verdict},
          {"device", row.device},
          {"layout", layout_json(row.layout)},
          {"micro_batch_power_of_two", or_null(row.micro_batch)},
          {"seq_len", or_null(row.seq_len)},
          {"seq_len_beyond_positions", row.seq_len_beyond_positions},
          {"hours", or_null(row.hours)},
          {"usd_per_run", usd_or_null(row.usd_per_run)},
          {"excluded", row.excluded}};
}

Json fits_json(const Fits& fits, const FitsQuestion& question, const SheetSpec& policy) {
  Json json = {{"gpu", question.gpu},
               {"gpus", question.gpus},
               {"stack", question.stack},
               {"seq_len", question.seq_len},
               {"tokens", question.tokens},
               {"as_of", policy.as_of},
               {"budget_usd", usd_or_null(question.budget)},
               {"deadline_hours", or_null(question.deadline_hours)},
               {"capacity", fits.capacity},
               {"usd_per_hour", usd_or_null(fits.usd_per_hour)},
               {"price", fits.price_key.empty() ? Json() : Json(fits.price_key)},
               {"rows", Json::array()},
               {"too_large", fits.too_large},
               {"refused", Json::array()}};
  for (const FitRow& row : fits.rows) json["rows"].push_back(row_json(row));
  for (const FitRefusal& refusal : fits.refused) {
    json["refused"].push_back(
        {{"model", refusal.model}, {"method", refusal.method}, {"reason", refusal.reason}});
  }
  return json;
}

}  // namespace

int run_fits(const FitsOptions& options, std::ostream& out) {
  const FitsQuestion question = question_of(options);
  const Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
  SheetSpec policy = load_sheet_spec(options.sheet, options.catalog, catalog);
  policy.as_of = as_of_day(options.as_of, policy.as_of);
  const Fits fits = what_fits(catalog, policy, question, options.jobs);
  if (options.format == "json") {
    out << json_text(fits_json(fits, question, policy)) << '\n';
  } else {
    print_text(fits, catalog, options, policy, out);
  }
  return fits.any() ? 0 : 1;
}

}  // namespace sizesheet
