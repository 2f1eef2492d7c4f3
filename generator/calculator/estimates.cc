// SPDX-License-Identifier: Apache-2.0
// What an answer may say beside the sizing: who rents the set-up out, the frontier, the machines to
// own.

#include "calculator/estimates.h"

#include <utility>

#include "calculator/terms.h"
#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "catalog/names.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/decision.h"
#include "sheet/field_reader.h"
#include "sheet/fields.h"
#include "sheet/rows/candidates.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/team_corrections.h"
#include "sizing/request/question.h"
#include "support/described.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/value_texts.h"

namespace sizesheet {
namespace {

/// What stands in an answer for a part.
constexpr std::pair<AnswerPart, const char*> kKeysOfParts[] = {
    {AnswerPart::kMemory, "parameters"},  {AnswerPart::kMemory, "memory"},
    {AnswerPart::kMemory, "interval"},    {AnswerPart::kMemory, "files"},
    {AnswerPart::kMemory, "fingerprint"}, {AnswerPart::kWords, "binding"},
    {AnswerPart::kWords, "defaults"},     {AnswerPart::kWords, "warnings"}};

ObjectText answered(const Question& question, MoneyAnswers& money) {
  const bool rents = question.wants(AnswerPart::kMoney) || question.wants(AnswerPart::kFrontier) ||
                     question.wants(AnswerPart::kOwn) || question.objective == Objective::kMoney;
  const RentedRun found = rents ? money.answer(question) : RentedRun{whole_answer(question), {}};
  ObjectText answer = answer_text(found.sizing);
  Json more = Json::object();
  if (question.wants(AnswerPart::kMoney)) put_money(found, more);
  if (question.wants(AnswerPart::kFrontier)) {
    Json& list = more["frontier"] = Json::array();
    for (const RunCandidate& one : found.frontier) list.push_back(written(one));
  }
  if (question.wants(AnswerPart::kOwn)) more["own"] = found.own ? written(*found.own) : Json();
  if (question.wants(AnswerPart::kBill)) {
    JobTerms terms = terms_of(question, found.sizing);
    terms.cost = found.cost_terms;
    put_terms(terms, more);
  }
  if (more.contains("provider")) answer.erase("provider");
  answer.add(more);
  for (const auto& [part, key] : kKeysOfParts) {
    if (!question.wants(part)) answer.erase(key);
  }
  return answer;
}

/// Where a request names a model beside the one that it asks about.
constexpr const char* kOtherModels[] = {"objective.teacher", "grpo.value_model",
                                        "grpo.reward_model"};

/// The object that a request's `method` is, or names; null where it is neither.
Json method_of(const Json& request, const Catalog& catalog) {
  const Json& method = at_dotted(request, "method");
  if (!method.is_string()) return method;
  const auto known = catalog.methods.find(method.get<std::string>());
  return known == catalog.methods.end() ? Json() : known->second.request;
}

}  // namespace

Estimates::Estimates(const EstimateRules& rules, NameTaken told)
    : catalog_(load_catalog_to_ask(rules.catalog, {})),
      money_(rules),
      models_(catalog_, [rules] { return sheet_sizes(rules.sheet, rules.catalog); }),
      told_(std::move(told)) {}

/// A request with the ids that its names mean, nullopt where all are ids; what nothing means stays,
/// for the reader to refuse in its place. What was taken goes to `taken`, and is told once a name.
std::optional<Json> Estimates::with_ids(const Json& request, std::vector<std::string>& taken) {
  std::optional<Json> renamed;
  const auto put = [&](const char* key, const std::string& asked, const std::string& id,
                       const std::string& words) {
    if (id != asked) {
      if (!renamed) renamed = request;
      set_dotted(*renamed, key, id);
    }
    if (words.empty()) return;
    taken.push_back(words);
    const std::lock_guard lock(lock_);
    if (said_.insert(words).second) told_(words);
  };
  const auto take = [&](const char* key, const char* what, const auto& known, const auto& called) {
    const Json& value = at_dotted(request, key);
    if (!value.is_string() || known.contains(value.template get_ref<const std::string&>())) return;
    const auto& asked = value.template get_ref<const std::string&>();
    const auto id = sizesheet::meant(what, asked, called(catalog_));
    if (id) put(key, asked, *id, std::string(what) + ' ' + in_quotes(asked) + " is " + *id);
  };
  take("gpu", "GPU", catalog_.gpus, called_gpus);
  take("method", "method", catalog_.methods, called_methods);
  take("stack", "stack", catalog_.stacks, called_stacks);
  const auto take_model = [&](const char* key) -> std::optional<ModelTaken> {
    const Json& value = at_dotted(request, key);
    if (!value.is_string()) return std::nullopt;
    auto model = models_.meant(value.get<std::string>());
    if (model) put(key, model->asked, model->id, model->words);
    return model;
  };
  for (const char* key : kOtherModels) take_model(key);
  if (const auto model = take_model("model")) {
    const Json method = method_of(renamed ? *renamed : request, catalog_);
    const std::string refusal = stored_refusal(*model, method);
    if (!refusal.empty()) throw InputError(refusal);
    put("model", model->id, model->id, stored_words(*model, method));
  }
  return renamed;
}

ObjectText Estimates::answer(const Json& request) {
  if (has_value_text(request)) return answer(request_with_values(request));
  std::vector<std::string> taken;
  const std::optional<Json> renamed = with_ids(request, taken);
  Question question =
      read_whole_question(renamed ? *renamed : request, catalog_, catalog_.engine.current);
  question.warnings.insert(question.warnings.begin(), taken.begin(), taken.end());
  return answered(question, money_);
}

Json Estimates::named(const std::string& kind, const std::string& text) {
  const SheetSpec& rules = money_.policy();
  std::optional<std::string> id;
  if (kind == "gpu") id = sizesheet::meant("GPU", text, called_gpus(catalog_), rules.gpus);
  if (kind == "method") {
    id = sizesheet::meant("method", text, called_methods(catalog_), rules.methods);
  }
  if (kind == "stack") id = sizesheet::meant("stack", text, called_stacks(catalog_));
  return {{"id", id ? Json(*id) : Json()}};
}

void MoneyAnswers::load() {
  std::call_once(once_, [&] {
    catalog_ = load_catalog_to_ask(rules_.catalog, {CatalogPart::kMoney});
    policy_ = load_sheet_spec(rules_.sheet, rules_.catalog, catalog_);
    if (!rules_.as_of.empty()) policy_.as_of = rules_.as_of;
  });
}

const SheetSpec& MoneyAnswers::policy() {
  load();
  return policy_;
}

const Catalog& MoneyAnswers::catalog() {
  load();
  return catalog_;
}

double MoneyAnswers::hours_per_month() {
  return catalog().purchase.rate(policy().ownership.hours_per_month).value.typical;
}

RentedRun MoneyAnswers::answer(const Question& question) {
  load();
  return rented_run(catalog_, policy_, question);
}

namespace {

/// What is compared of a card: of how many GPUs its own answer is, and what else it could be.
struct ComparedCard {
  std::int64_t gpus = 0;
  std::vector<RunCandidate> frontier;
  std::optional<OwnPick> own;
};
BOOST_DESCRIBE_STRUCT(ComparedCard, (), (gpus, frontier, own))

struct ComparedCards {
  std::optional<double> deadline_hours;
  std::optional<double> budget_usd;
  std::vector<ComparedCard> cards;
};
BOOST_DESCRIBE_STRUCT(ComparedCards, (), (deadline_hours, budget_usd, cards))

/// The run that ends first, at the upper end of its hours; nullptr without one.
const RunCandidate* fastest_of(const std::vector<ComparedCard>& cards) {
  const RunCandidate* best = nullptr;
  for (const ComparedCard& card : cards) {
    for (const RunCandidate& run : card.frontier) {
      if (best == nullptr || run.hours.high < best->hours.high) best = &run;
    }
  }
  return best;
}

/// The rules by which a run is picked that the usual ones pick over the budget.
PickRules within_budget(PickRules rules) {
  rules.rank = kRankedByUpperEnd;
  rules.tie_share = 0;
  return rules;
}

bool is_over(const RunCandidate* run, const std::optional<double>& budget_usd) {
  return run != nullptr && budget_usd && to_usd(run->usd.high) > *budget_usd;
}

const OwnPick* owned(const std::vector<ComparedCard>& cards, const PickRules& rules) {
  const OwnPick* best = nullptr;
  for (const ComparedCard& card : cards) {
    if (card.own && (best == nullptr ||
                     ranked_usd_to_own(*card.own, rules) < ranked_usd_to_own(*best, rules))) {
      best = &*card.own;
    }
  }
  return best;
}

}  // namespace

Json picked_card(const Json& compared, MoneyAnswers& money) {
  PickRules rules = money.policy().pick_rules;
  ComparedCards all;
  FieldReader reader(JsonSource(compared), "cards", "", Missing::kRefuse);
  fields(reader, all);
  std::vector<const RunCandidate*> runs;
  const std::optional<RunCandidate> fastest =
      fastest_of(all.cards) == nullptr ? std::nullopt : std::optional(*fastest_of(all.cards));
  for (ComparedCard& card : all.cards) {
    drop_dear(rules, card.gpus, card.frontier);
    for (const RunCandidate& run : card.frontier) runs.push_back(&run);
  }
  Json found = {{"gpu", nullptr}, {"gpus", nullptr}, {"own", nullptr}};
  const RunCandidate* rented = picked(runs, rules, all.deadline_hours);
  if (is_over(rented, all.budget_usd)) {
    rules = within_budget(rules);
    const RunCandidate* cheaper = picked(runs, rules, all.deadline_hours);
    found["for_budget"] = cheaper != rented;
    rented = cheaper;
  }
  if (rented != nullptr) {
    found["gpu"] = rented->gpu;
    found["gpus"] = rented->gpus;
  } else if (fastest) {
    found["fastest"] = {{"gpu", fastest->gpu}, {"gpus", fastest->gpus}};
  }
  if (const OwnPick* best = owned(all.cards, rules)) {
    OwnPick own = *best;
    const RunCandidate* cheapest = cheapest_on_average(runs, rules, all.deadline_hours);
    if (cheapest != nullptr) compare_to_rent(*cheapest, money.hours_per_month(), own);
    found["own"] = written(own);
  }
  return found;
}

void put_money(const RentedRun& found, Json& answer) {
  answer["offer"] = answer["usd"] = answer["usd_per_million_tokens"] = nullptr;
  answer["provider"] = nullptr;
  if (!found.run) return;
  const RunCandidate& run = *found.run;
  answer["provider"] = run.provider;
  answer["offer"] = {{"provider", run.provider},       {"price_key", run.price_key},
                     {"price_as_of", run.price_as_of}, {"price_ln_width", run.price_ln_width},
                     {"providers", run.offers},        {"exposed", run.exposed}};
  answer["usd"] = written(run.usd);
  const double tokens = found.sizing.plan.chosen.job.run_tokens().value();
  answer["usd_per_million_tokens"] = to_usd(rounded_usd(to_usd(run.usd.mid) * 1e6 / tokens));
}

std::string money_words(const RentedRun& found) {
  if (!found.run) return "nobody offers what fits, or its hours are not known: costs unknown";
  const RunCandidate& run = *found.run;
  return "$" + format_usd(run.usd.mid, 2) + " per run, from " + format_usd(run.usd.low, 2) +
         " to " + format_usd(run.usd.high, 2) + ", rented from " + run.provider + " (" +
         run.price_key + ")" + (run.exposed ? "; one seller" : "");
}

}  // namespace sizesheet
