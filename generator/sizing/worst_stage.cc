// SPDX-License-Identifier: Apache-2.0
#include "sizing/worst_stage.h"

#include <limits>

#include "sizing/least_bytes.h"

namespace sizesheet {

StepPieces step_pieces_of(const Job& job, const std::vector<Stage>& stages) {
  StepPieces steps;
  for (const Stage& stage : stages) steps.push_back(step_pieces<double>(job, stage));
  return steps;
}

std::optional<StageNeeds> needs_within(const Job& job, const std::vector<Stage>& stages,
                                       const StepPieces& steps, std::int64_t most) {
  const auto room = static_cast<double>(most);
  StageNeeds needs;
  needs.reserve(stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    needs.push_back({memory_pieces<double>(job, stages[i], steps[i]), 0});
    StageNeed& need = needs.back();
    if (least_bytes(job, need.pieces) > room) return std::nullopt;
    need.allocated = allocated_bytes(job, need.pieces);
    if (least_bytes(job, need.pieces, static_cast<double>(need.allocated)) > room) {
      return std::nullopt;
    }
  }
  return needs;
}

StageNeeds needs_of(const Job& job, const std::vector<Stage>& stages, const StepPieces& steps) {
  return needs_within(job, stages, steps, std::numeric_limits<std::int64_t>::max()).value();
}

WorstStage worst_stage(const Job& job, const StageNeeds& needs) {
  WorstStage worst;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const std::int64_t device = device_bytes(job, needs[i].pieces, needs[i].allocated);
    if (i == 0 || device > worst.device) worst = {i, device};
  }
  return worst;
}

MemoryBill worst_bill(const Job& job, const std::vector<Stage>& stages) {
  if (stages.size() == 1) return memory_bill(job, stages.front());
  const StageNeeds needs = needs_of(job, stages, step_pieces_of(job, stages));
  const std::size_t worst = worst_stage(job, needs).index;
  return memory_bill(job, stages[worst], needs[worst].pieces);
}

}  // namespace sizesheet
