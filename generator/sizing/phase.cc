// SPDX-License-Identifier: Apache-2.0
#include "sizing/phase.h"

namespace sizesheet {

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::kForward:
      return "forward";
    case Phase::kLoss:
      return "loss";
    case Phase::kLossBackward:
      return "loss_backward";
    case Phase::kBlockBackward:
      return "block_backward";
    case Phase::kEndBackward:
      return "end_backward";
    case Phase::kOptimizerStep:
      return "optimizer_step";
  }
  return "";
}

std::optional<Phase> phase_named(std::string_view name) {
  for (const Phase phase : kPhases) {
    if (name == name_of(phase)) return phase;
  }
  return std::nullopt;
}

}  // namespace sizesheet
