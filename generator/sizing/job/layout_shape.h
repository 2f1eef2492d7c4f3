// SPDX-License-Identifier: Apache-2.0
// How a job is divided over its GPUs, as an answer says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/described.h"

namespace sizesheet {

/// Over how many ranks a job is divided in each dimension.
struct ParallelRanks {
  std::int64_t dp = 1;
  std::int64_t tp = 1;
  std::int64_t pp = 1;
  std::int64_t cp = 1;
  std::int64_t ep = 1;   ///< expert parallel: the experts are divided over these ranks
  std::int64_t etp = 1;  ///< expert tensor parallel: each expert is divided over these
  std::int64_t vpp = 1;  ///< interleaved chunks of one pipeline stage

  /// One a GPU: the others divide what these hold.
  std::int64_t ranks() const { return dp * tp * pp * cp; }
  bool operator==(const ParallelRanks&) const = default;
};

/// How the GPUs are used.
struct LayoutShape : ParallelRanks {
  std::int64_t gpus = 0;
  std::string shard = "none";  ///< none | zero1 | zero2 | zero3
  std::string offload = "none";
  std::string recompute = "full";
  std::string loss = "hf";
  std::int64_t grad_accum = 1;   ///< micro-batches of an optimizer step
  std::int64_t micro_batch = 1;  ///< examples that a rank takes at once

  bool operator==(const LayoutShape&) const = default;
};
BOOST_DESCRIBE_STRUCT(LayoutShape, (),
                      (gpus, dp, tp, pp, cp, ep, etp, vpp, shard, offload, recompute, loss,
                       grad_accum, micro_batch))

/// What a job is run with beside its layout, whether the request, the stack or the search chose it.
/// These lie flat in JSON.
struct JobChoices {
  static constexpr bool kLiesFlat = true;

  std::string stack;  ///< id; "" without one
  std::int64_t micro_batch = 1;
  std::int64_t grad_accum = 1;
  std::string recompute;  ///< as the layout says it
  std::string loss;
  std::string optimizer;
  std::optional<std::int64_t> lora_rank;    ///< absent where every weight trains
  std::optional<std::string> lora_targets;  ///< "all-linear", or projections with commas

  bool operator==(const JobChoices&) const = default;
};
BOOST_DESCRIBE_STRUCT(JobChoices, (),
                      (stack, micro_batch, grad_accum, recompute, loss, optimizer, lora_rank,
                       lora_targets))

/// How ranks may divide a job, in the order in which layouts are told.
struct Degree {
  std::int64_t LayoutShape::*ranks;
  const char* key;
  const char* brief;
  const char* words;
};
inline constexpr Degree kDegrees[] = {{&LayoutShape::dp, "dp", "DP\u00a0", "data parallel "},
                                      {&LayoutShape::tp, "tp", "TP\u00a0", "tensor parallel "},
                                      {&LayoutShape::pp, "pp", "PP\u00a0", "pipeline "},
                                      {&LayoutShape::cp, "cp", "CP\u00a0", "context parallel "},
                                      {&LayoutShape::ep, "ep", "EP\u00a0", "expert parallel "}};

}  // namespace sizesheet
