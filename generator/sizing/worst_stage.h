// SPDX-License-Identifier: Apache-2.0
// The pipeline stage that needs most: every stage is weighed, and the bill made of that one alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sizing/memory.h"

namespace sizesheet {

StepPieces step_pieces_of(const Job& job, const std::vector<Stage>& stages);

/// What one rank of a stage holds, before it is written down as a bill.
struct StageNeed {
  Pieces<double> pieces;
  std::int64_t allocated = 0;  ///< bytes in the phase that needs most
};
/// Of every stage, first one first.
using StageNeeds = std::vector<StageNeed>;

StageNeeds needs_of(const Job& job, const std::vector<Stage>& stages, const StepPieces& steps);

/// The same, unless some stage cannot be brought to `most` bytes: nullopt then.
std::optional<StageNeeds> needs_within(const Job& job, const std::vector<Stage>& stages,
                                       const StepPieces& steps, std::int64_t most);

struct WorstStage {
  std::size_t index = 0;
  std::int64_t device = 0;  ///< bytes per GPU, slack and overhead included
};
WorstStage worst_stage(const Job& job, const StageNeeds& needs);

/// The bill of the stage that needs most.
MemoryBill worst_bill(const Job& job, const std::vector<Stage>& stages);

}  // namespace sizesheet
