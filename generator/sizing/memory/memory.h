// SPDX-License-Identifier: Apache-2.0
// The memory bill of one rank of a pipeline stage: bytes per GPU, as a maximum over phases and two
// timelines, never a sum of maxima; of the stage that needs most; its proof; and a run's files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/verdict.h"

namespace sizesheet {

/// The bill of one rank of one stage; capacity is left 0.
MemoryBill memory_bill(const Job& job, const Stage& stage);
MemoryBill memory_bill(const Job& job, const Stage& stage, const Pieces<double>& pieces);
std::int64_t whole_overhead(const Job& job);

/// Whether the exchange between ranks strands bytes: eager operations free many short-lived tensors
/// while the communication stream holds their neighbours, and routed experts get another number of
/// tokens in every step. Fused kernels on tensors of fixed size do neither.
bool strands_bytes(const Job& job);

/// Whether communication streams have pools of their own: FSDP 2, where it shards.
bool pools_by_stream(const Job& job);

/// Whether slack is what lies idle at the peak of a plain loss on one GPU.
bool has_idle_segments(const Pieces<double>& pieces);

/// The least of it: before a card is full, the allocator returns segments that lie idle.
double least_idle_bytes(const Job& job, const Pieces<double>& pieces, double allocated);

/// Bytes that stay from step to step.
template <typename N>
N resident_bytes(const Pieces<N>& pieces);

/// Context, communicators, libraries, other processes: outside the allocator.
template <typename N>
N overhead_bytes(const Job& job);

/// The most bytes of the card with which a job fits: (1 + headroom) times them is at most the
/// capacity. Exact, of the headroom in parts per million.
std::int64_t fitting_bytes(double headroom, std::int64_t capacity);

/// Up to fitting_bytes: fits; up to the capacity: tight; else no.
Verdict verdict_of(std::int64_t device, double headroom, std::int64_t capacity);

/// First phase, step 1 before steady, whose bytes pass the capacity: "loss_backward of step 1"; ""
/// if none.
std::string fingerprint(const MemoryBill& bill, std::int64_t capacity);

/// The largest of the eight terms.
Term largest_term(const MemoryBill& bill);

/// The proof of a bill: every term of the bill in its peak phase, then allocator slack and
/// overhead: they sum to `device`. `stage` is the one the bill is of.
std::vector<MemoryTerm> memory_terms(const Job& job, const Stage& stage, const MemoryBill& bill);

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

/// What a run leaves on disk and holds in host memory. `host_per_gpu`: bytes that one rank keeps in
/// host memory (MemoryBill::host).
RunFiles run_files(const Job& job, std::int64_t host_per_gpu, std::int64_t gpus_per_node);

/// The same four with their formulas, in the order of the members: adapter_bytes … disk_bytes.
std::vector<MemoryTerm> run_file_terms(const Job& job, std::int64_t host_per_gpu,
                                       std::int64_t gpus_per_node);

}  // namespace sizesheet
