// SPDX-License-Identifier: Apache-2.0
#include "cli/explanation.h"

#include "calculator/estimates.h"
#include "calculator/terms.h"
#include "catalog/catalog.h"
#include "sheet/fields.h"
#include "sheet/rows/size_row.h"
#include "sizing/advice/limits.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/residual.h"
#include "sizing/job/job.h"
#include "sizing/memory/verdict.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

/// The next smaller count runs out of memory; where nothing fits, the best layout itself does.
void set_smaller(Explanation& explanation) {
  const Plan& plan = explanation.sizing.plan;
  const Candidate* fails = plan.chosen.verdict == Verdict::kNo ? &plan.chosen : nullptr;
  if (fails == nullptr && plan.before) fails = &*plan.before;
  if (fails == nullptr) return;
  explanation.smaller = death_of(fails->bill);
  explanation.smaller_gpus = fails->job.layout.gpus();
}

Json diagnosis_json(const Explanation& explanation) {
  Json json = {{"phases", Json::array()}, {"smaller", Json()}};
  for (const PhaseCheck& check : explanation.phases) json["phases"].push_back(written(check));
  if (explanation.smaller_gpus == 0) return json;
  json["smaller"] = written(explanation.smaller);
  json["smaller"]["gpus"] = explanation.smaller_gpus;
  return json;
}

}  // namespace

std::optional<bool> Explanation::late() const {
  if (!against.deadline || !sizing.hours) return std::nullopt;
  return sizing.hours->high > *against.deadline;
}

std::optional<bool> Explanation::over_budget() const {
  if (!against.budget || !money || !money->run) return std::nullopt;
  return to_usd(money->run->usd.high) > *against.budget;
}

bool Explanation::is_yes() const {
  return sizing.plan.chosen.verdict != Verdict::kNo &&
         (!against.deadline || !late().value_or(true)) &&
         (!against.budget || !over_budget().value_or(true));
}

Question question_to_explain(Json request, const Catalog& catalog) {
  const bool sized = request.contains("gpu") && !request.contains("grpo");
  if (sized && !request.contains("limits")) request["limits"] = true;
  Question question = read_whole_question(request, catalog, catalog.engine.current);
  question.parts = {AnswerPart::kMemory, AnswerPart::kMoney, AnswerPart::kBill, AnswerPart::kWords};
  return question;
}

Explanation explained(const Question& question, const HeldAgainst& against,
                      const RentedAnswer& rented) {
  Explanation found;
  found.model = question.model_id;
  found.method = question.method_id;
  if (question.gpu != nullptr) found.gpu = question.gpu->id;
  if (question.stack != nullptr) found.stack = question.stack->id;
  found.against = against;
  if (question.objective == Objective::kMoney || against.budget) {
    found.money = rented(question);
    found.sizing = found.money->sizing;
  } else {
    found.sizing = whole_answer(question);
  }
  found.terms = terms_of(question, found.sizing);
  if (found.money) found.terms.cost = found.money->cost_terms;
  found.phases = phase_checks(found.sizing.plan.chosen.bill);
  set_smaller(found);
  if (against.measured_gib) {
    const auto measured = static_cast<std::int64_t>(*against.measured_gib * kGiB);
    found.residual = residual_causes(question, found.sizing, measured);
  }
  return found;
}

Json to_json(const Explanation& explanation) {
  Json json = to_json(explanation.sizing);
  if (explanation.money) put_money(*explanation.money, json);
  put_terms(explanation.terms, json);
  json["diagnosis"] = diagnosis_json(explanation);
  const HeldAgainst& against = explanation.against;
  if (against.deadline) {
    const auto late = explanation.late();
    json["late"] = late ? Json(*late) : Json();
  }
  if (against.budget) {
    const auto over = explanation.over_budget();
    json["over_budget"] = over ? Json(*over) : Json();
  }
  if (!against.measured_gib) return json;
  json["measured_gib"] = *against.measured_gib;
  Json& causes = json["residual"] = Json::array();
  for (const ResidualCause& cause : explanation.residual) causes.push_back(written(cause));
  return json;
}

}  // namespace sizesheet
