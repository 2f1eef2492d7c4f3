// SPDX-License-Identifier: Apache-2.0
#include "cli/ask.h"

#include <optional>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "catalog/models/families.h"
#include "catalog/models/model_entry.h"
#include "catalog/names.h"
#include "cli/ask_advice.h"
#include "cli/ask_answer.h"
#include "cli/ask_text.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "sheet/assemble/ownership.h"
#include "sheet/decision.h"
#include "sheet/fields.h"
#include "sheet/measures.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/answer/estimate.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

constexpr const char* kConfigId = "config";
constexpr Bounds<double> kMostSearched = {1, 100000};  ///< of a sheet's `max_gpus`

/// Puts the model of a config.json among those of the catalog, for this one question: the day of
/// reading does not matter.
void add_config(const std::string& file, Catalog& catalog) {
  const Json config = read_config_file(file);
  Faults faults;
  const EntryKeys keys =
      model_entry(config, shown_path(file),
                  {kConfigId, shown_path(file), "", shown_path(file), "1970-01"}, faults);
  faults.refuse();
  catalog.models[kConfigId] = entry_model(keys, faults);
  faults.refuse();
  catalog.models[kConfigId].architecture.remarks = config_remarks(config, Uncounted::kTold);
}

/// What is generated is as long as its own limits say.
void refuse_length(std::int64_t length, const Catalog& catalog,
                   const std::vector<std::string>& methods) {
  for (const std::string& id : methods) {
    const Method& method = catalog.method(id);
    if (method.grpo.is_null()) continue;
    throw InputError("--seq: " + method.title +
                     " generates its sequences; expected grpo.prompt_length and "
                     "grpo.completion_length in a request to estimate, got " +
                     std::to_string(length));
  }
}

/// The sheet's rules, asked of one model; the names of `options` become ids.
SheetSpec spec_of(AskOptions& options, Catalog& catalog, TakenNames& taken) {
  if (options.model.empty()) {
    add_config(options.config, catalog);
    options.model = kConfigId;
  }
  const ModelTaken model = take_model(options.model, catalog, options, taken);
  SheetSpec spec = sheet_asked_for(options, catalog);
  take_name(options.method, "method", called_methods(catalog), taken, spec.methods);
  take_name(options.gpu, "GPU", called_gpus(catalog), taken, spec.gpus);
  take_name(options.stack, "stack", called_stacks(catalog), taken);
  spec.models = {{options.model, options.model, ""}};
  spec.handout_models.clear();
  spec.highlight_model = options.model;
  spec.scenarios.resize(1);
  SpecScenario& scenario = spec.scenarios.front();
  if (!options.stack.empty() && !options.gpu.empty()) {
    const std::string elsewhere =
        vendor_fault(catalog.stack(options.stack), catalog.gpu(options.gpu));
    if (!elsewhere.empty()) throw InputError("--stack: " + elsewhere);
  }
  if (!options.method.empty()) spec.methods = {options.method};
  spec.methods = methods_for(model, spec.methods, catalog, taken);
  if (!options.gpu.empty()) spec.gpus = {options.gpu};
  if (!options.stack.empty()) {
    scenario.stack = options.stack;
    scenario.methods.clear();
  }
  if (options.gpus) spec.max_gpus = *options.gpus;
  if (options.seq_len) {
    refuse_length(*options.seq_len, catalog, spec.methods);
    scenario.request["workload"]["seq_len"] = *options.seq_len;
  }
  if (options.tokens) {
    if (scenario.request.contains("grpo")) {
      throw InputError(
          "--tokens: the sheet's first scenario generates, and is as long as its "
          "workload.examples; got " +
          std::to_string(*options.tokens));
    }
    spec.tokens = *options.tokens;
    spec.adapter_tokens.reset();
  }
  if (options.deadline) spec.deadline_hours = options.deadline;
  return spec;
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
                {"words", whole_standing(sheet, answer, options)},
                {"pick", answer.pick ? written(*answer.pick) : Json()},
                {"rent", answer.row ? written(*answer.row->set_up()) : Json()}};
    one["unpriced"] = answer.unpriced ? unpriced_json(*answer.unpriced) : Json();
    const Row* row = answer.row != nullptr ? answer.row : answer.unpriced;
    put_choices(row, one);
    if (row != nullptr) {
      one["terms"] = written(*row).at("terms");
      one["warnings"] = row->warnings;
    }
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
  put_ids(options.config.empty() ? options.model : "", options.gpu, options.method, json);
  json["taken"] = taken.sentences();
}

bool over_a_budget(const std::vector<MethodAnswer>& answers) {
  return std::ranges::any_of(answers, &MethodAnswer::over_budget);
}

/// The sheet of a question. A pick may cost a little more than the cheapest, since it is faster;
/// where that passes the budget, the cheapest is taken.
Sheet sheet_within_budget(const Catalog& catalog, SheetSpec& spec, const AskOptions& options) {
  Sheet sheet = asked_sheet(catalog, spec, options.jobs);
  if (!over_a_budget(answers_of(sheet, options))) return sheet;
  spec.pick_rules.tie_share = 0;
  return asked_sheet(catalog, spec, options.jobs);
}

/// 0; 1 when no method fits within budget and deadline. Throws InputError where none can be sized.
int run_ask(const AskOptions& asked, const Streams& streams) {
  AskOptions options = asked;
  if (options.model.empty() == options.config.empty()) {
    throw InputError("ask: expected a model, or --config with the config.json of one");
  }
  Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
  TakenNames taken(streams.err);
  SheetSpec spec = spec_of(options, catalog, taken);
  const Sheet sheet = sheet_within_budget(catalog, spec, options);
  const std::string refused = refused_words(sheet);
  if (!refused.empty()) throw InputError("ask: " + refused);
  std::vector<MethodAnswer> answers = answers_of(sheet, options);
  const bool yes = std::ranges::any_of(answers, &MethodAnswer::is_yes);
  for (MethodAnswer& answer : answers) {
    if (!yes) answer.changes = changes_for(options, catalog, spec, sheet, answer);
  }
  if (options.json) {
    Json json = json_of(sheet, answers, options);
    put_changes(all_changes(answers), json);
    put_taken(options, taken, json);
    streams.out << json_text(json) << '\n';
    return yes ? 0 : 1;
  }
  print_text(catalog, sheet, answers, options, taken, streams.out);
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
  add_value(command, "--gpus", options.gpus, count_kind(), "At most so many", kMostSearched);
  command.add_option("--stack", options.stack, "The framework; the sheet's if left out");
  add_value(command, "--seq", options.seq_len, length_kind(), "Tokens of a sequence: 4096, 8k");
  add_value(command, "--tokens", options.tokens, tokens_kind(),
            "Training tokens of a run: 50M, 1B");
  add_value(command, "--deadline", options.deadline, hours_kind(),
            "Hours for a run at most: 24, 24h, 3d, 90m");
  add_value(command, "--budget", options.budget, dollars_kind(),
            "Dollars for a run at most, its upper end: 500, $1,500, 2k");
  command.add_flag("--explain", options.explain, "Add what the memory goes to");
  command.add_flag("--json", options.json, "The answer as JSON");
  add_sheet(command, options, "Sheet whose rules hold");
  add_catalog(command, options.catalog);
  add_jobs(command, options.jobs);
}

}  // namespace sizesheet
