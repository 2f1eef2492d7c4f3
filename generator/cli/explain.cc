// SPDX-License-Identifier: Apache-2.0
#include "cli/explain.h"

#include <tuple>

#include "calculator/estimates.h"
#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/explanation.h"
#include "cli/explanation_text.h"
#include "cli/json_lines.h"
#include "cli/question_options.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "sheet/spec.h"
#include "sizing/job/job.h"
#include "sizing/request/grpo_reader.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

constexpr const char* kNoStack = "none";

struct ExplainOptions : QuestionOptions {
  std::optional<std::int64_t> micro_batch;
  std::string objective;
  std::string request;  ///< other keys of an `estimate` request, a JSON object
  std::optional<double> measured_gib;
};

/// Says `value` under a dotted key that --request does not say too.
template <typename Value>
void put(Json& request, const std::string& key, const std::string& option,
         const std::optional<Value>& value) {
  if (!value) return;
  const std::string parent = key.substr(0, key.find('.'));
  if (!at_dotted(request, key).is_null()) {
    throw InputError("--request: " + key + " is said twice, " + option + " says it too");
  }
  const bool nested = parent != key && request.contains(parent);
  if (nested && !request.at(parent).is_object()) {
    throw InputError("--request: " + parent + ": expected an object, got " +
                     shown(request.at(parent)));
  }
  set_dotted(request, key, *value);
}

/// Without a GPU type there is no capacity to search a layout for.
void refuse_open_layout(const Json& request) {
  int known = 0;
  for (const char* key : {"layout.gpus", "layout.dp", "layout.tp"}) {
    if (!at_dotted(request, key).is_null()) ++known;
  }
  if (known >= 2 || at_dotted(request, "layout.gpus") == 1) return;
  throw InputError(
      "explain: without --gpu the layout has to be given: --gpus 8 spreads by data parallelism "
      "alone, --request '{\"layout\": {\"gpus\": 8, \"tp\": 2}}' says more");
}

/// What `estimate` would be asked in the same words.
Json asked_request(const ExplainOptions& options) {
  Json request = request_keys(
      options.request,
      {{"model", "--model"}, {"method", "--method"}, {"stack", "--stack"}, {"gpu", "--gpu"}});
  if (request.contains("answer")) {
    throw InputError("--request: answer: an explanation always has every part");
  }
  request["model"] = options.model;
  request["method"] = options.method;
  if (!options.stack.empty()) request["stack"] = options.stack;
  if (!options.gpu.empty()) request["gpu"] = options.gpu;
  put(request, "layout.gpus", "--gpus", options.gpus);
  put(request, "workload.seq_len", "--seq", options.seq_len);
  put(request, "workload.micro_batch", "--micro-batch", options.micro_batch);
  put(request, "workload.tokens", "--tokens", options.tokens);
  put(request, "deadline_hours", "--deadline", options.deadline);
  if (!options.objective.empty()) {
    put(request, "objective", "--objective", std::optional(options.objective));
  }
  // Without a GPU nothing can be searched: the count is spread by data parallelism alone.
  const bool spread = !at_dotted(request, "layout.dp").is_null();
  if (options.gpu.empty() && options.gpus && !spread && at_dotted(request, "layout.tp").is_null()) {
    set_dotted(request, "layout.tp", 1);
  }
  if (options.gpu.empty()) refuse_open_layout(request);
  return request;
}

/// Dollars need a card, the length of the run, and a run that can be priced.
void check_budget(const QuestionOptions& options, const Question& question) {
  if (!options.budget) return;
  if (question.gpu == nullptr) {
    throw InputError("--budget: dollars depend on the card, and no --gpu is named");
  }
  if (!question.single().run_tokens()) {
    throw InputError(std::string("--budget: needs --tokens, or in --request ") +
                     question.single().length_keys());
  }
  const std::string unpriced = money_fault(question.single());
  if (!unpriced.empty()) throw InputError("--budget: " + unpriced);
}

Json explained_json(const Explanation& explanation, const QuestionOptions& options) {
  Json json = to_json(explanation);
  if (options.model_id().empty()) json["model_id"] = nullptr;
  return json;
}

/// The sheet is read only for names that are no ids.
UsualNames usual_for(const QuestionOptions& options, const Catalog& catalog) {
  const bool ids = catalog.methods.contains(options.method) &&
                   (options.gpu.empty() || catalog.gpus.contains(options.gpu));
  return ids ? UsualNames() : usual_names(options.sheet, options.catalog);
}

/// 0; 1 where nothing fits, or not within deadline and budget.
int run_explain(const ExplainOptions& asked, const Streams& streams) {
  ExplainOptions options = asked;
  if (!names_model(options, "explain")) {
    throw InputError("explain: expected a model, or --config with the config.json of one");
  }
  refuse_unknown_sheet(options);
  Catalog catalog = load_sound_catalog(options.catalog, {});
  TakenNames taken(streams.err);
  if (options.stack == kNoStack) options.stack.clear();
  const ModelTaken model = take_question(options, catalog, usual_for(options, catalog), taken);
  methods_for(model, {options.method}, catalog, taken);
  const Question question = question_to_explain(asked_request(options), catalog);
  check_budget(options, question);
  const auto rented = [&](const Question& one) {
    return MoneyAnswers(estimate_rules(options)).answer(one);
  };
  Explanation explanation =
      explained(question, {options.measured_gib, options.deadline, options.budget}, rented);
  const auto said = options.as_json() ? taken.sentences() : taken.sentences_in(streams.out);
  std::vector<std::string>& warnings = explanation.sizing.warnings;
  warnings.insert(warnings.begin(), said.begin(), said.end());
  if (options.as_json()) {
    streams.out << json_text(explained_json(explanation, options)) << '\n';
  } else {
    print_explanation(explanation, streams.out);
  }
  return explanation.is_yes() ? 0 : 1;
}

}  // namespace

void add_explain(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] = add_command(app, streams, chosen, "explain",
                                               "Take one figure apart, term by term", run_explain);
  command.footer(
      "Exit codes: 0 it fits, or no GPU is named; 1 nothing fits, or not within deadline and "
      "budget; 2 could not tell.");
  options.stack = "hf-trl";
  add_question(
      command, options,
      {.method = "The method: full, lora-r16, QLoRA r16 …",
       .gpu = "The GPU: 4090, H100, an id …",
       .gpus = "Fix the number of GPUs",
       .stack = "Stack whose practice holds for what is left open; none: estimate's own values "
                "[hf-trl]",
       .sheet = "Sheet whose rules decide about money",
       .most_gpus = count_kind().bounds})
      ->required();
  add_value(command, "--micro-batch", options.micro_batch, count_kind(),
            "Sequences of a micro-batch");
  add_choice(command, "--objective", options.objective, "The fewest GPUs, hours or dollars",
             {"memory", "time", "money"});
  command.add_option("--request", options.request,
                     "Other keys of an estimate request: {\"workload\": {\"packed\": true}}");
  add_value(command, "--measured-gib", options.measured_gib, memory_kind(),
            "What nvidia-smi showed, GiB per GPU");
}

}  // namespace sizesheet
