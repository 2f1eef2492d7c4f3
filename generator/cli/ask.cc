// SPDX-License-Identifier: Apache-2.0
#include "cli/ask.h"

#include <optional>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "catalog/prices/price.h"
#include "catalog/prices/purchase.h"
#include "cli/ask_advice.h"
#include "cli/ask_answer.h"
#include "cli/ask_count.h"
#include "cli/ask_text.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/explanation.h"
#include "cli/question_options.h"
#include "cli/question_spec.h"
#include "cli/question_table.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/tier_names.h"
#include "cli/write_config.h"
#include "sheet/assemble/decided.h"
#include "sheet/assemble/ownership.h"
#include "sheet/decision.h"
#include "sheet/fields.h"
#include "sheet/measures.h"
#include "sheet/rows/cells.h"
#include "sheet/rows/size_row.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/team_corrections.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kMostSearched = {1, 100000};  ///< of a sheet's `max_gpus`

/// The runs that are asked for and the share of those started that is lost: the whole project is of
/// them, and whatever else the sheet's project has stays.
void put_project(const AskOptions& options, SheetSpec& spec) {
  if (!options.failed) return;
  if (!options.runs) {
    throw InputError("--failed: is the lost share of the runs of a month, and needs --runs");
  }
  if (!spec.project) spec.project.emplace();
  ProjectSpec& project = *spec.project;
  project.model = options.model;
  project.method = spec.methods.front();
  project.runs = *options.runs;
  project.failed_share = *options.failed;
}

/// "--hours 10" of somebody who has ten hours for a run.
void tell_use(const AskOptions& options, TakenNames& taken) {
  constexpr double kLikelyRun = 168;  // hours, a week
  if (!options.hours || options.deadline || *options.hours > kLikelyRun) return;
  taken.tell("--hours " + shortest(*options.hours) +
             " is the use of an owned machine per month; --deadline " + shortest(*options.hours) +
             "h limits the run");
}

/// The use of an owned machine that is asked for, in the place of the sheet's planned hours.
void put_use(const AskOptions& options, const Catalog& catalog, SheetSpec& spec) {
  SpecOwnership& own = spec.ownership;
  own.planned_runs_per_month = options.started_runs();
  put_project(options, spec);
  if (!options.hours) return;
  const double month = catalog.purchase.rate(own.hours_per_month).value.typical;
  if (*options.hours > month) {
    throw InputError("--hours: expected at most the " + shortest(month) +
                     " hours of a month, got " + shortest(*options.hours));
  }
  own.planned_hours_per_month = *options.hours;
}

/// Sets a rate of owned machines to what is said.
void put_rate(const std::string& id, double value, Catalog& catalog) {
  for (Rate& rate : catalog.purchase.rates) {
    if (rate.id == id) rate.value.low = rate.value.typical = rate.value.high = value;
  }
}

/// The life and the electricity of an owned machine, in the place of the sheet's rates.
void put_rates(const AskOptions& options, const SheetSpec& spec, Catalog& catalog,
               TakenNames& taken) {
  if (options.life) {
    put_rate(spec.ownership.life, *options.life, catalog);
    put_rate(spec.ownership.used_life, *options.life, catalog);
    taken.tell("a machine is owned for " + shortest(*options.life) +
               (*options.life == 1 ? " year" : " years"));
  }
  if (options.usd_per_kwh) {
    put_rate(spec.ownership.electricity, *options.usd_per_kwh, catalog);
    taken.tell("electricity costs $" + shortest(*options.usd_per_kwh) + " per kWh");
  }
}

/// The price that is said takes the place of all others: of any number of the GPUs, on demand.
void put_rent(const AskOptions& options, const SheetSpec& spec, Catalog& catalog) {
  if (!options.rent) return;
  if (options.gpu.empty()) throw InputError("--rent: applies to one GPU type; name it with --gpu");
  Price price;
  price.provider = "your price";
  price.region = "any";
  price.gpu = options.gpu;
  price.tier = kOnDemand.key;
  price.offer = "list";
  price.gpus = 1;
  for (std::int64_t count = 1; count <= catalog.gpu(options.gpu).gpus_per_node; ++count) {
    price.counts.push_back(count);
  }
  price.usd_per_instance_hour = rounded_usd(*options.rent);
  price.interconnect = "infiniband";
  price.as_of = spec.as_of;
  price.source = "--rent";
  catalog.prices = {price};
}

/// The set-up of a row taken apart, as the sheet asks for it.
Explanation explained_row(const Catalog& catalog, const SheetSpec& spec, const Row& row) {
  Question question = question_to_explain(request_of(catalog, spec, cell_of(spec, row)), catalog);
  question.objective = Objective::kMoney;
  question.deadline_hours = spec.deadline_hours;
  return explained(question, {},
                   [&](const Question& asked) { return rented_run(catalog, spec, asked); });
}

/// Adds the explanation of each answer that has a set-up.
void explain_answers(const Catalog& catalog, const SheetSpec& spec,
                     std::vector<MethodAnswer>& answers) {
  for (MethodAnswer& answer : answers) {
    const Row* row = answer.set_up();
    if (row != nullptr) answer.explanation = explained_row(catalog, spec, *row);
  }
}

/// What fits without a price, as a program reads it.
Json unpriced_json(const Row& row) {
  Json set_up = {{"gpu", row.gpu},
                 {"gpus", row.layout.gpus},
                 {"layout", written(row.layout)},
                 {"device", row.memory.device},
                 {"capacity", row.memory.capacity},
                 {"hours", nullptr}};
  if (row.hours_mid) {
    set_up["hours"] = {{"low", *row.hours_low}, {"mid", *row.hours_mid}, {"high", *row.hours_high}};
  }
  return set_up;
}

/// What the row is run with, from whom, and whether it is certain to fit; null without a row.
void put_choices(const Row* row, Json& answer) {
  answer["certain"] = answer["device_high_bytes"] = answer["provider"] = nullptr;
  if (row == nullptr) return;
  answer.update(written(row->choices));
  if (row->certain()) answer["certain"] = *row->certain();
  answer["device_high_bytes"] = row->device_high;
  if (const RunCandidate* run = row->set_up()) answer["provider"] = run->provider;
}

/// What the set-up costs in the tier that is asked for, and which costs least in it; nothing
/// without one.
void put_tier(const Sheet& sheet, const Row* row, const std::string& tier, Json& answer) {
  if (tier.empty()) return;
  const SheetTier* shown = rent_tier(tier);
  const auto* line = row != nullptr && shown != nullptr ? &row->rents[*shown] : nullptr;
  answer["tier"] = {{"tier", tier}, {"rent", nullptr}};
  if (line != nullptr && *line) answer["tier"]["rent"] = written(**line);
  answer["tier"]["lowest"] = nullptr;
  const Row* lowest = lowest_in_tier(sheet, answer.at("method"), tier);
  if (lowest == nullptr) return;
  answer["tier"]["lowest"] = {{"gpu", lowest->gpu},
                              {"gpus", lowest->layout.gpus},
                              {"rent", written(*lowest->rents[*shown])}};
}

/// What would make the answer yes; empty where it is, or where nothing would.
void put_changes(const ChangesAsked& changes, Json& answer) {
  answer["changes_that_fit"] = changes.fit;
  answer["changes_in_time"] = changes.in_time;
  answer["changes_in_budget"] =
      changes.budget ? changes.budget->within : std::vector<std::string>();
}

/// Those of all methods, with the method's title where several are asked for.
ChangesAsked all_changes(const std::vector<MethodAnswer>& answers) {
  if (answers.size() == 1) return answers.front().changes;
  ChangesAsked all;
  all.budget = BudgetChanges();
  for (const MethodAnswer& answer : answers) {
    const auto add = [&](const std::vector<std::string>& changes, std::vector<std::string>& to) {
      for (const std::string& one : changes) to.push_back(answer.method->title + ": " + one);
    };
    add(answer.changes.fit, all.fit);
    add(answer.changes.in_time, all.in_time);
    if (answer.changes.budget) add(answer.changes.budget->within, all.budget->within);
  }
  return all;
}

Json json_of(const Sheet& sheet, const std::vector<MethodAnswer>& answers,
             const AskOptions& options) {
  Json left_out = Json::array();
  for (const CardLeftOut& one : left_out_of(sheet)) {
    left_out.push_back({{"gpu", one.gpu}, {"why", one.why}});
  }
  Json list = Json::array();
  for (const MethodAnswer& answer : answers) {
    Json one = {{"method", answer.method->id},
                {"fits", answer.row != nullptr || answer.unpriced != nullptr},
                {"over_budget", answer.over_budget},
                {"tokens", answer.method->tokens},
                {"words", whole_standing(sheet, answer, options)},
                {"pick", answer.pick ? written(*answer.pick) : Json()},
                {"rent", answer.row ? written(*answer.row->set_up()) : Json()}};
    one["unpriced"] = answer.unpriced ? unpriced_json(*answer.unpriced) : Json();
    if (answer.row != nullptr && answer.row->project) {
      one["project"] = written(*answer.row->project);
    }
    one["asked_gpus"] = answer.asked_count ? to_json(*answer.asked_count) : Json();
    put_tier(sheet, answer.row, options.tier, one);
    one["services"] = Json::array();
    for (const SheetService& offer :
         services_for(sheet, sheet.models.front().id, answer.method->id)) {
      one["services"].push_back(written(offer));
    }
    const Row* row = answer.set_up();
    put_choices(row, one);
    if (row != nullptr) {
      one["terms"] = written(*row).at("terms");
      one["warnings"] = row->warnings;
    }
    if (answer.explanation) one["explanation"] = to_json(*answer.explanation);
    put_changes(answer.changes, one);
    list.push_back(std::move(one));
  }
  return {{"model", sheet.models.front().id},
          {"as_of", sheet.meta.as_of},
          {"answers", std::move(list)},
          {"left_out", std::move(left_out)}};
}

/// What the names that were asked for were taken for; null where none was named.
void put_taken(const AskOptions& options, const TakenNames& taken, Json& json) {
  put_ids(options.model_id(), options.gpu, options.method, json);
  json["taken"] = taken.sentences();
}

/// What is asked for of an owned machine; null where nothing is.
Json demand_json(const AskOptions& options, const SheetSpec& spec) {
  if (!options.states_use()) return nullptr;
  Json demand = {{"runs_per_month", nullptr}, {"hours_per_month", nullptr}};
  if (options.runs) {
    demand["runs_per_month"] = *options.runs;
    demand["failed_share"] = options.failed.value_or(0);
    demand["runs_started_per_month"] = *options.started_runs();
  } else {
    demand["hours_per_month"] = spec.ownership.planned_hours_per_month;
  }
  return demand;
}

/// The request that a training config was understood as, for `estimate`; null without one.
Json config_request(const AskOptions& options, const Catalog& catalog, const SheetSpec& spec) {
  if (options.read_config.is_null()) return nullptr;
  Json request = request_of(catalog, spec, cells_of(spec).front());
  const Method& method = catalog.method(spec.methods.front());
  request["method"] = method.request;
  if (!method.objective.is_null()) request["objective"] = method.objective;
  if (!method.grpo.is_null()) request["grpo"] = method.grpo;
  if (options.gpu.empty()) request.erase("gpu");
  return request;
}

/// Writes the config of the pick where one is asked for and the answer is yes; nullopt otherwise.
std::optional<WrittenPick> written_pick(const AskOptions& options, const Catalog& catalog,
                                        const SheetSpec& spec,
                                        const std::vector<MethodAnswer>& answers) {
  if (options.write.empty()) return std::nullopt;
  if (answers.size() != 1) {
    throw InputError("--write: is for one method, and the question has " +
                     std::to_string(answers.size()) + "; name one: lora");
  }
  const MethodAnswer& answer = answers.front();
  if (!answer.is_yes()) return std::nullopt;
  if (answer.row == nullptr) {
    throw InputError("--write: the set-up that fits has no price, so nothing is picked");
  }
  return write_pick(options.catalog, catalog, spec, *answer.row, options.epochs.value_or(1),
                    options.write);
}

void print_written(const std::optional<WrittenPick>& files, std::ostream& out) {
  if (!files) {
    out << "Nothing is written, because nothing fits within the limits.\n";
    return;
  }
  out << "Written: " << join(files->files, ", ") << '\n';
  if (files->command.empty()) return;
  out << "Run it there"
      << (files->machines > 1 ? ", on each of " + std::to_string(files->machines) + " machines: "
                              : std::string(": "))
      << files->command << '\n';
}

bool over_a_budget(const std::vector<MethodAnswer>& answers) {
  return std::ranges::any_of(answers, &MethodAnswer::over_budget);
}

/// The sheet of a question. Where the upper end of a pick is over the budget, the pick is the
/// set-up with the lowest upper end.
Sheet sheet_within_budget(const Catalog& catalog, SheetSpec& spec, const AskOptions& options) {
  Sheet sheet = asked_sheet(catalog, spec, options.jobs);
  if (!over_a_budget(answers_of(sheet, options))) return sheet;
  spec.pick_rules.rank = kRankedByUpperEnd;
  spec.pick_rules.tie_share = 0;
  return asked_sheet(catalog, spec, options.jobs);
}

/// Whether the question names a GPU type and a count, and no count up to it fits.
bool wants_exact_count(const AskOptions& options, const Sheet& sheet) {
  if (options.gpu.empty() || !options.gpus || options.whole_machine) return false;
  return std::ranges::all_of(answers_of(sheet, options),
                             [](const MethodAnswer& answer) { return answer.set_up() == nullptr; });
}

/// Sizes exactly as many GPUs as were named, where nothing smaller fits. A search up to that count
/// would tell of the smallest count that nearly fits, and it skips counts that nobody rents out.
void take_exact_count(const AskOptions& options, const Catalog& catalog, SheetSpec& spec,
                      Sheet& sheet) {
  if (!wants_exact_count(options, sheet)) return;
  SheetSpec same = spec;
  same.scenarios.front().request["layout"]["gpus"] = *options.gpus;
  Sheet exact = asked_sheet(catalog, same, options.jobs);
  if (!refused_words(exact).empty()) return;  // no layout has so many
  spec = std::move(same);
  sheet = std::move(exact);
}

/// 0; 1 when no method fits within budget and deadline. Throws InputError where none can be sized.
int run_ask(const AskOptions& asked, const Streams& streams) {
  AskOptions options = asked;
  Catalog catalog = load_catalog_to_ask(options.catalog, {CatalogPart::kMoney});
  TakenNames taken(streams.err);
  SheetSpec spec = asked_spec(options, "ask", catalog, sheet_asked_for(options, catalog), taken);
  options.tier = tier_key(options.tier);
  tell_use(options, taken);
  put_use(options, catalog, spec);
  put_rates(options, spec, catalog, taken);
  put_rent(options, spec, catalog);
  const std::string rank = spec.pick_rules.rank;
  Sheet sheet = sheet_within_budget(catalog, spec, options);
  const SheetSpec up_to = spec;  // what would fit is sought among all counts
  take_exact_count(options, catalog, spec, sheet);
  if (options.states_use()) decide_by_use(sheet);
  const std::string refused = refused_words(sheet);
  if (!refused.empty()) throw InputError("ask: " + refused);
  std::vector<MethodAnswer> answers = answers_of(sheet, options);
  const bool yes = std::ranges::any_of(answers, &MethodAnswer::is_yes);
  for (MethodAnswer& answer : answers) {
    if (!yes) answer.changes = changes_for(options, catalog, up_to, sheet, answer);
  }
  put_asked_counts(options, catalog, spec, sheet, answers);
  if (options.explain) explain_answers(catalog, spec, answers);
  const std::optional<WrittenPick> files = written_pick(options, catalog, spec, answers);
  const Json request =
      options.explain || options.as_json() ? config_request(options, catalog, spec) : Json();
  if (options.as_json()) {
    Json json = json_of(sheet, answers, options);
    json["budget_moved_pick"] = sheet.options.pick_rules.rank != rank;
    put_changes(all_changes(answers), json);
    put_taken(options, taken, json);
    json["demand"] = demand_json(options, spec);
    if (!options.read_config.is_null()) {
      json["config"] = options.read_config;
      json["config"]["request"] = request;
    }
    if (!options.write.empty()) json["written"] = files ? to_json(*files) : Json();
    streams.out << json_text(json) << '\n';
    return yes ? 0 : 1;
  }
  print_text(catalog, sheet, answers, options, taken, streams.out);
  if (!request.is_null()) streams.out << "The request of the config: " << request.dump() << '\n';
  if (!options.write.empty()) print_written(files, streams.out);
  return yes ? 0 : 1;
}

}  // namespace

void add_ask(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] = add_command(
      app, streams, chosen, "ask",
      "Say how many GPUs a model takes, for how long, for how much, and when owning pays", run_ask);
  add_question(command, options,
               {.words = "The question: a model, and a method and cards: llama-3.1-8b lora 2xh100",
                .method = "full, lora, qlora …; all of the sheet if left out",
                .gpu = "4090, H100, A100 80GB …; all of the sheet if left out",
                .gpus = "At most so many",
                .sheet = "Sheet whose rules hold",
                .most_gpus = kMostSearched});
  add_text(command, "--tier", options.tier,
           "Adds what the set-up costs in this tier: spot, 1 year …");
  CLI::Option* runs = add_number(command, "--runs", options.runs);
  add_number(command, "--failed", options.failed);
  add_number(command, "--hours", options.hours,
             "Or hours of use per month of a machine that is owned: 200, 8d")
      ->excludes(runs);
  add_number(command, "--rent", options.rent,
             "Dollars per GPU-hour that you pay, instead of the sellers' prices: 2.49")
      ->excludes("--provider");
  add_number(command, "--life", options.life);
  add_number(command, "--electricity", options.usd_per_kwh);
  add_text(command, "--write", options.write);
  command.add_flag("--explain", options.explain,
                   "Add the derivation of each answer, as explain has it");
  add_jobs(command, options.jobs);
}

}  // namespace sizesheet
