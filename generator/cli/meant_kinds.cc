// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_kinds.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/names.h"
#include "catalog/prices/price.h"
#include "cli/examples.h"
#include "cli/question_words.h"
#include "cli/said_figures.h"
#include "cli/word_meanings.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {

bool asks_rate(const MeantParts& parts, const WordMeanings& means) {
  const bool run = !parts.models.empty() || !parts.near_models.empty() || !parts.methods.empty();
  const bool one_card = parts.cards.size() == 1 && parts.cards.front().count.empty();
  if (parts.intent != "cost" || parts.owns || run || !one_card) return false;
  const bool of_use = parts.has("--hours") || parts.has("--deadline") || parts.has("--life") ||
                      parts.has("--electricity") || parts.has("--rent") || parts.has("--gpus") ||
                      !parts.cost_request.empty() || !parts.life_years.empty();
  const bool rented = parts.asks_price || parts.has("--provider") || parts.has("--tier") ||
                      means.is_machine(parts.cards.front().name);
  return rented && !of_use;
}

bool has_several_jobs(const MeantParts& parts) {
  const std::size_t named =
      std::max(parts.models.size() + parts.near_models.size(), parts.methods.size());
  return named > 1 && parts.run_counts.size() + parts.job_counts.size() > 1;
}

std::string plan_words() {
  return "a plan is made of a sheet: init writes ours.json; edit its runs and limits, then run "
         "sizesheet plan --sheet ours.json";
}

MeantLine plan_line(const MeantParts& parts) {
  MeantLine line{{"init"}, parts.left_out, {plan_words()}};
  for (const auto* said : {&parts.run_counts, &parts.job_counts, &parts.models, &parts.methods}) {
    line.left_out.insert(line.left_out.end(), said->begin(), said->end());
  }
  for (const SaidModel& one : parts.near_models) line.left_out.push_back(one.words());
  for (const auto& [name, value] : parts.options) {
    const bool counted = contains({kRuns, "--runs"}, name);
    if (!counted) line.left_out.push_back(name + " " + value);
  }
  return line;
}

bool asks_of_file(const MeantParts& parts) {
  return parts.models.size() == 1 && is_training_file(parts.models.front());
}

void note_other_cards(MeantParts& parts) {
  for (std::size_t i = 1; i < parts.cards.size(); ++i) {
    const SaidCards& cards = parts.cards[i];
    std::vector<std::string> words = {parts.models.front()};
    words.insert(words.end(), parts.methods.begin(), parts.methods.end());
    words.push_back(cards.count.empty() ? cards.name : cards.count + "x" + cards.name);
    parts.note("a file is asked about with one type of GPU at a time; the next is " +
               shell_line(words));
  }
}

bool compares_prices(const MeantParts& parts) {
  const bool run = !parts.models.empty() || !parts.near_models.empty() || !parts.methods.empty();
  const bool priced = parts.asks_price || parts.providers.size() > 1;
  return parts.intent == "compare" && priced && !parts.cards.empty() && !run;
}

void settle_price(MeantParts& parts) {
  constexpr double kLeastMachine = 1000;  // dollars
  if (!parts.has("--rent")) return;
  const auto dollars = read_value(parts.options["--rent"], rate_kind()).value;
  if (!dollars || *dollars < kLeastMachine) return;
  parts.cost_request["capex_usd_per_node"] = *dollars;
  parts.cost_requested.push_back("a price of $" + format_number(*dollars, 0));
  parts.options.erase("--rent");
  parts.note("$" + format_number(*dollars, 0) + " is taken as the price of one machine");
}

SaidCards example_cards(const MeantParts& parts, const WordMeanings& means) {
  const Price* found = nullptr;
  try {
    const auto said = parts.options.find("--provider");
    if (said == parts.options.end()) return {kExampleCard, ""};
    const std::string seller =
        resolved("provider", said->second, called_providers(means.catalog()));
    for (const Price& price : means.catalog().prices) {
      const bool asked = price.provider == seller && price.tier == kOnDemand.key &&
                         contains(means.usual().gpus, price.gpu);
      if (!asked) continue;
      const bool newer = found == nullptr || price.as_of > found->as_of ||
                         (price.as_of == found->as_of && price.gpus < found->gpus);
      if (newer) found = &price;
    }
  } catch (const InputError&) {  // the command refuses the seller by name
  }
  if (found == nullptr) return {kExampleCard, ""};
  return {found->gpu, found->gpus > 1 ? std::to_string(found->gpus) : ""};
}

}  // namespace sizesheet
