// SPDX-License-Identifier: Apache-2.0
#include "sheet/tables/advice.h"

#include <algorithm>
#include <map>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/files/loader.h"
#include "catalog/published/worksheet.h"
#include "sheet/rows/size_row.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/advice/limits.h"
#include "sizing/answer/estimate.h"
#include "sizing/memory/verdict.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "support/error.h"
#include "support/json.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What `estimate` says to a request. Only a warning's own may be refused.
SheetAdviceRun answered(const Catalog& catalog, const AdviceTopic& topic, const AdviceEntry& entry,
                        const AdviceRun& run) {
  SheetAdviceRun shown{run, {}};
  shown.request = topic.request;
  shown.request.merge_patch(run.request);
  Faults faults;
  const Question question = read_question(shown.request, catalog, catalog.engine.current, faults);
  if (!faults.empty()) {
    shown.refusal = faults.request_text();
    return shown;
  }
  const Sizing sizing = answer(question);
  const Candidate& chosen = sizing.plan.chosen;
  static_cast<SizedLayout&>(shown) = sized_layout(chosen);
  shown.trainable = sizing.trainable;
  if (sizing.speed) shown.tokens_per_second_per_gpu = sizing.speed->tokens_per_second_per_gpu;
  if (entry.prints.empty()) return shown;
  std::vector<std::string> notes = sizing.warnings;
  notes.push_back(binding_words(question, sizing.plan));
  for (const std::string& note : notes) {
    if (shown.note.empty() && note.find(entry.prints) != std::string::npos) shown.note = note;
  }
  return shown;
}

/// "" where the answer shows what its entry says.
std::string fault_of(const AdviceEntry& entry, const SheetAdviceRun& run) {
  if (entry.prints.empty()) {
    return run.refusal.empty() ? "" : "asks what no request may: " + run.refusal;
  }
  if (!run.note.empty() || run.refusal.find(entry.prints) != std::string::npos) return "";
  return "expected a note or a refusal with " + in_quotes(entry.prints) + ", got " +
         (run.refusal.empty() ? "none" : in_quotes(run.refusal));
}

SheetAdviceTopic topic_answers(const Catalog& catalog, const AdviceTopic& topic) {
  SheetAdviceTopic shown{topic, {}};
  for (const AdviceEntry& entry : topic.entries) {
    SheetAdviceEntry facts{entry, {}};
    for (const AdviceRun& run : entry.runs) {
      facts.runs.push_back(answered(catalog, topic, entry, run));
      const std::string fault = fault_of(entry, facts.runs.back());
      if (!fault.empty()) throw InputError("advice/" + topic.id + ": " + entry.id + ": " + fault);
    }
    shown.entries.push_back(std::move(facts));
  }
  return shown;
}

/// Questions of a GPU's cells, by method and model: all counts ask the same.
using CellQuestions = std::map<std::pair<std::string, std::string>, std::optional<Question>>;

/// The sheet lists its models from the smallest on; the first from the other end that fits.
SheetCardAnswer largest_on(const Catalog& catalog, const SheetSpec& spec, const Gpu& gpu,
                           const std::string& method, std::int64_t gpus, CellQuestions& questions) {
  SheetCardAnswer answer{.method = method, .gpus = gpus};
  for (auto model = spec.models.rbegin(); model != spec.models.rend(); ++model) {
    const Cell cell{&*model, method, gpu.id, &spec.scenarios.front()};
    const auto [asked, first] = questions.try_emplace({method, model->id});
    if (first) asked->second = question_of(catalog, spec, cell);
    if (!asked->second) continue;
    const auto candidate = fastest_or_best(*asked->second, gpus);
    if (!candidate || candidate->verdict != Verdict::kFits) continue;
    answer.model = model->id;
    answer.device = candidate->bill.device;
    answer.device_high = candidate->bill.device_high;
    answer.certain = candidate->certain();
    answer.layout = shape_of(candidate->job);
    break;
  }
  return answer;
}

SheetCard card_of(const Catalog& catalog, const SheetSpec& spec, const AdviceCards& cards,
                  const Gpu& gpu) {
  SheetCard card{gpu.id, gpu.short_name, gpu.memory_gb, gpu.capacity_bytes().value_or(0), {}};
  CellQuestions questions;
  for (const std::int64_t count : cards.counts) {
    if (!contains(gpu.counts_up_to(count), count)) continue;
    for (const std::string& method : spec.methods) {
      card.answers.push_back(largest_on(catalog, spec, gpu, method, count, questions));
    }
  }
  return card;
}

/// What the cards of a topic hold of the sheet's models, in tiers of their memory.
std::vector<SheetCardTier> card_tiers(const Catalog& catalog, const SheetSpec& spec,
                                      const AdviceCards& cards, int jobs) {
  std::vector<SheetCard> all(cards.gpus.size());
  for_each_index(all.size(), jobs, [&](std::size_t i) {
    all[i] = card_of(catalog, spec, cards, catalog.gpu(cards.gpus[i]));
  });
  std::ranges::stable_sort(all, {}, &SheetCard::memory_gb);
  std::vector<SheetCardTier> tiers(cards.limits_gb.size() + 1);
  for (std::size_t i = 0; i < cards.limits_gb.size(); ++i) {
    tiers[i].below_gb = cards.limits_gb[i];
    tiers[i + 1].from_gb = cards.limits_gb[i];
  }
  for (SheetCard& card : all) {
    const auto above = std::ranges::upper_bound(cards.limits_gb, card.memory_gb);
    tiers[static_cast<std::size_t>(above - cards.limits_gb.begin())].cards.push_back(
        std::move(card));
  }
  return tiers;
}

}  // namespace

void add_advice(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  if (catalog.advice.empty()) return;
  SheetAdvice& advice = sheet.advice.emplace();
  std::vector<const AdviceTopic*> topics;
  for (const auto& [id, topic] : catalog.advice) topics.push_back(&topic);
  std::ranges::stable_sort(topics, {}, &AdviceTopic::order);
  for (const AdviceTopic* topic : topics) {
    advice.topics.push_back(topic_answers(catalog, *topic));
    if (topic->kind == "cards") advice.tiers = card_tiers(catalog, spec, topic->cards, jobs);
  }
  for (const PhaseMeaning& meaning : phase_meanings()) {
    advice.phases.push_back({meaning.phase, meaning.when, meaning.bill, meaning.remedy});
  }
}

void check_advice(const Catalog& catalog, const CatalogLayers& layers, Faults& faults) {
  for (const auto& [id, topic] : catalog.advice) {
    for (std::size_t i = 0; i < topic.entries.size(); ++i) {
      const AdviceEntry& entry = topic.entries[i];
      for (std::size_t k = 0; k < entry.runs.size(); ++k) {
        const std::string fault = fault_of(entry, answered(catalog, topic, entry, entry.runs[k]));
        if (fault.empty()) continue;
        faults.add(layers.shown("advice/" + id + ".json"),
                   "/entries/" + std::to_string(i) + "/runs/" + std::to_string(k), fault);
      }
    }
  }
}

}  // namespace sizesheet
