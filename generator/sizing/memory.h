// SPDX-License-Identifier: Apache-2.0
// The memory bill of one rank of a pipeline stage: bytes per GPU, as a maximum over phases and two
// timelines, never a sum of maxima.
#pragma once

#include <string>

#include "sizing/answer.h"
#include "sizing/phases.h"

namespace sizesheet {

/// The bill of one rank of one stage; capacity is left 0.
MemoryBill memory_bill(const Job& job, const Stage& stage);
MemoryBill memory_bill(const Job& job, const Stage& stage, const Pieces<double>& pieces);

/// Of such a bill, what the allocator hands out, and all of the device.
std::int64_t allocated_bytes(const Job& job, const Pieces<double>& pieces);
std::int64_t device_bytes(const Job& job, const Pieces<double>& pieces, std::int64_t allocated);
std::int64_t whole_overhead(const Job& job);

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

/// The most bytes of the card with which a job fits: (1 + headroom) times them is at most the
/// capacity. Exact, of the headroom in parts per million.
std::int64_t fitting_bytes(double headroom, std::int64_t capacity);

/// Up to fitting_bytes: fits; up to the capacity: tight; else no.
std::string verdict_of(std::int64_t device, double headroom, std::int64_t capacity);

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
