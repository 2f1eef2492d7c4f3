// SPDX-License-Identifier: Apache-2.0
// The fields of the advice of a Sheet, for fields.h.
#pragma once

#include <type_traits>

#include "sheet/advice.h"

namespace sizesheet {

template <typename V, typename T>
void fields(V& v, T& run) requires std::is_same_v<std::remove_const_t<T>, SheetAdviceRun> {
  v("title", run.title);
  v("request", run.request);
  v("refusal", run.refusal);
  v("layout", run.layout);
  v("trainable", run.trainable);
  v("device_bytes", run.device);
  v("capacity_bytes", run.capacity);
  v("verdict", run.verdict);
  v("tokens_per_second_per_gpu", run.tokens_per_second_per_gpu);
  v("note", run.note);
}

template <typename V, typename T>
void fields(V& v, T& entry) requires std::is_same_v<std::remove_const_t<T>, SheetAdviceEntry> {
  v("id", entry.id);
  v("title", entry.title);
  v("words", entry.words);
  v("basis", entry.basis);
  v("acts_on", entry.acts_on);
  v("cause", entry.cause);
  v("remedy", entry.remedy);
  v("setting", entry.setting);
  v("runs", entry.runs);
  v("source", entry.source);
  v("date", entry.date);
}

template <typename V, typename T>
void fields(V& v, T& topic) requires std::is_same_v<std::remove_const_t<T>, SheetAdviceTopic> {
  v("id", topic.id);
  v("title", topic.title);
  v("words", topic.words);
  v("kind", topic.kind);
  v("entries", topic.entries);
}

template <typename V, typename T>
void fields(V& v, T& answer) requires std::is_same_v<std::remove_const_t<T>, SheetCardAnswer> {
  v("method", answer.method);
  v("gpus", answer.gpus);
  v("model", answer.model);
  v("device_bytes", answer.device);
  v("layout", answer.layout);
}

template <typename V, typename T>
void fields(V& v, T& card) requires std::is_same_v<std::remove_const_t<T>, SheetCard> {
  v("gpu", card.gpu);
  v("name", card.name);
  v("memory_gb", card.memory_gb);
  v("capacity_bytes", card.capacity);
  v("answers", card.answers);
}

template <typename V, typename T>
void fields(V& v, T& tier) requires std::is_same_v<std::remove_const_t<T>, SheetCardTier> {
  v("from_gb", tier.from_gb);
  v("below_gb", tier.below_gb);
  v("cards", tier.cards);
}

template <typename V, typename T>
void fields(V& v, T& phase) requires std::is_same_v<std::remove_const_t<T>, SheetPhase> {
  v("phase", phase.phase);
  v("when", phase.when);
  v("bill", phase.bill);
  v("remedy", phase.remedy);
}

template <typename V, typename T>
void fields(V& v, T& advice) requires std::is_same_v<std::remove_const_t<T>, SheetAdvice> {
  v("topics", advice.topics);
  v("tiers", advice.tiers);
  v("phases", advice.phases);
}

}  // namespace sizesheet
