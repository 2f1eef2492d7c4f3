// SPDX-License-Identifier: Apache-2.0
// A count of GPUs in a question is the most that may be taken. Where the answer takes fewer, it
// also says what exactly so many come to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

struct AskOptions;
struct Catalog;
struct MethodAnswer;
struct Sheet;
struct SheetSpec;

/// What exactly the GPUs come to that were named.
struct AskedCount {
  std::int64_t gpus = 0;
  std::string set_up;   ///< "8 × A100, runpod"
  std::string figures;  ///< hours and dollars of a run, or why there are none
  std::string words;    ///< "8 GPUs are the most; 1 × A100 is enough and costs less"
  Json rent;            ///< the run as `rent` of the answer has it; null without a price
};

/// Puts it into the answers that take fewer GPUs than the question names. `spec` made `sheet`.
void put_asked_counts(const AskOptions& options, const Catalog& catalog, const SheetSpec& spec,
                      const Sheet& sheet, std::vector<MethodAnswer>& answers);

/// As a program reads it.
Json to_json(const AskedCount& count);

}  // namespace sizesheet
