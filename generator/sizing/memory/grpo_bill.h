// SPDX-License-Identifier: Apache-2.0
// The card under GRPO: the trainer's bill, the models beside the policy and the engine, put
// together phase by phase; and what an answer says of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sizing/memory/generation.h"
#include "sizing/memory/verdict.h"
#include "support/json.h"

namespace sizesheet {

struct Job;
struct Stage;

/// Integer bytes per GPU of the trainer: its bill, the models beside the policy and the generation
/// engine.
struct GrpoBill {
  std::int64_t trainer_device = 0;  ///< the memory bill's own figure
  std::int64_t reference_weights = 0;
  std::int64_t value_model = 0;   ///< its weights, gradients and optimizer states
  std::int64_t reward_model = 0;  ///< weights
  GenerationBill generation;
  std::int64_t training_phase = 0;    ///< on the card while the trainer runs
  std::int64_t generation_phase = 0;  ///< and while the engine runs; 0: the engine has its own card
  std::int64_t device = 0;            ///< the larger one

  /// The phase that needs most: "training" or "generation".
  std::string phase() const {
    return generation_phase > training_phase ? "generation" : "training";
  }
};

/// What the card holds in both phases; `trainer_device`: the bill of the job's worst stage.
GrpoBill grpo_bill(const Job& job, const std::vector<Stage>& stages, std::int64_t trainer_device,
                   std::int64_t capacity);

/// The `grpo` object of an answer.
Json grpo_json(const Job& job, const GrpoBill& bill, Verdict verdict);

/// What the answer's other keys do not say under GRPO, one sentence each.
std::vector<std::string> grpo_warnings(const Job& job, const GrpoBill& bill);

}  // namespace sizesheet
