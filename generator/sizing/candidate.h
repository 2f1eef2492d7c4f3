// SPDX-License-Identifier: Apache-2.0
// A job on one layout against its card: the bill, and whether it fits once the card has given back
// what it can and a paged optimizer has sent away what it may.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/gpu.h"
#include "sizing/grpo.h"
#include "sizing/worst_stage.h"

namespace sizesheet {

using Stages = std::shared_ptr<const std::vector<Stage>>;

/// How a layout stands, all that a search has to know of it.
struct Standing {
  std::int64_t device = 0;  ///< bytes of the whole card
  std::string verdict;      ///< fits | tight | no; "" without a GPU
};

/// Fits before tight before no; among those that do not hold, fewer device bytes.
bool better(const Standing& a, const Standing& b);

/// A job with its layout, its bill and how that stands against the GPU.
struct Candidate {
  Job job;
  Stages stages;
  MemoryBill bill;
  std::string verdict;           ///< fits | tight | no, of the whole card; "" without a GPU
  std::optional<GrpoBill> grpo;  ///< what stands on the card beside the bill

  /// Bytes of the whole card: the bill's, and what GRPO adds.
  std::int64_t device() const { return grpo ? grpo->device : bill.device; }
  Standing standing() const { return {device(), verdict}; }
  /// The engine generates when the card holds most.
  bool generates_at_peak() const { return grpo && grpo->phase() == "generation"; }
  std::string peak_phase() const { return generates_at_peak() ? "generation" : bill.peak_phase; }
  /// The largest part of the card then: a term of the bill, or the engine.
  std::string largest() const { return generates_at_peak() ? "generation" : largest_term(bill); }

  /// The pipeline stage the bill is of.
  const Stage& worst_stage() const { return stages->at(static_cast<std::size_t>(bill.stage)); }
};

/// A job as it stands, with its bill and verdict.
Candidate evaluate(const Job& job, const Gpu* gpu);
Candidate evaluate(Job job, const Gpu* gpu, Stages stages);
Candidate evaluate(Job job, const Gpu* gpu, Stages stages, const StepPieces& steps);

/// How it stands alone, unless it would need more than `most` bytes whatever the card gives back:
/// nullopt then. What is sent away and given back is left in the job.
std::optional<Standing> standing_within(Job& job, const Gpu* gpu, const std::vector<Stage>& stages,
                                        const StepPieces& steps, std::int64_t most);

}  // namespace sizesheet
