// SPDX-License-Identifier: Apache-2.0
#include "cli/question_options.h"

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/model_names.h"
#include "catalog/models/families.h"
#include "catalog/models/model_entry.h"
#include "catalog/names.h"
#include "cli/common_options.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "sheet/spec.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

constexpr const char* kConfigId = "config";

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

/// The option, and its older spelling, which the help leaves out.
void add_limit(CLI::App& command, const std::string& name, const std::string& older,
               std::optional<double>& target, const ValueKind& kind, const std::string& words) {
  add_value(command, name, target, kind, words);
  const auto put = [&target, name, older](double value) {
    if (target) throw InputError(older + ": is said twice, " + name + " says it too");
    target = value;
  };
  add_value_option(command, older, kind, kind.bounds, "The same as " + name, put)->group("");
}

}  // namespace

CLI::Option* add_question(CLI::App& command, QuestionOptions& options, const QuestionHelp& help) {
  command.add_option("model,--model", options.model, "The model: id, title or name on the Hub");
  command.add_option("--config", options.config, "A config.json in the place of the model");
  CLI::Option* method = command.add_option("--method", options.method, help.method);
  command.add_option("--gpu", options.gpu, help.gpu);
  add_value(command, "--gpus", options.gpus, count_kind(), help.gpus, help.most_gpus);
  command.add_option("--stack", options.stack, help.stack);
  add_value(command, "--seq", options.seq_len, length_kind(), "Tokens of a sequence: 4096, 8k");
  add_value(command, "--tokens", options.tokens, tokens_kind(),
            "Training tokens of a run: 50M, 1B");
  add_limit(command, "--deadline", "--deadline-hours", options.deadline, hours_kind(),
            "Hours for a run at most: 24, 24h, 3d, 90m");
  add_limit(command, "--budget", "--budget-usd", options.budget, dollars_kind(),
            "Dollars for a run at most, its upper end: 500, $1,500, 2k");
  add_format(command, options.format, {"text", "json"});
  add_sheet(command, options, help.sheet);
  add_catalog(command, options.catalog);
  return method;
}

bool names_model(const QuestionOptions& options, const std::string& command) {
  if (!options.model.empty() && !options.config.empty()) {
    throw InputError(command + ": expected a model, or --config with the config.json of one");
  }
  return !options.model.empty() || !options.config.empty();
}

ModelTaken take_question(QuestionOptions& options, Catalog& catalog, const UsualNames& usual,
                         TakenNames& taken) {
  if (options.model.empty()) {
    add_config(options.config, catalog);
    options.model = kConfigId;
  }
  ModelTaken model = take_model(options.model, catalog, options, taken);
  take_names(options, catalog, usual, taken);
  return model;
}

void take_names(QuestionOptions& options, const Catalog& catalog, const UsualNames& usual,
                TakenNames& taken) {
  take_name(options.method, "method", called_methods(catalog), taken, usual.methods);
  take_name(options.gpu, "GPU", called_gpus(catalog), taken, usual.gpus);
  take_name(options.stack, "stack", called_stacks(catalog), taken);
}

void ask_scenario(const QuestionOptions& options, const Catalog& catalog,
                  const std::vector<std::string>& methods, SheetSpec& sheet) {
  sheet.scenarios.resize(1);
  SpecScenario& scenario = sheet.scenarios.front();
  if (!options.stack.empty()) {
    const std::string elsewhere =
        options.gpu.empty() ? ""
                            : vendor_fault(catalog.stack(options.stack), catalog.gpu(options.gpu));
    if (!elsewhere.empty()) throw InputError("--stack: " + elsewhere);
    scenario.stack = options.stack;
    scenario.methods.clear();
  }
  if (options.gpus) sheet.max_gpus = *options.gpus;
  if (options.seq_len) {
    refuse_length(*options.seq_len, catalog, methods);
    scenario.request["workload"]["seq_len"] = *options.seq_len;
  }
  if (options.tokens) {
    if (scenario.request.contains("grpo")) {
      throw InputError(
          "--tokens: the sheet's first scenario generates, and is as long as its "
          "workload.examples; got " +
          std::to_string(*options.tokens));
    }
    sheet.tokens = *options.tokens;
    sheet.adapter_tokens.reset();
  }
  if (options.deadline) sheet.deadline_hours = options.deadline;
}

}  // namespace sizesheet
