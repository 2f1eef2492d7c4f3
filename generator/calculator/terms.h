// SPDX-License-Identifier: Apache-2.0
// Every figure of an answer with its formula: memory, time, dollars.
#pragma once

#include <vector>

#include "cost/cost_line.h"
#include "sizing/answer/estimate.h"
#include "sizing/memory/bill.h"
#include "support/described.h"
#include "support/json.h"

namespace sizesheet {

struct Question;

/// Every figure of an answer with its formula.
struct JobTerms {
  std::vector<MemoryTerm> memory;
  std::vector<MemoryTerm> generation;  ///< of the engine beside the trainer; empty without GRPO
  std::vector<MemoryTerm> files;       ///< of the run; empty under GRPO
  std::vector<QuantityLine> time;      ///< of a step and of the run; empty without a speed
  std::vector<CostLine> cost;          ///< of a rented run

  static constexpr Key kKeys[] = {{"memory", "terms"},
                                  {"generation", "generation_terms"},
                                  {"files", "file_terms"},
                                  {"time", "time_terms"},
                                  {"cost", "cost_terms"}};
};
BOOST_DESCRIBE_STRUCT(JobTerms, (), (memory, generation, files, time, cost))

/// But those of dollars.
JobTerms terms_of(const Question& question, const Sizing& sizing);
/// What is empty is left out.
void put_terms(const JobTerms& terms, Json& answer);

}  // namespace sizesheet
