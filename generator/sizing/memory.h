// SPDX-License-Identifier: Apache-2.0
// The memory bill of a job: bytes per GPU on the worst pipeline stage, as a maximum over phases and
// two timelines, never a sum of maxima.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sizing/answer.h"
#include "sizing/phases.h"

namespace sizesheet {

/// The bill of one rank of one stage; capacity is left 0.
MemoryBill memory_bill(const Job& job, const Stage& stage);

/// The bill of the stage that needs most.
MemoryBill worst_bill(const Job& job, const std::vector<Stage>& stages);

/// The step's pieces of every stage.
using StepPieces = std::vector<Pieces<double>>;
StepPieces step_pieces_of(const Job& job, const std::vector<Stage>& stages);

/// The worst bill, from the step's pieces.
MemoryBill worst_bill(const Job& job, const std::vector<Stage>& stages, const StepPieces& steps);

/// The same, unless some stage cannot be brought to `most` bytes: nullopt then.
std::optional<MemoryBill> worst_bill_within(const Job& job, const std::vector<Stage>& stages,
                                            const StepPieces& steps, std::int64_t most);

/// Bytes that these stages take on the fullest GPU, whatever dp and sharding: what a full card
/// gives back and what a paged optimizer sends away is left out.
double least_of_step(const Job& job, const StepPieces& steps);

/// The eight terms of a bill in their order (kTermNames).
std::array<std::int64_t, 8> terms_of(const MemoryBill& bill);

/// Communicator groups: one per parallel dimension in use.
double communicators(const Layout& layout);

/// Whether the exchange between ranks strands bytes: eager operations free many short-lived tensors
/// while the communication stream holds their neighbours, and routed experts get another number of
/// tokens in every step. Fused kernels on tensors of fixed size do neither.
bool strands_bytes(const Job& job);

/// Bytes that stay from step to step.
template <typename N>
N resident_bytes(const Pieces<N>& pieces);

/// Bytes that the allocator rounds and strands: a share of what comes and goes, less of what stays.
template <typename N>
N slack_bytes(const Job& job, const Pieces<N>& pieces, std::int64_t allocated);

/// Context, communicators, libraries, other processes: outside the allocator.
template <typename N>
N overhead_bytes(const Job& job);

/// (1 + headroom) * device <= capacity: fits; device <= capacity: tight; else no. Exact.
std::string verdict_of(const MemoryBill& bill, double headroom, std::int64_t capacity);

/// First phase, step 1 before steady, whose bytes pass the capacity: "loss_backward of step 1"; ""
/// if none.
std::string fingerprint(const MemoryBill& bill, std::int64_t capacity);

/// Name of the largest of the eight terms, and its bytes.
std::string largest_term(const MemoryBill& bill);
std::int64_t term_bytes(const MemoryBill& bill, const std::string& term);

extern template double resident_bytes(const Pieces<double>&);
extern template Traced resident_bytes(const Pieces<Traced>&);
extern template double slack_bytes(const Job&, const Pieces<double>&, std::int64_t);
extern template Traced slack_bytes(const Job&, const Pieces<Traced>&, std::int64_t);
extern template double overhead_bytes<double>(const Job&);
extern template Traced overhead_bytes<Traced>(const Job&);

}  // namespace sizesheet
