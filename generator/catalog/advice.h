// SPDX-License-Identifier: Apache-2.0
// Advice as data: topics of sentences with source and date, beside them the requests that show what
// a sentence means. What a request answers is never written here; the engine works it out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// An `estimate` request to be shown with its answer; its topic's request lies under it.
struct AdviceRun {
  std::string title;
  Json request;
};

struct AdviceEntry {
  std::string id;
  std::string title;
  std::string words;
  std::string basis;    ///< rule | claim | reported: what the words rest on
  std::string acts_on;  ///< techniques: the bill that shrinks; targets: the layers
  std::string prints;   ///< what a note or the refusal of the first run must hold, or ""
  std::string cause;    ///< symptoms
  std::string remedy;   ///< symptoms
  std::string setting;  ///< techniques and settings: what to write where
  std::vector<AdviceRun> runs;
  std::string source;
  std::string date;
};

/// Cards by size, and what one and several of them hold.
struct AdviceCards {
  std::vector<std::int64_t> limits_gb;  ///< ascending; a card of exactly a limit is above it
  std::vector<std::int64_t> counts;
  std::vector<std::string> gpus;
};

struct AdviceTopic {
  std::string id;
  std::string title;
  std::string words;
  std::string kind;  ///< one of advice_kinds()
  std::int64_t order = 0;
  Json request;
  AdviceCards cards;  ///< kind cards only
  std::vector<AdviceEntry> entries;
};

/// cards | techniques | warnings | targets | symptoms | notes | settings.
const std::vector<std::string>& advice_kinds();

/// Reads a topic; every fault is recorded, references to `gpus` included.
AdviceTopic read_advice_topic(ObjectReader reader, const std::vector<std::string>& gpus);

}  // namespace sizesheet
