// SPDX-License-Identifier: Apache-2.0
#include "cli/explain.h"

#include <algorithm>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/explained_request.h"
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
#include "sizing/answer/team_corrections.h"
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

/// 0; 1 where nothing fits, or not within deadline and budget.
int run_explain(const ExplainOptions& asked, const Streams& streams) {
  ExplainOptions options = asked;
  Catalog catalog = load_catalog_to_ask(options.catalog, {CatalogPart::kMoney});
  TakenNames taken(streams.err);
  const ExplainedRequest asked_for = explained_request(options, "explain", catalog, taken);
  Question question = question_to_explain(asked_for.request, catalog);
  check_budget(options, question);
  if (asked_for.rules && !asked_for.without_stack) {
    look_for_dollars(options, asked_for.spec, question);
  }
  const auto rented = [&](const Question& one) {
    if (!asked_for.rules)
      throw InputError("--sheet: no sheet " + in_quotes(options.sheet) + " in the catalog");
    return rented_run(catalog, asked_for.spec, one);
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
