// SPDX-License-Identifier: Apache-2.0
#include "cli/explain.h"

#include "catalog/catalog.h"
#include "cli/explain_text.h"
#include "sizing/generation.h"
#include "sizing/memory_terms.h"
#include "sizing/run_files.h"
#include "sizing/stack_merge.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Says `value` under a dotted key that --request does not say too.
void put(Json& request, const std::string& key, const std::string& option, const Json& value) {
  const std::string parent = key.substr(0, key.find('.'));
  if (!at_dotted(request, key).is_null()) {
    throw InputError("--request: " + key + " is said twice, " + option + " says it too");
  }
  const bool nested = parent != key && request.contains(parent);
  if (nested && !request.at(parent).is_object()) {
    throw InputError("--request: " + parent + ": expected an object, got " +
                     shown(request.at(parent)));
  }
  set_dotted(request, key, value);
}

void set_absent(Json& request, const std::string& key, const Json& value) {
  if (at_dotted(request, key).is_null()) set_dotted(request, key, value);
}

Json request_of(const ExplainOptions& options) {
  Json request = Json::object();
  if (!options.request.empty()) request = parse_json(options.request, "--request");
  if (!request.is_object()) {
    throw InputError("--request: expected an object, got " + shown(request));
  }
  for (const std::string key : {"model", "method", "stack", "gpu"}) {
    if (request.contains(key)) throw InputError("--request: " + key + ": say it with --" + key);
  }
  request["model"] = options.model;
  request["method"] = options.method;
  if (options.stack != "none") request["stack"] = options.stack;
  if (!options.gpu.empty()) request["gpu"] = options.gpu;
  if (options.gpus) put(request, "layout.gpus", "--gpus", *options.gpus);
  if (options.seq_len) put(request, "workload.seq_len", "--seq", *options.seq_len);
  if (options.micro_batch) {
    put(request, "workload.micro_batch", "--micro-batch", *options.micro_batch);
  }
  if (options.tokens) put(request, "workload.tokens", "--tokens", *options.tokens);
  // Without a GPU nothing can be searched: the count is spread by data parallelism alone.
  const bool spread = !at_dotted(request, "layout.dp").is_null();
  if (!request.contains("gpu") && options.gpus && !spread) {
    set_absent(request, "layout.tp", 1);
  }
  if (request.contains("gpu") && !request.contains("grpo")) set_absent(request, "limits", true);
  return request;
}

Json term_json(const MemoryTerm& term) {
  Json inputs = Json::object();
  for (const NamedValue& input : term.formula.inputs) inputs[input.name] = input.value;
  Json steps = Json::array();
  for (const FormulaStep& step : term.formula.steps) {
    steps.push_back({{"name", step.name}, {"formula", step.formula}, {"value", step.value}});
  }
  return {{"name", term.name}, {"bytes", term.bytes}, {"formula", term.formula.text},
          {"inputs", inputs},  {"steps", steps},      {"source", term.source}};
}

Json phase_json(const PhaseCheck& check) {
  return {{"phase", check.phase},
          {"step1", check.step1},
          {"later", check.steady},
          {"step1_over", check.step1_over},
          {"later_over", check.steady_over}};
}

Json diagnosis_json(const Explanation& explanation) {
  Json json = {{"phases", Json::array()}, {"smaller", Json()}};
  for (const PhaseCheck& check : explanation.phases) json["phases"].push_back(phase_json(check));
  if (explanation.smaller_gpus == 0) return json;
  const Death& death = explanation.smaller;
  json["smaller"] = {{"gpus", explanation.smaller_gpus},
                     {"where", death.where},
                     {"bill", death.bill},
                     {"remedy", death.remedy}};
  return json;
}

Json residual_json(const Explanation& explanation) {
  Json causes = Json::array();
  for (const ResidualCause& cause : explanation.residual) {
    causes.push_back(
        {{"id", cause.id}, {"words", cause.words}, {"bytes", cause.bytes}, {"left", cause.left}});
  }
  return causes;
}

Json explanation_json(const Explanation& explanation, const ExplainOptions& options) {
  Json json = to_json(explanation.sizing);
  for (const MemoryTerm& term : explanation.terms) json["terms"].push_back(term_json(term));
  for (const MemoryTerm& term : explanation.generation) {
    json["generation_terms"].push_back(term_json(term));
  }
  for (const MemoryTerm& term : explanation.files) json["file_terms"].push_back(term_json(term));
  json["diagnosis"] = diagnosis_json(explanation);
  if (!options.measured_gib) return json;
  json["measured_gib"] = *options.measured_gib;
  json["residual"] = residual_json(explanation);
  return json;
}

/// Where the next smaller count dies; where nothing holds, the best layout itself.
void set_death(const Plan& plan, Explanation& explanation) {
  const bool fails = plan.chosen.verdict == "no";
  if (!fails && !plan.before) return;
  const Candidate& candidate = fails ? plan.chosen : *plan.before;
  explanation.smaller = death_of(candidate.bill);
  explanation.smaller_gpus = candidate.job.layout.gpus();
}

Explanation explanation_of(const ExplainOptions& options, const Catalog& catalog) {
  const Question question =
      read_whole_question(request_of(options), catalog, catalog.engine.current);
  Explanation explanation;
  explanation.sizing = whole_answer(question);
  const Candidate& chosen = explanation.sizing.plan.chosen;
  explanation.terms = memory_terms(chosen.job, chosen.worst_stage(), chosen.bill);
  if (chosen.job.grpo) {
    explanation.generation = generation_terms(chosen.job, chosen.bill.capacity);
    explanation.generation.push_back(sequence_cache_term(chosen.job));
  }
  if (explanation.sizing.files) {
    explanation.files = run_file_terms(chosen.job, chosen.bill.host, question.gpus_per_node());
  }
  explanation.phases = phase_checks(chosen.bill);
  set_death(explanation.sizing.plan, explanation);
  if (options.measured_gib) {
    const auto measured = static_cast<std::int64_t>(*options.measured_gib * kGiB);
    explanation.residual = residual_causes(question, explanation.sizing, measured);
  }
  return explanation;
}

}  // namespace

int run_explain(const ExplainOptions& options, std::ostream& out) {
  if (options.measured_gib && !(*options.measured_gib > 0)) {
    throw InputError("--measured-gib: expected GiB above 0, got " +
                     shortest(*options.measured_gib));
  }
  constexpr double kLeastGib = 0.001;
  constexpr double kMostGib = 1e6;
  if (options.measured_gib &&
      (*options.measured_gib < kLeastGib || *options.measured_gib > kMostGib)) {
    throw InputError("--measured-gib: expected GiB from 0.001 to 1000000, got " +
                     shortest(*options.measured_gib));
  }
  const Catalog catalog = load_sound_catalog(options.catalog, {});
  const Explanation explanation = explanation_of(options, catalog);
  if (options.format == "json") {
    out << json_text(explanation_json(explanation, options)) << '\n';
  } else {
    print_explanation(explanation, options, out);
  }
  return explanation.sizing.plan.chosen.verdict == "no" ? 1 : 0;
}

}  // namespace sizesheet
