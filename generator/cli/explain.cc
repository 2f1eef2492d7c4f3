// SPDX-License-Identifier: Apache-2.0
#include "cli/explain.h"

#include <algorithm>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/explanation.h"
#include "cli/explanation_text.h"
#include "cli/json_lines.h"
#include "cli/question_options.h"
#include "cli/question_spec.h"
#include "cli/question_words.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "sheet/rows/cells.h"
#include "sheet/rows/size_row.h"
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

constexpr const char* kWithoutStack = "none";
constexpr const char* kUsualStack = "hf-trl";  // of a catalog without a sheet

struct ExplainOptions : QuestionOptions {
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

/// What the sheet's scenario says gives way to what the request says of the same thing.
void give_way(const Json& said, Json& base) {
  const auto says = [&](const char* key) { return !at_dotted(said, key).is_null(); };
  const auto erase = [&](const char* key) {
    if (base.contains("workload")) base["workload"].erase(key);
  };
  const auto fix = [&](const char* varied) {
    if (!base.contains("vary")) return;
    Json& vary = base["vary"];
    const auto found = std::ranges::find(vary, varied);
    if (found != vary.end()) vary.erase(found);
    if (vary.empty()) base.erase("vary");
  };
  const auto take_one = [&] {
    fix("micro_batch");
    if (!says("workload.micro_batch")) base["workload"]["micro_batch"] = 1;
  };
  if (says("workload.grad_accum")) {
    erase("global_batch");
    take_one();
  }
  if (says("workload.examples")) erase("tokens");
  if (says("workload.micro_batch")) fix("micro_batch");
  if (says("kernels.recompute")) fix("recompute");
  if (!says("grpo")) return;
  for (const char* key : {"seq_len", "global_batch", "packed", "tokens"}) erase(key);
  take_one();
  if (says("workload.examples")) return;
  for (const char* key : {"startup_hours", "startup_hours_per_node", "checkpoint_share"}) {
    erase(key);
  }
}

/// The part of a question that the sheet answers: its scenario, as `ask` has it. Nothing where
/// `bare`: then estimate's own values hold.
Json base_request(const ExplainOptions& options, const Catalog& catalog, const SheetSpec& spec,
                  bool bare) {
  if (bare) {
    Json request = {{"model", options.model}, {"method", options.method}};
    if (!options.gpu.empty()) request["gpu"] = options.gpu;
    if (options.headroom) request["headroom"] = *options.headroom;
    if (!options.stack.empty()) request["stack"] = options.stack;
    return request;
  }
  Json request = request_of(catalog, spec, cells_of(spec).front());
  if (!options.gpu.empty()) return request;
  for (const char* searched : {"gpu", "vary", "max_gpus"}) request.erase(searched);
  request["workload"].emplace("micro_batch", 1);
  return request;
}

/// What `estimate` would be asked in the same words.
Json asked_request(const ExplainOptions& options, const Catalog& catalog, const SheetSpec& spec,
                   bool bare) {
  Json said = request_keys(
      options.request,
      {{"model", "--model"}, {"method", "--method"}, {"stack", "--stack"}, {"gpu", "--gpu"}});
  if (said.contains("answer")) {
    throw InputError("--request: answer: an explanation always has every part");
  }
  put(said, "layout.gpus", "--gpus", options.gpus);
  put(said, "workload.seq_len", "--seq", options.seq_len);
  put(said, "workload.micro_batch", "--micro-batch", options.micro_batch);
  if (options.tokens || options.examples) {
    put(said, "workload.tokens", "--tokens", std::optional(spec.tokens));
  }
  put(said, "deadline_hours", "--deadline", options.deadline);
  put(said, "headroom", "--headroom", options.headroom);
  if (!options.objective.empty()) {
    put(said, "objective", "--objective", std::optional(options.objective));
  }
  Json request = base_request(options, catalog, spec, bare);
  give_way(said, request);
  request.merge_patch(said);
  // Without a GPU nothing can be searched: the count is spread by data parallelism alone.
  const bool spread = !at_dotted(request, "layout.dp").is_null();
  if (options.gpu.empty() && options.gpus && !spread && at_dotted(request, "layout.tp").is_null()) {
    set_dotted(request, "layout.tp", 1);
  }
  if (options.gpu.empty()) refuse_open_layout(request);
  return request;
}

/// The set-up that `ask` rents, where nothing else is looked for and the run can be priced.
void look_for_dollars(const ExplainOptions& options, const SheetSpec& spec, Question& question) {
  const bool said =
      !options.objective.empty() ||
      (question.request.contains("objective") && question.request.at("objective").is_string()) ||
      question.request.contains("search");
  if (said || question.gpu == nullptr || !question.gpu->capacity_bytes()) return;
  if (!question.single().run_tokens() || !money_fault(question.single()).empty()) return;
  question.objective = Objective::kMoney;
  if (!question.deadline_hours) question.deadline_hours = spec.deadline_hours;
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

/// The sheet that is asked for. A catalog without the usual one has no rules but the engine's own.
std::optional<SheetSpec> rules_for(const ExplainOptions& options, const Catalog& catalog) {
  const bool usual = options.sheet == CommonOptions().sheet;
  if (usual && !contains(catalog.sheets, options.sheet)) return std::nullopt;
  return sheet_asked_for(options, catalog);
}

/// Sets the names to ids without a sheet, or without its scenario.
SheetSpec bare_spec(ExplainOptions& options, Catalog& catalog, SheetSpec spec, TakenNames& taken) {
  const UsualNames usual{spec.methods, spec.gpus};
  take_words(options, catalog, usual, "explain");
  take_model_file(options, catalog);
  if (!names_model(options, "explain")) {
    throw InputError("explain: expected a model, or --config with the config.json of one");
  }
  const ModelTaken model = take_question(options, catalog, usual, taken);
  if (!options.method.empty()) methods_for(model, {options.method}, catalog, taken);
  if (spec.scenarios.empty()) spec.scenarios.resize(1);
  if (spec.scenarios.front().request.is_null()) {
    spec.scenarios.front().request = Json::object();
  }
  std::string stack;
  std::swap(stack, options.stack);
  ask_scenario(options, catalog, {}, options.gpu, spec, taken);
  std::swap(stack, options.stack);
  spec.deadline_hours = options.deadline;
  return spec;
}

/// 0; 1 where nothing fits, or not within deadline and budget.
int run_explain(const ExplainOptions& asked, const Streams& streams) {
  ExplainOptions options = asked;
  Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
  TakenNames taken(streams.err);
  const auto rules = rules_for(options, catalog);
  const bool no_stack = small_letters(options.stack) == kWithoutStack;
  if (no_stack) options.stack.clear();
  if (!rules && !no_stack && options.stack.empty()) options.stack = kUsualStack;
  const bool bare = no_stack || !rules;
  const SheetSpec spec = bare ? bare_spec(options, catalog, rules.value_or(SheetSpec()), taken)
                              : asked_spec(options, "explain", catalog, *rules, taken);
  if (options.method.empty()) {
    throw InputError("explain: expected a method: full, lora, qlora …");
  }
  Question question = question_to_explain(asked_request(options, catalog, spec, bare), catalog);
  check_budget(options, question);
  if (rules && !no_stack) look_for_dollars(options, spec, question);
  const auto rented = [&](const Question& one) {
    if (!rules)
      throw InputError("--sheet: no sheet " + in_quotes(options.sheet) + " in the catalog");
    return rented_run(catalog, spec, one);
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
  add_question(command, options,
               {.words = "The question: a model, a method and cards: llama-3.1-8b lora 2xh100",
                .method = "The method: full, lora, QLoRA r16 …",
                .gpu = "The GPU: 4090, H100, 2xH100, an id …",
                .gpus = "Fix the number of GPUs",
                .sheet = "Sheet whose rules and first scenario hold",
                .most_gpus = count_kind().bounds});
  add_choice(command, "--objective", options.objective,
             "The fewest GPUs, hours or dollars; left out: what ask rents",
             {"memory", "time", "money"});
  command.add_option("--request", options.request,
                     "Other keys of an estimate request: {\"workload\": {\"packed\": true}}");
  add_value(command, "--measured-gib", options.measured_gib, memory_kind(),
            "What nvidia-smi showed, GiB per GPU");
}

}  // namespace sizesheet
