// SPDX-License-Identifier: Apache-2.0
// The engine as the calculator's page calls it: one text in, one text out. The page gives the facts
// first, then asks as `estimate` is asked.

#include <emscripten/emscripten.h>

#include <map>
#include <optional>
#include <string>

#include "calculator/estimates.h"
#include "calculator/request_line.h"
#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/facts/method.h"
#include "catalog/files/loader.h"
#include "catalog/models/model.h"
#include "catalog/prices/price.h"
#include "sheet/fields.h"
#include "sheet/rows/cells.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sizing/answer/estimate.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/named.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

/// What stays between two calls.
struct Engine {
  std::map<std::string, std::string> files;  ///< of the catalog, in the place of those compiled in
  std::map<std::string, std::string_view> views;  ///< of them
  std::optional<Estimates> estimates;
  std::string said;  ///< the last answer, for the page to copy
};

Engine& engine() {
  static Engine one;
  return one;
}

/// `title`: a member of the entry, or of what it is of.
template <typename Entry, typename Of>
Json choices(const std::map<std::string, Entry>& entries, std::string Of::*title) {
  Json list = Json::array();
  for (const auto& [id, entry] : entries) list.push_back({{"id", id}, {"title", entry.*title}});
  return list;
}

/// How a run of this method is asked for by the sheet, but for model and GPUs: what the page lets
/// one change stands in it.
Json asked_by_sheet(const SheetSpec& rules, const Method& method) {
  Json request = rules.scenarios.front().request;
  request["stack"] = rules.scenarios.front().stack;
  request["headroom"] = rules.headroom;
  request["max_gpus"] = rules.max_gpus;
  ask_run(method, tokens_of(rules, method), request);
  return request;
}

/// First those of the sheet, then others that fine-tune, then those that train for something else.
Json method_choices(const Catalog& catalog, const SheetSpec& rules) {
  std::vector<std::string> ids = methods_in_order(catalog, rules);
  for (const auto& [id, method] : catalog.methods) {
    if (!contains(ids, id)) ids.push_back(id);
  }
  Json list = Json::array();
  for (const std::string& id : ids) {
    const Method& method = catalog.method(id);
    list.push_back({{"id", id},
                    {"title", method.title},
                    {"method", method.request},
                    {"objective", method.objective},
                    {"grpo", method.grpo},
                    {"request", asked_by_sheet(rules, method)}});
  }
  return list;
}

/// The one of the sheet's that most price rows are of.
std::string card_to_begin_with(const Catalog& money, const SheetSpec& rules) {
  std::map<std::string, int> rows;
  for (const Price& price : money.prices) ++rows[price.gpu];
  std::string best = rules.gpus.front();
  for (const std::string& id : rules.gpus) {
    if (rows[id] > rows[best]) best = id;
  }
  return best;
}

/// What the page offers to choose from, where it begins, and how the engine calls what its answers
/// name.
Json offered(const Catalog& catalog, MoneyAnswers& money) {
  const SheetSpec& rules = money.policy();
  Json words = {{"models", choices(catalog.models.all(), &Model::title)},
                {"gpus", choices(catalog.gpus, &Gpu::name)},
                {"methods", method_choices(catalog, rules)},
                {"stacks", choices(catalog.stacks.all(), &Stack::title)},
                {"compared", {{"gpus", rules.gpus}, {"rules", written(rules.pick_rules)}}},
                {"begin",
                 {{"model", rules.highlight_model},
                  {"gpu", card_to_begin_with(money.catalog(), rules)},
                  {"stack", rules.scenarios.front().stack},
                  {"deadline", rules.deadline_hours ? Json(*rules.deadline_hours) : Json("")}}},
                {"as_of", rules.as_of},
                {"hours_per_month", money.hours_per_month()}};
  for (Json& model : words["models"]) {
    model["hub"] = catalog.model(model.at("id").get<std::string>()).repository;
  }
  for (Json& gpu : words["gpus"]) {
    gpu["short"] = catalog.gpu(gpu.at("id").get<std::string>()).short_name;
  }
  for (const TermFacts& term : kTerms) words["terms"][term.id] = term.title;
  for (const VerdictFacts& one : kVerdicts) {
    words["verdicts"][std::string(one.id)] = {{"words", one.words}, {"mark", one.mark}};
  }
  words["verdicts"]["unsure"] = {{"words", kNotCertain.words}, {"mark", kNotCertain.mark}};
  return words;
}

/// {"files": {path: text}, "sheet": id, "as_of": day}
Json load_facts(const std::string& text) {
  const Json given = parse_json(text, "the data of the calculator");
  Engine& all = engine();
  all.estimates.reset();
  all.files = given.at("files").get<std::map<std::string, std::string>>();
  all.views = {all.files.begin(), all.files.end()};
  all.estimates.emplace(EstimateRules{kBuiltInCatalog, given.at("sheet").get<std::string>(),
                                      given.at("as_of").get<std::string>()},
                        [](const std::string&) {});
  return offered(all.estimates->catalog(), all.estimates->money());
}

const char* say(std::string text) {
  engine().said = std::move(text);
  return engine().said.c_str();
}

/// What `make` makes of a text, or {"error": …}.
const char* say_of(const char* text, Json (*make)(const std::string& text)) {
  try {
    return say(json_text(make(text)));
  } catch (const std::exception& error) {
    return say(json_text({{"error", error.what()}}));
  }
}

Json compared(const std::string& text) {
  return picked_card(parse_json(text, "the cards"), engine().estimates.value().money());
}

/// A value that a person typed, by the rules of the options: {"kind": "hours", "dollars" or
/// "runs", "text": …} to {"value": …} or {"error": …}.
Json read_typed(const std::string& text) {
  const Json given = parse_json(text, "a value");
  const auto kind = given.at("kind").get<std::string>();
  const auto typed = given.at("text").get<std::string>();
  const ReadValue read = kind == "hours"     ? read_value(typed, hours_kind())
                         : kind == "dollars" ? read_value(typed, dollars_kind())
                                             : read_value(typed, number_kind(), kRunsPerMonth);
  if (!read.value) throw InputError(read.fault);
  return {{"value", *read.value}};
}

/// {"kind": …, "text": …} to {"id": …} (Estimates::named).
Json read_name(const std::string& text) {
  const Json given = parse_json(text, "a name");
  return engine().estimates.value().named(given.at("kind").get<std::string>(),
                                          given.at("text").get<std::string>());
}

const char* answered(const char* text, int number) {
  const auto handler = [](const Json& request, std::int64_t) {
    return engine().estimates.value().answer(request);
  };
  return say(answer_line({number, text}, handler).text);
}

}  // namespace

const std::map<std::string, std::string_view>& embedded_catalog() { return engine().views; }

}  // namespace sizesheet

/// Takes the facts; says what can be chosen, or {"error": …}.
extern "C" EMSCRIPTEN_KEEPALIVE const char* load(const char* text) {
  return sizesheet::say_of(text, sizesheet::load_facts);
}

/// The answer to line `number` of `estimate`, refusals too.
extern "C" EMSCRIPTEN_KEEPALIVE const char* answer(const char* text, int number) {
  return sizesheet::answered(text, number);
}

/// A typed value as a number (read_typed), or {"error": …}.
extern "C" EMSCRIPTEN_KEEPALIVE const char* typed(const char* text) {
  return sizesheet::say_of(text, sizesheet::read_typed);
}

/// The id of what a word calls (read_name), or {"error": …}.
extern "C" EMSCRIPTEN_KEEPALIVE const char* named(const char* text) {
  return sizesheet::say_of(text, sizesheet::read_name);
}

/// Which of the cards compared the sheet's rules pick (picked_card), or {"error": …}.
extern "C" EMSCRIPTEN_KEEPALIVE const char* pick(const char* text) {
  return sizesheet::say_of(text, sizesheet::compared);
}
