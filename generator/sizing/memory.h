// SPDX-License-Identifier: Apache-2.0
// The memory bill of a job: bytes per GPU as a maximum over phases and two timelines, never a sum
// of maxima.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sizing/answer.h"
#include "sizing/job.h"
#include "sizing/pieces.h"

namespace sizesheet {

enum class Phase { kForward, kLoss, kLossBackward, kBlockBackward, kEndBackward, kOptimizerStep };
inline constexpr std::array<Phase, 6> kPhases = {Phase::kForward,      Phase::kLoss,
                                                 Phase::kLossBackward, Phase::kBlockBackward,
                                                 Phase::kEndBackward,  Phase::kOptimizerStep};

/// "forward" … "optimizer_step".
const char* name_of(Phase phase);

/// Step 1 (lazy optimizer states and accumulated gradients absent) and every step after it.
enum class Timeline { kStep1, kSteady };

/// The bill of one rank; capacity is left 0.
MemoryBill memory_bill(const Job& job, const ModelSums& sums);

/// Every term of the bill in its peak phase, then allocator slack and overhead: they sum to
/// `device`.
std::vector<MemoryTerm> memory_terms(const Job& job, const ModelSums& sums, const MemoryBill& bill);

/// (1 + headroom) * device <= capacity: fits; device <= capacity: tight; else no. Exact.
std::string verdict_of(const MemoryBill& bill, double headroom, std::int64_t capacity);

/// First phase, step 1 before steady, whose bytes pass the capacity: "loss_backward of step 1"; ""
/// if none.
std::string fingerprint(const MemoryBill& bill, std::int64_t capacity);

/// Name of the largest of the eight terms.
std::string largest_term(const MemoryBill& bill);

/// "Weights", "Logits and loss": a term's name for people.
std::string term_title(const std::string& name);

}  // namespace sizesheet
