// SPDX-License-Identifier: Apache-2.0
#include "cli/compare.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/files/loader.h"
#include "cli/common_options.h"
#include "cli/grid_question.h"
#include "cli/question_options.h"
#include "cli/question_words.h"
#include "cli/refusals.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/text_table.h"
#include "render/phrases.h"
#include "render/table/csv.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/answer/team_corrections.h"
#include "sizing/memory/verdict.h"
#include "support/error.h"
#include "support/money.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kMostRows = 1000;  // more is no comparison, and sweep writes it

struct CompareOptions : GridQuestion {
  std::vector<std::string> words;
  std::string format = "text";
};

/// A row, and what its table needs beside it.
struct ComparedRow {
  Row row;
  std::int64_t tokens = 0;
  std::int64_t exact_gpus = 0;  ///< as many as were said; 0: the search chose
  std::int64_t most_gpus = 0;
  std::int64_t most_said = 0;  ///< by --gpus; 0 where nobody says it
  std::string gpu_name;
  std::string stack;               ///< "" where one alone is asked for
  std::optional<double> deadline;  ///< hours

  /// Whether the GPUs that were said, or the most that may be taken, hold it without the headroom.
  bool is_tight() const {
    const bool open = exact_gpus > 0 || !row.rentable.has_value();
    return row.modelled && open && row.verdict == Verdict::kTight;
  }
  /// Whether the upper end of its hours is over the deadline, or not known.
  bool is_late() const {
    return deadline && holds() && (!row.hours_high || *row.hours_high > *deadline);
  }
  bool runs() const { return holds() && !is_late(); }
  bool holds() const {
    if (!row.modelled) return false;
    return exact_gpus > 0 ? row.verdict == Verdict::kFits : row.rentable.has_value();
  }
  std::int64_t gpus() const {
    if (exact_gpus > 0) return exact_gpus;
    if (is_tight()) return row.layout.gpus;
    return row.set_up() ? row.set_up()->gpus : row.rentable.value_or(0);
  }
  /// nullopt where it does not run, or nobody offers it.
  std::optional<MicroUsd> usd() const {
    if (!runs()) return std::nullopt;
    return row.set_up() ? row.set_up()->usd.mid : row.usd_per_run();
  }
  std::string seller() const {
    if (row.set_up()) return row.set_up()->provider;
    const std::string key = row.rents[kOnDemand] ? row.rents[kOnDemand]->price_key : "";
    return key.substr(0, key.find('/'));
  }
};

// ---- What is compared.

/// GPU types by how many of each are taken; 0: as many as the search chooses.
using TypesByCount = std::map<std::int64_t, std::string>;

void add_listed(std::string& names, const std::vector<std::string>& more) {
  if (!more.empty()) names += (names.empty() ? "" : ",") + join(more, ",");
}

/// Puts what the words say where the options would; the types with a count of their own are
/// returned.
TypesByCount take_words(CompareOptions& options, const Catalog& catalog, const UsualNames& usual) {
  QuestionOptions said;
  static_cast<RunOptions&>(said) = options;
  said.words = options.words;
  const ComparedWords words = take_compared_words(said, catalog, usual, "compare");
  if (said.budget) throw InputError("compare: takes no budget; ask does: --budget");
  static_cast<RunOptions&>(options) = said;
  add_listed(options.provider, words.sellers);
  add_listed(options.models, words.models);
  add_listed(options.methods, words.methods);
  TypesByCount types;
  for (const auto& [name, count] : words.cards) add_listed(types[count], {name});
  return types;
}

/// The rules, the methods and the length of the sheet where none is said.
void take_usual(CompareOptions& options, const SheetSpec& sheet, TypesByCount& types) {
  if (options.models.empty()) throw UsageError("compare: expected a model such as llama-3.1-8b");
  if (options.methods.empty()) options.methods = join(sheet.methods, ",");
  if (options.lengths.empty()) {
    const Json& workload = sheet.scenarios.front().request.at("workload");
    options.lengths = {std::to_string(workload.at("seq_len").get<std::int64_t>())};
  }
  const bool counts = std::ranges::all_of(options.types, is_digit);
  const bool named = !options.gpu.empty() || (!options.types.empty() && !counts);
  if (types.empty() && !named) types[0] = join(sheet.gpus, ",");
}

/// `exact`: so many GPUs of each type; 0: as many as the search chooses.
void add_rows(Catalog& catalog, const CompareOptions& options, std::int64_t exact,
              TakenNames& taken, std::vector<ComparedRow>& rows) {
  GridAxes axes = grid_axes(catalog, options, taken);
  if (exact > 0) axes.rules.max_gpus = exact;
  const SheetSpec rules = axes.rules;
  const Grid grid(catalog, std::move(axes));
  if (grid.cells() > kMostRows) {
    throw InputError("compare: shows up to " + std::to_string(kMostRows) + " rows, not " +
                     format_integer(grid.cells()) + "; sweep writes them");
  }
  const std::size_t before = rows.size();
  rows.resize(before + static_cast<std::size_t>(grid.cells()));
  for_each_index(rows.size() - before, options.jobs, [&](std::size_t i) {
    ComparedRow& one = rows[before + i];
    const auto cell = static_cast<std::int64_t>(i);
    one.row = exact > 0 ? grid.fixed_row(cell).row : grid.row(cell);
    one.exact_gpus = exact;
    one.tokens = tokens_of(rules, catalog.method(one.row.method));
    one.most_gpus = rules.max_gpus;
    one.most_said =
        exact == 0 && !options.types.empty() && std::ranges::all_of(options.types, is_digit)
            ? rules.max_gpus
            : 0;
    one.deadline = options.deadline;
    one.gpu_name = catalog.gpu(one.row.gpu).short_name;
  });
}

/// The rows of each seller that is named, of those of its GPU types that it has a price of; what
/// does not run is there once.
void add_rows_of_sellers(Catalog& catalog, const CompareOptions& options, std::int64_t exact,
                         TakenNames& taken, std::vector<ComparedRow>& rows) {
  const std::vector<std::string> sellers = split(options.provider, ',');
  if (sellers.size() < 2) return add_rows(catalog, options, exact, taken, rows);
  bool first = true;
  for (const std::string& seller : sellers) {
    CompareOptions of_seller = options;
    of_seller.provider = seller;
    std::vector<ComparedRow> sold;
    add_rows(catalog, of_seller, exact, taken, sold);
    std::erase_if(sold, [&](const ComparedRow& one) { return one.runs() ? !one.usd() : !first; });
    if (std::ranges::none_of(sold, &ComparedRow::runs)) {
      taken.tell(seller + " has no price that applies to these runs");
    }
    first = false;
    std::ranges::move(sold, std::back_inserter(rows));
  }
}

/// The rows of each stack that is named.
void add_rows_of_stacks(Catalog& catalog, const CompareOptions& options, std::int64_t exact,
                        TakenNames& taken, std::vector<ComparedRow>& rows) {
  const std::vector<std::string> stacks = split(options.stack, ',');
  if (stacks.size() < 2) return add_rows_of_sellers(catalog, options, exact, taken, rows);
  for (const std::string& stack : stacks) {
    CompareOptions of_stack = options;
    of_stack.stack = resolved("stack", stack, called_stacks(catalog));
    std::vector<ComparedRow> sized;
    add_rows_of_sellers(catalog, of_stack, exact, taken, sized);
    for (ComparedRow& one : sized) one.stack = of_stack.stack;
    std::ranges::move(sized, std::back_inserter(rows));
  }
}

/// Where examples are said, the methods whose examples have as many tokens go together: a pair of
/// DPO has two sequences.
void add_rows_of_methods(Catalog& catalog, const CompareOptions& options, const UsualNames& usual,
                         std::int64_t exact, TakenNames& taken, std::vector<ComparedRow>& rows) {
  if (!options.examples) return add_rows_of_stacks(catalog, options, exact, taken, rows);
  for (const std::string& methods : methods_by_example(options, usual, catalog, taken)) {
    CompareOptions part = options;
    part.methods = methods;
    part.rank.reset();     // it is in their ids
    part.generation = {};  // it is in their figures
    add_rows_of_stacks(catalog, part, exact, taken, rows);
  }
}

/// Groups of one model, method and length, in the order in which they were named; in each the
/// lowest cost first, and last what does not run.
void sort_rows(std::vector<ComparedRow>& rows) {
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> groups;
  const auto group_of = [&](const Row& row) {
    return groups.try_emplace({row.model, row.method, row.scenario}, groups.size()).first->second;
  };
  for (const ComparedRow& one : rows) group_of(one.row);
  std::ranges::stable_sort(rows, {}, [&](const ComparedRow& one) {
    return std::tuple(group_of(one.row), !one.runs(), !one.usd(), one.usd().value_or(MicroUsd{}));
  });
}

// ---- The table.

struct CompareColumn {
  const char* head;
  bool right;
  /// Of a column that is there only if its cells differ: what is behind the cell in the line above
  /// the table, which says it once. nullptr: the column is always there.
  const char* said_as;
  std::string (*cell)(const ComparedRow&);
};

/// Why nobody is named who rents it out.
std::string why_not(const ComparedRow& one) {
  if (!one.row.modelled) return one.row.refusal;
  if (one.is_late()) {
    return one.row.hours_high ? "may take " + run_hours(*one.row.hours_high) + " h, over " +
                                    shortest(*one.deadline) + " h"
                              : one.row.no_speed;
  }
  if (one.is_tight()) return "tight: fits, but without the headroom";
  if (!one.runs()) {
    const bool several = one.most_gpus > 1;
    return "does not fit on " + format_integer(one.most_gpus) + (several ? " GPUs" : " GPU");
  }
  return one.row.no_speed.empty() ? "no price" : one.row.no_speed;
}

std::string gpus_cell(const ComparedRow& one) {
  const bool counted = one.holds() || one.is_tight();
  return (counted ? format_integer(one.gpus()) + " x " : "") + one.gpu_name;
}

std::string memory_cell(const ComparedRow& one) {
  if (!one.holds() && !one.is_tight()) return std::string(kAbsent);
  return format_gib(one.row.memory.device, 1) + " of " + format_gib(one.row.memory.capacity, 1) +
         (one.row.certain().value_or(true) ? " " : kDoubtMark);
}

std::string hours_cell(const ComparedRow& one) {
  return one.holds() && one.row.hours_mid ? run_hours(*one.row.hours_mid) : std::string(kAbsent);
}

std::string dollars_cell(const ComparedRow& one) {
  return one.usd() ? run_usd(*one.usd()) : std::string(kAbsent);
}

std::string seller_cell(const ComparedRow& one) { return one.usd() ? one.seller() : why_not(one); }

std::string tokens_cell(const ComparedRow& one) {
  constexpr std::int64_t kMillion = 1000000;
  return one.tokens % kMillion == 0 ? format_integer(one.tokens / kMillion) + "M"
                                    : format_integer(one.tokens);
}

constexpr CompareColumn kColumns[] = {
    {"model", false, "", [](const ComparedRow& one) { return one.row.model; }},
    {"method", false, "", [](const ComparedRow& one) { return one.row.method; }},
    {"sequence", true, "-token sequences", [](const ComparedRow& one) { return one.row.scenario; }},
    {"tokens per run", true, " tokens per run", tokens_cell},
    {"stack", false, "", [](const ComparedRow& one) { return one.stack; }},
    {"GPUs", false, nullptr, gpus_cell},
    {"GiB per GPU", true, nullptr, memory_cell},
    {"hours", true, nullptr, hours_cell},
    {"$ per run", true, nullptr, dollars_cell},
    {"seller", false, nullptr, seller_cell}};

bool varies(const std::vector<ComparedRow>& rows, const CompareColumn& column) {
  return std::ranges::any_of(
      rows, [&](const ComparedRow& one) { return column.cell(one) != column.cell(rows.front()); });
}

void print_text(const std::vector<ComparedRow>& rows, const std::string& day, std::ostream& out) {
  std::vector<std::string> said;
  std::vector<TextColumn> columns;
  std::vector<std::vector<std::string>> cells(rows.size());
  for (const CompareColumn& column : kColumns) {
    if (column.said_as != nullptr && !varies(rows, column)) {
      const std::string cell = column.cell(rows.front());
      if (!cell.empty()) said.push_back(cell + column.said_as);
      continue;
    }
    columns.push_back({column.head, column.right});
    for (std::size_t i = 0; i < rows.size(); ++i) cells[i].push_back(column.cell(rows[i]));
  }
  if (!said.empty()) out << join(said, ", ") << "\n\n";
  print_aligned(columns, cells, out);
  const bool priced =
      std::ranges::any_of(rows, [](const ComparedRow& one) { return one.usd().has_value(); });
  std::vector<std::string> notes;
  if (rows.front().deadline) {
    notes.push_back("Within " + shortest(*rows.front().deadline) + " h.");
  }
  if (priced) notes.push_back("Rented on demand, prices of " + day + ".");
  const bool doubt = std::ranges::any_of(
      rows, [](const ComparedRow& one) { return one.runs() && !one.row.certain().value_or(true); });
  if (doubt) {
    notes.push_back(std::string(kDoubtMark) + " memory not certain: run two training steps first.");
  }
  const auto fewer = std::ranges::find_if(rows, [](const ComparedRow& one) {
    return one.most_said > 0 && one.runs() && one.gpus() < one.most_said;
  });
  if (fewer != rows.end()) {
    const std::string most = std::to_string(fewer->most_said);
    notes.push_back("--gpus " + most + " means at most " + most + "; " + most + "x" +
                    fewer->row.gpu + " means exactly " + most + ".");
  }
  if (rows.front().tokens != rows.back().tokens) {
    notes.emplace_back("Runs differ in tokens: --tokens 50M compares equal ones.");
  }
  if (!notes.empty()) out << '\n' << join(notes, " ") << '\n';
}

/// 0; 1 where nothing fits. Throws InputError for names that no entry has.
int run_compare(const CompareOptions& asked, const Streams& streams) {
  CompareOptions options = asked;
  Catalog catalog = load_catalog_to_ask(options.catalog, {CatalogPart::kMoney});
  const SheetSpec sheet = sheet_asked_for(options, catalog);
  TakenNames taken(streams.err);
  const UsualNames usual{sheet.methods, sheet.gpus};
  TypesByCount types = take_words(options, catalog, usual);
  take_usual(options, sheet, types);
  std::vector<ComparedRow> rows;
  if (types.empty()) add_rows_of_methods(catalog, options, usual, 0, taken, rows);
  for (const auto& [exact, names] : types) {
    CompareOptions part = options;
    add_listed(part.gpu, {names});
    add_rows_of_methods(catalog, part, usual, exact, taken, rows);
  }
  if (rows.empty()) {
    throw InputError("--provider: none of " + options.provider + " has a price of these GPUs");
  }
  sort_rows(rows);
  if (options.format == "text") {
    print_text(rows, sheet.as_of, streams.out);
  } else {
    for (const ComparedRow& one : rows) streams.out << grid_json_line(one.row);
  }
  return std::ranges::any_of(rows, &ComparedRow::runs) ? 0 : 1;
}

}  // namespace

void add_compare(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] = add_command(
      app, streams, chosen, "compare",
      "Compare models, methods and GPU types: llama-3.1-8b lora h100 vs a100", run_compare);
  command.add_option("words", options.words,
                     "What is compared: llama-3.1-8b lora,qlora 4090 2xa100 [of the sheet]");
  add_grid_question(command, options);
  add_format(command, options.format, {"text", "json"});
}

}  // namespace sizesheet
