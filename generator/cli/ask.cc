// SPDX-License-Identifier: Apache-2.0
// `ask`: how many GPUs, for how long, for how much, rent or buy, in a few lines.

#include <iomanip>
#include <optional>

#include "catalog/names.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "render/phrases.h"
#include "sheet/build/build_sheet.h"
#include "sheet/fields.h"
#include "support/text.h"

namespace sizesheet {
namespace {

struct AskOptions : CommonOptions {
  std::string model, config, method, gpu, stack;  ///< as people call them; "" where not said
  std::string gpus, seq_len, tokens, deadline, budget;
  bool json = false;
  bool explain = false;
};

constexpr const char* kConfigId = "config";

/// The model of a config.json, put among those of the catalog for this one question: its day of
/// reading is nobody's business.
void add_config(const std::string& file, Catalog& catalog) {
  const Json config = read_config_file(file);
  Faults faults;
  const EntryKeys keys =
      model_entry(config, shown_path(file),
                  {kConfigId, shown_path(file), "", shown_path(file), "1970-01"}, faults);
  faults.refuse();
  catalog.models[kConfigId] = entry_model(keys, faults);
  faults.refuse();
}

/// The sheet's rules, asked of one model; `err` hears what its names were taken for.
SheetSpec spec_of(AskOptions options, Catalog& catalog, std::ostream& err) {
  if (options.model.empty()) {
    add_config(options.config, catalog);
    options.model = kConfigId;
  }
  take_name(options.model, "model", called_models(catalog), err);
  SheetSpec spec = sheet_asked_for(options, catalog);
  take_name(options.method, "method", called_methods(catalog), err, spec.methods);
  take_name(options.gpu, "GPU", called_gpus(catalog), err, spec.gpus);
  take_name(options.stack, "stack", called_stacks(catalog), err);
  spec.models = {{options.model, options.model, ""}};
  spec.handout_models.clear();
  spec.highlight_model = options.model;
  spec.scenarios.resize(1);
  SpecScenario& scenario = spec.scenarios.front();
  if (!options.method.empty()) spec.methods = {options.method};
  if (!options.gpu.empty()) spec.gpus = {options.gpu};
  if (!options.stack.empty()) {
    scenario.stack = options.stack;
    scenario.methods.clear();
  }
  if (!options.gpus.empty()) spec.max_gpus = count("--gpus", options.gpus, {});
  if (!options.seq_len.empty()) {
    scenario.request["workload"]["seq_len"] = count("--seq", options.seq_len, kLength);
  }
  if (!options.tokens.empty()) {
    if (scenario.request.contains("grpo")) {
      throw InputError("--tokens: the sheet's first scenario generates, and is as long as its " +
                       std::string("workload.examples; got ") + options.tokens);
    }
    spec.tokens = count("--tokens", options.tokens, kTokens);
    spec.adapter_tokens.reset();
  }
  if (!options.deadline.empty()) {
    spec.deadline_hours = amount("--deadline", options.deadline, {{"h", 1}, {"d", 24}});
  }
  return spec;
}

Sheet sized(const Catalog& catalog, const SheetSpec& spec, int jobs) {
  return sized_sheet(
      catalog, spec, {tool_version(), ""}, jobs, [](Row&) {}, [](std::size_t, std::size_t) {});
}

/// What one method comes to.
struct MethodAnswer {
  const SheetMethod* method = nullptr;
  const Pick* pick = nullptr;
  const Row* row = nullptr;  ///< rented; nullptr where nothing is
  bool over_budget = false;

  bool is_yes() const { return row != nullptr && !over_budget; }
};

std::vector<MethodAnswer> answers_of(const Sheet& sheet, const std::optional<double>& budget) {
  std::vector<MethodAnswer> answers;
  for (const SheetMethod& method : sheet.methods) {
    MethodAnswer answer{&method, sheet.pick(sheet.models.front().id, method.id),
                        rent_pick_row(sheet, sheet.models.front().id, method.id)};
    answer.over_budget = answer.row && budget && to_usd(answer.row->set_up()->usd.high) > *budget;
    answers.push_back(answer);
  }
  return answers;
}

std::string range_words(const std::string& low, const std::string& high) {
  return " (" + low + "–" + high + ")";
}

void line(const char* what, const std::string& left, const std::string& right, std::ostream& out) {
  constexpr std::size_t kRight = 24;
  const std::size_t width = width_of(left);
  out << "  " << std::left << std::setw(6) << what << left
      << std::string(width < kRight ? kRight - width : 2, ' ') << right << '\n';
}

void print_rent(const Sheet& sheet, const MethodAnswer& answer, std::ostream& out) {
  const RunCandidate& run = *answer.row->set_up();
  line("rent", set_up(sheet, run.gpu, run.gpus) + ", " + run.provider,
       run_hours(run.hours.mid) + " h" +
           range_words(run_hours(run.hours.low), run_hours(run.hours.high)) + ", $" +
           run_usd(run.usd.mid) +
           range_words(format_usd_roughly(run.usd.low), format_usd_roughly(run.usd.high)) +
           (run.exposed ? ", one seller" : ""),
       out);
  const RunCandidate* next = runner_up_of(sheet, *answer.pick);
  if (next == nullptr) return;
  std::string wins;
  if (answer.pick->switch_at && answer.pick->switch_at->usd_per_gpu_hour) {
    wins = ", wins from $" + hourly_usd(*answer.pick->switch_at->usd_per_gpu_hour) + "/GPU-h";
  }
  line("next", set_up(sheet, next->gpu, next->gpus) + ", " + next->provider,
       away_words(answer.pick->runner_up->usd_high_share) + " at its upper end" + wins, out);
}

void print_own(const Sheet& sheet, const OwnPick& own, std::ostream& out) {
  const std::string from =
      own.break_even_runs_per_month
          ? "from " + format_number(*own.break_even_runs_per_month, 1) + " runs a month"
          : "never within a month's hours";
  line("own",
       set_up(sheet, own.gpu, own.gpus + own.unused_gpus) + " for $" + whole_usd(own.capex_usd),
       "$" + whole_usd(own.usd_per_month) + " a month; " + from +
           (own.word().empty() ? "" : ": " + own.word()),
       out);
}

/// Where a method stands, in one line.
std::string standing(const Sheet& sheet, const MethodAnswer& answer) {
  const std::string name = answer.method->title + ": ";
  if (answer.row != nullptr) {
    const Row* smallest = smallest_row(sheet, *answer.row);
    std::string words = "fits";
    if (smallest != nullptr) words += " from " + set_up(sheet, smallest->gpu, *smallest->rentable);
    return name + words + (answer.over_budget ? ", but over the budget" : "");
  }
  const auto rows = rows_by_price(sheet, sheet.models.front().id, answer.method->id);
  if (rows.empty()) return name + "not asked";
  const Row& best = *rows.front();
  if (!best.modelled) return name + "not modelled: " + best.refusal;
  if (best.verdict != Verdict::kNo) return name + answer.pick->rent_why;
  return name + "does not fit: " + set_up(sheet, best) + " would need " +
         format_gib(best.memory.device, 1) + " of " + format_gib(best.memory.capacity, 1) + " GiB";
}

/// What else fits on the GPUs one has, and how many more it takes; where neither does, the fewest
/// GPUs of another type. One change at a time.
std::vector<std::string> changes_that_fit(const AskOptions& options, const Catalog& catalog,
                                          SheetSpec spec, const std::string& asked) {
  const std::int64_t have = spec.max_gpus;
  const std::vector<std::string> cards = spec.gpus;
  const SheetSpec rules = load_sheet_spec(options.sheet, options.catalog, catalog);
  spec.max_gpus = std::max(have, rules.max_gpus);
  for (const std::string& method : rules.methods) {
    if (!contains(spec.methods, method)) spec.methods.push_back(method);
  }
  for (const std::string& gpu : rules.gpus) {
    if (!contains(spec.gpus, gpu)) spec.gpus.push_back(gpu);
  }
  spec.deadline_hours.reset();
  const Sheet wide = sized(catalog, spec, options.jobs);
  std::map<std::string, const Row*> fewest;  // of a method, on the cards asked for
  const Row* elsewhere = nullptr;            // of the method asked for
  const auto keep = [](const Row& row, const Row*& best) {
    if (best == nullptr || *row.rentable < *best->rentable) best = &row;
  };
  for (const Row& row : wide.rows) {
    if (!row.rentable) continue;
    const bool same_card = contains(cards, row.gpu);
    if (same_card && (row.method == asked || *row.rentable <= have)) keep(row, fewest[row.method]);
    if (!same_card && row.method == asked) keep(row, elsewhere);
  }
  if (fewest.empty() && elsewhere != nullptr) fewest[asked] = elsewhere;
  std::vector<std::string> changes;
  for (const auto& [method, row] : fewest) {
    const std::string with = method == asked ? "" : "with " + wide.method(method).short_title + " ";
    changes.push_back(with + "on " + set_up(wide, row->gpu, *row->rentable));
  }
  return changes;
}

void print_terms(const Row& row, std::ostream& out) {
  for (const MemoryTerm& term : row.terms) {
    if (term.bytes > 0) line("", term.title, format_gib(term.bytes, 1) + " GiB a GPU", out);
  }
}

void print_text(const Sheet& sheet, const std::vector<MethodAnswer>& answers, bool explain,
                std::ostream& out) {
  const Scenario& scenario = sheet.scenarios.front();
  out << sheet.models.front().title << ", " << scenario.stack_title;
  if (!sheet.meta.price_as_of.empty()) out << "; prices of " << sheet.meta.price_as_of;
  out << '\n'
      << run_length(sheet, format_parameters) << " a run, in sequences of "
      << format_integer(scenario.seq_len) << '\n';
  for (const MethodAnswer& answer : answers) {
    out << '\n' << standing(sheet, answer) << '\n';
    if (answer.row == nullptr) continue;
    print_rent(sheet, answer, out);
    if (answer.pick->own) print_own(sheet, *answer.pick->own, out);
    if (explain) print_terms(*answer.row, out);
  }
}

Json json_of(const Sheet& sheet, const std::vector<MethodAnswer>& answers,
             const std::vector<std::string>& changes) {
  Json list = Json::array();
  for (const MethodAnswer& answer : answers) {
    Json one = {{"method", answer.method->id},
                {"fits", answer.row != nullptr},
                {"over_budget", answer.over_budget},
                {"words", standing(sheet, answer)},
                {"pick", answer.pick ? written(*answer.pick) : Json()},
                {"rent", answer.row ? written(*answer.row->set_up()) : Json()}};
    if (answer.row != nullptr) one["terms"] = written(*answer.row).at("terms");
    list.push_back(std::move(one));
  }
  return {{"model", sheet.models.front().id},
          {"as_of", sheet.meta.as_of},
          {"answers", std::move(list)},
          {"changes_that_fit", changes}};
}

/// 0; 1 when no method fits within budget and deadline.
int run_ask(const AskOptions& options, const Streams& streams) {
  if (options.model.empty() == options.config.empty()) {
    throw InputError("ask: expected a model, or --config with the config.json of one");
  }
  Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
  const SheetSpec spec = spec_of(options, catalog, streams.err);
  std::optional<double> budget;
  if (!options.budget.empty()) budget = amount("--budget", options.budget, {{"k", 1e3}});
  const Sheet sheet = sized(catalog, spec, options.jobs);
  const std::vector<MethodAnswer> answers = answers_of(sheet, budget);
  const bool yes = std::ranges::any_of(answers, &MethodAnswer::is_yes);
  const bool none_fits = std::ranges::none_of(
      answers, [](const MethodAnswer& answer) { return answer.row != nullptr; });
  std::vector<std::string> changes;
  if (none_fits) changes = changes_that_fit(options, catalog, spec, answers.front().method->id);
  if (options.json) {
    streams.out << json_text(json_of(sheet, answers, changes)) << '\n';
    return yes ? 0 : 1;
  }
  print_text(sheet, answers, options.explain, streams.out);
  if (!changes.empty()) streams.out << "  It fits " << join(changes, ", or ") << ".\n";
  return yes ? 0 : 1;
}

}  // namespace

void add_ask(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] = add_command(
      app, streams, chosen, "ask",
      "Say how many GPUs a model takes, for how long, for how much, rent or buy", run_ask);
  command.add_option("model", options.model, "The model: id, title or name on the Hub");
  command.add_option("--config", options.config, "A config.json in the place of the model");
  command.add_option("--method", options.method,
                     "full, lora, qlora …; all of the sheet if left out");
  command.add_option("--gpu", options.gpu, "4090, H100, A100 80GB …; all of the sheet if left out");
  command.add_option("--gpus", options.gpus, "At most so many");
  command.add_option("--stack", options.stack, "The framework; the sheet's if left out");
  command.add_option("--seq", options.seq_len, "Tokens of a sequence: 4096, 8k");
  command.add_option("--tokens", options.tokens, "Training tokens of a run: 50M, 1B");
  command.add_option("--deadline", options.deadline, "For a run at most: 24h, 3d");
  command.add_option("--budget", options.budget, "Dollars for a run at most, its upper end");
  command.add_flag("--explain", options.explain, "Add what the memory goes to");
  command.add_flag("--json", options.json, "The answer as JSON");
  add_sheet(command, options, "Sheet whose rules hold");
  add_catalog(command, options.catalog);
  add_jobs(command, options.jobs);
}

}  // namespace sizesheet
