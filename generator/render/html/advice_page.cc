// SPDX-License-Identifier: Apache-2.0
// Pages of advice, of published guides, and of words.

#include <algorithm>
#include <cmath>
#include <set>

#include "render/html/pages.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::vector<std::int64_t> counts_of(const SheetAdvice& advice) {
  std::set<std::int64_t> counts;
  for (const SheetCardTier& tier : advice.tiers) {
    for (const SheetCard& card : tier.cards) {
      for (const SheetCardAnswer& answer : card.answers) counts.insert(answer.gpus);
    }
  }
  return {counts.begin(), counts.end()};
}

const SheetCardAnswer* answer_of(const SheetCard& card, std::int64_t gpus,
                                 const std::string& method) {
  for (const SheetCardAnswer& answer : card.answers) {
    if (answer.gpus == gpus && answer.method == method) return &answer;
  }
  return nullptr;
}

/// The place of a model in the sheet's order, from 1 on; 0 for none.
std::size_t place_of(const Sheet& sheet, const std::string& model) {
  for (std::size_t i = 0; i < sheet.models.size(); ++i) {
    if (sheet.models[i].id == model) return i + 1;
  }
  return 0;
}

/// "full up to 3B, LoRA up to 14B, QLoRA up to 32B" of one card: the tier's best.
std::string best_sizes(const Sheet& sheet, const SheetCardTier& tier) {
  std::vector<std::string> parts;
  std::vector<std::string> missing;
  for (const SheetMethod& method : sheet.methods) {
    std::size_t best = 0;
    for (const SheetCard& card : tier.cards) {
      const SheetCardAnswer* answer = answer_of(card, 1, method.id);
      if (answer != nullptr) best = std::max(best, place_of(sheet, answer->model));
    }
    if (best == 0) {
      missing.push_back(method.short_title);
    } else {
      parts.push_back(method.short_title + " up to " + sheet.models[best - 1].size);
    }
  }
  if (!missing.empty()) parts.push_back("nothing of the sheet with " + join(missing, " or "));
  return join(parts, ", ");
}

void put_cards(Json& values, const Sheet& sheet, const SheetAdvice& advice) {
  const std::vector<std::int64_t> counts = counts_of(advice);
  values["count_heads"] = Json::array();
  for (const std::int64_t count : counts) {
    values["count_heads"].push_back(
        {{"count_words", count == 1 ? "Largest on one" : "Largest on " + format_integer(count)},
         {"count_span", std::to_string(2 * sheet.methods.size())}});
  }
  values["card_columns"] = std::to_string(3 + 2 * counts.size() * sheet.methods.size());
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

/// Whole numbers as they are, others with four significant digits, no zeros at the end.
std::string figure_words(double value) {
  constexpr int kDigits = 4;  // enough to tell a figure from its rounding
  constexpr double kLargestWhole = 1e15;
  if (std::fabs(value) >= kLargestWhole) return shortest(value);
  if (value == std::floor(value)) return format_integer(static_cast<std::int64_t>(value));
  const int before = static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  std::string text = format_number(value, std::max(0, kDigits - before));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string value_words(const GuideValue& value) {
  if (value.answer) return *value.answer ? "yes" : "no";
  if (value.numbers.empty()) return std::string(kAbsent);
  std::vector<std::string> words;
  for (const double number : value.numbers) words.push_back(figure_words(number));
  return join(words, words.size() == 2 ? "–" : "; ");
}

/// The figures of a guide that are not its rules', by what they are.
void put_figures(Json& json, const SheetGuide& guide) {
  json["contradictions"] = json["underived"] = Json::array();
  for (std::size_t i = 0; i < guide.figures.size(); ++i) {
    const SheetGuideFigure& figure = guide.figures[i];
    Json& row = json["figures"][i];
    row["printed_words"] = value_words(figure.printed);
    row["computed_words"] = value_words(figure.computed);
    if (figure.printed.answer) row["unit"] = "";
    if (figure.status == "inconsistent") json["contradictions"].push_back(row);
    if (figure.status == "not-derivable") json["underived"].push_back(row);
  }
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
  for (const char* kind : {"cards", "techniques", "warnings", "targets", "symptoms", "notes"}) {
    json[std::string("is_") + kind] = topic.kind == kind;
  }
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
    put_figures(json, guide);
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
