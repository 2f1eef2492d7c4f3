// SPDX-License-Identifier: Apache-2.0
// Advice as an edition shows it: topics of sentences, each with what it rests on, and beside them
// what this engine answers to the requests that show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sizing/answer.h"
#include "support/described.h"
#include "support/json.h"

namespace sizesheet {

/// One request and its answer; with a refusal nothing else is known.
struct SheetAdviceRun {
  std::string title;
  Json request;
  std::string refusal;
  LayoutShape layout;
  std::int64_t trainable = 0;
  std::int64_t device = 0;
  std::int64_t capacity = 0;  ///< 0: no GPU was named
  std::string verdict;
  std::optional<double> tokens_per_second_per_gpu;
  std::string note;  ///< the one that the entry is about

  static constexpr Key kKeys[] = {{"device", "device_bytes"}, {"capacity", "capacity_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetAdviceRun, (),
                      (title, request, refusal, layout, trainable, device, capacity, verdict,
                       tokens_per_second_per_gpu, note))

struct SheetAdviceEntry {
  std::string id;
  std::string title;
  std::string words;
  std::string basis;  ///< rule | claim | reported
  std::string acts_on;
  std::string cause;
  std::string remedy;
  std::string setting;
  std::vector<SheetAdviceRun> runs;
  std::string source;
  std::string date;
};
BOOST_DESCRIBE_STRUCT(SheetAdviceEntry, (),
                      (id, title, words, basis, acts_on, cause, remedy, setting, runs, source,
                       date))

struct SheetAdviceTopic {
  std::string id;
  std::string title;
  std::string words;
  std::string kind;
  std::vector<SheetAdviceEntry> entries;
};
BOOST_DESCRIBE_STRUCT(SheetAdviceTopic, (), (id, title, words, kind, entries))

/// The largest model of the sheet that a method holds on some cards of one type.
struct SheetCardAnswer {
  std::string method;
  std::int64_t gpus = 0;
  std::string model;  ///< "" where none of the sheet's fits
  std::int64_t device = 0;
  LayoutShape layout;

  static constexpr Key kKeys[] = {{"device", "device_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetCardAnswer, (), (method, gpus, model, device, layout))

struct SheetCard {
  std::string gpu;
  std::string name;
  double memory_gb = 0;
  std::int64_t capacity = 0;
  std::vector<SheetCardAnswer> answers;  ///< by count, then method

  static constexpr Key kKeys[] = {{"capacity", "capacity_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetCard, (), (gpu, name, memory_gb, capacity, answers))

struct SheetCardTier {
  std::optional<std::int64_t> from_gb;
  std::optional<std::int64_t> below_gb;
  std::vector<SheetCard> cards;  ///< by memory
};
BOOST_DESCRIBE_STRUCT(SheetCardTier, (), (from_gb, below_gb, cards))

/// What it means when a run dies in a phase.
struct SheetPhase {
  std::string phase;
  std::string when;  ///< "step 1" | "step 2 and later"
  std::string bill;
  std::string remedy;
};
BOOST_DESCRIBE_STRUCT(SheetPhase, (), (phase, when, bill, remedy))

struct SheetAdvice {
  std::vector<SheetAdviceTopic> topics;  ///< in their order
  std::vector<SheetCardTier> tiers;
  std::vector<SheetPhase> phases;
};
BOOST_DESCRIBE_STRUCT(SheetAdvice, (), (topics, tiers, phases))

}  // namespace sizesheet
