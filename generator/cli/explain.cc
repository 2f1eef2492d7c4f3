// SPDX-License-Identifier: Apache-2.0
#include "cli/explain.h"

#include "catalog/catalog.h"
#include "cli/explain_text.h"
#include "sizing/binding.h"
#include "sizing/memory_terms.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Json request_of(const ExplainOptions& options) {
  Json request = {{"model", options.model}, {"method", options.method}, {"stack", options.stack}};
  if (!options.gpu.empty()) {
    request["gpu"] = options.gpu;
    request["limits"] = true;
  }
  if (options.gpus) request["layout"]["gpus"] = *options.gpus;
  request["workload"] = {{"seq_len", options.seq_len.value_or(4096)},
                         {"micro_batch", options.micro_batch.value_or(1)},
                         {"grad_accum", 1},
                         {"packed", true}};
  if (options.tokens) request["workload"]["tokens"] = *options.tokens;
  // Without a GPU nothing can be searched: the count is spread by data parallelism alone.
  if (options.gpu.empty() && options.gpus) request["layout"]["tp"] = 1;
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
  explanation.sizing = answer(question);
  explanation.sizing.binding = binding_words(question, explanation.sizing.plan);
  const Candidate& chosen = explanation.sizing.plan.chosen;
  explanation.terms = memory_terms(chosen.job, chosen.worst_stage(), chosen.bill);
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
  const Catalog catalog = load_sound_catalog(options.catalog);
  const Explanation explanation = explanation_of(options, catalog);
  if (options.format == "json") {
    out << json_text(explanation_json(explanation, options)) << '\n';
  } else {
    print_explanation(explanation, options, out);
  }
  return 0;
}

}  // namespace sizesheet
