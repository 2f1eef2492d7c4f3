// SPDX-License-Identifier: Apache-2.0
#include "cli/explained_request.h"

#include <algorithm>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/model_names.h"
#include "cli/json_lines.h"
#include "cli/question_spec.h"
#include "cli/question_words.h"
#include "cli/said_generation.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "sheet/rows/cells.h"
#include "sheet/rows/size_row.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kWithoutStack = "none";
constexpr const char* kUsualStack = "hf-trl";  // of a catalog without a sheet

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
  const bool timed = base.contains("workload") && base["workload"].contains("examples");
  if (timed || says("workload.examples")) return;
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

/// Prompts of as many tokens as the run has, with the group and the lengths that are said.
void count_prompts(const ExplainOptions& options, const Catalog& catalog, const SheetSpec& spec,
                   Json& request) {
  Method method = catalog.method(options.method);
  if (!method.grpo.is_object() || !options.said_grpo.is_object()) return;
  if (!request.contains("workload") || !request["workload"].contains("examples")) return;
  method.grpo.merge_patch(options.said_grpo);
  for (const char* key : {"group_size", "prompt_mean", "completion_mean"}) {
    // Its reader refuses what is no such number.
    if (!method.grpo.contains(key) || !method.grpo.at(key).is_number()) return;
    if (const double value = method.grpo.at(key); value < 1 || value > 1e9) return;
  }
  ask_run(method, tokens_of(spec, method), request);
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
  put(said, "workload.grad_accum", "--grad-accum", options.grad_accum);
  if (catalog.method(options.method).grpo.is_object()) {  // as long as its prompts
    put(said, "workload.examples", "--examples", options.examples);
    if (options.examples) put(said, "workload.epochs", "--epochs", options.epochs);
  } else if (options.tokens || options.examples) {
    put(said, "workload.tokens", "--tokens", std::optional(spec.tokens));
  }
  put(said, "deadline_hours", "--deadline", options.deadline);
  put(said, "headroom", "--headroom", options.headroom);
  if (!options.objective.empty()) {
    put(said, "objective", "--objective", std::optional(options.objective));
  }
  Json request = base_request(options, catalog, spec, bare);
  count_prompts(options, catalog, spec, request);
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

/// The sheet that is asked for. A catalog without the usual one has no rules but the engine's own.
std::optional<SheetSpec> rules_for(const ExplainOptions& options, const Catalog& catalog) {
  const bool usual = options.sheet == CommonOptions().sheet;
  if (usual && !contains(catalog.sheets, options.sheet)) return std::nullopt;
  return sheet_asked_for(options, catalog);
}

/// Sets the names to ids without a sheet, or without its scenario.
SheetSpec bare_spec(ExplainOptions& options, const std::string& command, Catalog& catalog,
                    SheetSpec spec, TakenNames& taken) {
  const UsualNames usual{spec.methods, spec.gpus};
  take_words(options, catalog, usual, command);
  take_model_file(options, catalog);
  if (!names_model(options, command)) {
    throw InputError(command + ": expected a model, or --config with the config.json of one");
  }
  const ModelTaken model = take_question(options, catalog, usual, taken);
  if (!options.method.empty()) {
    methods_for(model, {options.method}, catalog, taken);
    take_generation(options.generation, {options.method}, catalog, taken);
  }
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

}  // namespace

ExplainedRequest explained_request(ExplainOptions& options, const std::string& command,
                                   Catalog& catalog, TakenNames& taken) {
  ExplainedRequest found;
  options.said_grpo = request_keys(options.request, {}).value("grpo", Json());
  refuse_said_twice(options.generation, options.said_grpo);
  found.rules = rules_for(options, catalog);
  found.without_stack = small_letters(options.stack) == kWithoutStack;
  if (found.without_stack) options.stack.clear();
  if (!found.rules && !found.without_stack && options.stack.empty()) options.stack = kUsualStack;
  const bool bare = found.without_stack || !found.rules;
  found.spec = bare ? bare_spec(options, command, catalog, found.rules.value_or(SheetSpec()), taken)
                    : asked_spec(options, command, catalog, *found.rules, taken);
  if (options.method.empty()) {
    throw InputError(command + ": expected a method: full, lora, qlora …");
  }
  found.request = asked_request(options, catalog, found.spec, bare);
  return found;
}

}  // namespace sizesheet
