// SPDX-License-Identifier: Apache-2.0
// Pages of advice, of published guides, and of words.

#include <algorithm>
#include <cmath>
#include <set>

#include "render/html/pages.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const SheetCardAnswer* answer_of(const SheetCard& card, std::int64_t gpus,
                                 const std::string& method) {
  for (const SheetCardAnswer& answer : card.answers) {
    if (answer.gpus == gpus && answer.method == method) return &answer;
  }
  return nullptr;
}

/// "full up to 3B, LoRA up to 14B, QLoRA up to 32B" of one card: the tier's best.
std::string best_sizes(const Sheet& sheet, const SheetCardTier& tier) {
  std::vector<std::string> parts;
  std::vector<std::string> missing;
  for (const SheetMethod& method : sheet.methods) {
    const SheetModel* best = nullptr;  // the last one in the sheet's order
    for (const SheetCard& card : tier.cards) {
      const SheetCardAnswer* answer = answer_of(card, 1, method.id);
      const auto* model =
          answer != nullptr ? entry_with(sheet.models, &SheetModel::id, answer->model) : nullptr;
      if (model != nullptr && (best == nullptr || model > best)) best = model;
    }
    if (best == nullptr) {
      missing.push_back(method.short_title);
    } else {
      parts.push_back(method.short_title + " up to " + best->size);
    }
  }
  if (!missing.empty()) parts.push_back("nothing of the sheet with " + join(missing, " or "));
  return join(parts, ", ");
}

void put_cards(Json& values, const Sheet& sheet, const SheetAdvice& advice) {
  std::set<std::int64_t> counts;
  for (const SheetCardTier& tier : advice.tiers) {
    for (const SheetCard& card : tier.cards) {
      for (const SheetCardAnswer& answer : card.answers) counts.insert(answer.gpus);
    }
  }
  values["card_counts"] = counts;
  values["count_span"] = 2 * sheet.methods.size();
  values["card_columns"] = 3 + 2 * counts.size() * sheet.methods.size();
  values["tiers"] = Json::array();
  for (const SheetCardTier& tier : advice.tiers) {
    if (tier.cards.empty()) continue;
    Json& values_of = values["tiers"].emplace_back(written(tier));
    values_of["tier_words"] = best_sizes(sheet, tier);
    for (std::size_t i = 0; i < tier.cards.size(); ++i) {
      Json& answers = values_of["cards"][i]["answers"] = Json::array();
      for (const std::int64_t count : counts) {
        for (const SheetMethod& method : sheet.methods) {
          const SheetCardAnswer* answer = answer_of(tier.cards[i], count, method.id);
          answers.push_back({{"of", answer ? written(*answer) : Json()}});
        }
      }
    }
  }
}

/// "8 × H100" of a request's answer; "8 GPUs" where it names none.
std::string run_set_up(const Sheet& sheet, const SheetAdviceRun& run) {
  const std::string gpu = run.request.value("gpu", "");
  if (entry_with(sheet.gpus, &SheetGpu::id, gpu)) return set_up(sheet, gpu, run.layout.gpus);
  return gpu.empty() ? gpu_count(run.layout.gpus)
                     : format_integer(run.layout.gpus) + "\u00a0×\u00a0" + gpu;
}

/// "+31 %", "±0 %", or – where either speed is not known.
std::string time_words(const SheetAdviceRun& without, const SheetAdviceRun& with) {
  if (!without.tokens_per_second_per_gpu || !with.tokens_per_second_per_gpu) {
    return std::string(kAbsent);
  }
  const double change =
      100 * (*without.tokens_per_second_per_gpu / *with.tokens_per_second_per_gpu - 1);
  const std::string text = format_number(change, 0);
  if (text == "0" || text == "-0" || text == "\u22120") return "0\u00a0%";
  return (change > 0 ? "+" : "") + text + "\u00a0%";
}

/// What a technique saves: the first run is without it, the second with.
Json saving_of(const SheetAdviceEntry& entry) {
  if (entry.runs.size() != 2) return nullptr;
  const SheetAdviceRun& without = entry.runs[0];
  const SheetAdviceRun& with = entry.runs[1];
  return {{"without", written(without)},
          {"with", written(with)},
          {"saved_bytes", without.device - with.device},
          {"time", time_words(without, with)}};
}

/// Sentences of one part together, in the sheet's order.
Json rule_groups(const Json& rules) {
  Json groups = Json::array();
  for (const Json& rule : rules) {
    if (groups.empty() || rule.at("part") != groups.back().at("part")) {
      groups.push_back({{"part", rule.at("part")}, {"sentences", Json::array()}});
    }
    groups.back()["sentences"].push_back(rule);
  }
  return groups;
}

}  // namespace

Json topic_json(const Sheet& sheet, const SheetAdviceTopic& topic) {
  Json json = written(topic);
  json["topic"] = topic.id;
  for (std::size_t i = 0; i < topic.entries.size(); ++i) {
    const SheetAdviceEntry& entry = topic.entries[i];
    json["entries"][i]["saving"] = saving_of(entry);
    for (std::size_t k = 0; k < entry.runs.size(); ++k) {
      const SheetAdviceRun& run = entry.runs[k];
      Json& values = json["entries"][i]["runs"][k];
      values["command"] = "echo '" + run.request.dump() + "' | sizesheet estimate";
      values["says"] = run.refusal.empty() ? run.note : run.refusal;
      if (run.refusal.empty()) values["set_up"] = run_set_up(sheet, run);
    }
  }
  return json;
}

Json advice_values(const Sheet& sheet) {
  const SheetAdvice& advice = *sheet.advice;
  Json values = Json::object();
  put_cards(values, sheet, advice);
  values["topics"] = Json::array();
  for (const SheetAdviceTopic& topic : advice.topics) {
    if (topic.kind != "settings") values["topics"].push_back(topic_json(sheet, topic));
  }
  return values;
}

Json guides_values(const Sheet& sheet) {
  Json values = Json::object();
  values["worksheets"] = worksheet_values(sheet, "guides");
  values["guides"] = Json::array();
  SheetGuide sum;
  const auto figures_of = [](const SheetGuide& guide) {
    return guide.exact + guide.within_rounding + guide.inconsistent + guide.not_derivable;
  };
  for (const SheetGuide& guide : sheet.guides) {
    Json& json = values["guides"].emplace_back(written(guide));
    json["rules"] = rule_groups(json["rules"]);
    json["all"] = figures_of(guide);
    sum.exact += guide.exact;
    sum.within_rounding += guide.within_rounding;
    sum.inconsistent += guide.inconsistent;
    sum.not_derivable += guide.not_derivable;
  }
  values["all_guides"] = written(sum);
  values["all_guides"]["all"] = figures_of(sum);
  return values;
}

}  // namespace sizesheet
