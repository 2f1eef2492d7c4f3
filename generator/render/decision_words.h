// SPDX-License-Identifier: Apache-2.0
// What an edition comes to, in words that are worked out from the jobs of the handout: the decision
// in one sentence, what a run is, and the few figures to know first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/money.h"

namespace sizesheet {

struct Pick;
struct RunCandidate;
struct Sheet;
struct SheetMethod;
struct SheetModel;

/// "LoRA and QLoRA": the methods that train adapters.
std::string adapter_names(const Sheet& sheet);

/// Dollars in two or three digits: "0.61", "2.9", "26", "500", "3,590".
std::string few_digits_usd(MicroUsd usd);
/// Hours likewise: "0.61", "3.7", "12".
std::string few_digits_hours(double hours);
/// What a machine costs: "$480 k", "$4.7 k", "$3.5 M" without the sign.
std::string machine_usd(MicroUsd usd);

/// "8 × B200", the blanks firm.
std::string gpus_words(const Sheet& sheet, const std::string& gpu, std::int64_t gpus);

/// "Rent by the hour: owning is cheaper only if a machine is busy over 320–490 h per month (by
/// job)", longest form first. Buying is only said for a demand that somebody states.
std::vector<std::string> decision_sentences(const Sheet& sheet);

/// "One run = 500 million training tokens for full fine-tuning, 50 million for LoRA and QLoRA; …",
/// longest form first.
std::vector<std::string> run_sentences(const Sheet& sheet);

/// A figure to know first: what it is about, the figure, what is quieter beside it, and sentences.
struct DecisionTile {
  std::string title;
  std::string figure;
  std::string aside;
  std::vector<std::string> words;  ///< longest first
  bool warns = false;              ///< it is about what may go wrong
};
/// Adapters; the full run of the highlighted model; the budget; the weakest point. Those that the
/// sheet knows nothing of are left out.
std::vector<DecisionTile> decision_tiles(const Sheet& sheet);
/// Of the plan; without a figure where the sheet has none.
DecisionTile budget_tile(const Sheet& sheet);

/// How many jobs renting and owning are cheaper for, with a machine in use for so many hours a
/// month by that job alone.
struct UseSplit {
  double hours = 0;
  std::int64_t rent = 0;
  std::int64_t own = 0;
};
/// At round hours, at the planned ones and at all of a month; empty where nothing is compared.
std::vector<UseSplit> use_splits(const Sheet& sheet);

/// Jobs that a reader is to check before an order, the most first.
struct JobsAtRisk {
  std::string id;  ///< not-certain | one-seller | not-measured
  std::int64_t count = 0;
  std::int64_t of = 0;
  double longer = 0;  ///< of not-measured: the upper end of hours over the expected ones, less 1
};
std::vector<JobsAtRisk> jobs_at_risk(const Sheet& sheet);

}  // namespace sizesheet
