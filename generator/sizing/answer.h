// SPDX-License-Identifier: Apache-2.0
// What sizing says about one job, as plain values: the memory bill by phase with its proof, the
// layout, neighbours.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/described.h"
#include "support/trace.h"

namespace sizesheet {

// ---- The six phases of a training step, and bytes by phase.

enum class Phase { kForward, kLoss, kLossBackward, kBlockBackward, kEndBackward, kOptimizerStep };
inline constexpr std::array<Phase, 6> kPhases = {Phase::kForward,      Phase::kLoss,
                                                 Phase::kLossBackward, Phase::kBlockBackward,
                                                 Phase::kEndBackward,  Phase::kOptimizerStep};

/// "forward" … "optimizer_step".
const char* name_of(Phase phase);

std::optional<Phase> phase_named(std::string_view name);

/// Bytes in every phase, or in none: a bill that was not made knows no phases.
class PhaseBytes {
 public:
  bool known() const { return known_; }
  /// 0 where none are known.
  std::int64_t in(Phase phase) const { return bytes_[static_cast<std::size_t>(phase)]; }
  void set(Phase phase, std::int64_t bytes) {
    bytes_[static_cast<std::size_t>(phase)] = bytes;
    known_ = true;
  }
  bool operator==(const PhaseBytes&) const = default;

 private:
  std::array<std::int64_t, kPhases.size()> bytes_{};
  bool known_ = false;
};

// ---- What sizing says about one job, as plain values: the memory bill with its proof, the layout,
// neighbours.

/// Integer bytes per GPU in the peak phase; `allocated` is the sum of the eight terms before it.
struct MemoryBill {
  std::int64_t weights = 0;
  std::int64_t adapters = 0;
  std::int64_t gradients = 0;
  std::int64_t optimizer = 0;
  std::int64_t activations = 0;
  std::int64_t recompute = 0;
  std::int64_t logits = 0;
  std::int64_t working_set = 0;
  std::int64_t allocated = 0;
  std::int64_t reserved = 0;
  std::int64_t overhead = 0;
  std::int64_t device = 0;
  std::int64_t capacity = 0;  ///< 0: no GPU was named
  std::int64_t host = 0;      ///< pinned host memory per GPU
  std::int64_t stage = 0;     ///< the pipeline stage that needs most
  std::string peak_phase;
  PhaseBytes phases;  ///< allocated by phase, steady state
  PhaseBytes phases_step1;

  bool operator==(const MemoryBill&) const = default;
};
BOOST_DESCRIBE_STRUCT(MemoryBill, (),
                      (weights, adapters, gradients, optimizer, activations, recompute, logits,
                       working_set, allocated, reserved, overhead, device, capacity, host, stage,
                       peak_phase, phases, phases_step1))

/// One line of the bill with its proof: `bytes` is the formula's value, rounded once.
struct MemoryTerm {
  std::string name;   ///< "weights" … "working_set", "allocator_slack", "overhead"
  std::string title;  ///< "Weights", for people
  std::int64_t bytes = 0;
  Formula formula;
  std::string source;
};
BOOST_DESCRIBE_STRUCT(MemoryTerm, (), (name, title, bytes, formula, source))

/// What people call a term of the bill.
struct TermName {
  const char* name;   ///< in JSON and the tables: "optimizer"
  const char* title;  ///< heads its line or column: "Optimizer states"
  const char* words;  ///< in a sentence or a legend: "optimizer states"
};

/// The eight terms of `allocated` in their order, then what comes on top of them.
inline constexpr std::array<TermName, 11> kTermTitles{{
    {"weights", "Weights", "weights"},
    {"adapters", "Adapters", "adapters"},
    {"gradients", "Gradients", "gradients"},
    {"optimizer", "Optimizer states", "optimizer states"},
    {"activations", "Activations kept", "activations kept"},
    {"recompute", "Recomputed block", "recomputed block"},
    {"logits", "Logits and loss", "logits and loss"},
    {"working_set", "Working set", "working set"},
    {"allocator_slack", "Allocator slack", "allocator slack"},
    {"overhead", "Context and communicators", "context and communicators"},
    {"generation", "Generation engine", "generation engine"},
}};

/// The names of a term; nullptr for what is none.
constexpr const TermName* term_name(std::string_view name) {
  for (const TermName& term : kTermTitles) {
    if (term.name == name) return &term;
  }
  return nullptr;
}

/// What a run leaves on disk and holds in host memory, bytes. Everything is of the whole run but
/// host memory, which is of one node.
struct RunFiles {
  std::int64_t adapter = 0;      ///< 0 for full fine-tuning
  std::int64_t checkpoint = 0;   ///< one from which the run resumes: trained weights, optimizer
  std::int64_t host_memory = 0;  ///< pinned states of its ranks, and the checkpoint while it loads
  std::int64_t disk = 0;         ///< base weights, the checkpoints that are kept, the adapter file

  static constexpr Key kKeys[] = {{"adapter", "adapter_bytes"},
                                  {"checkpoint", "checkpoint_bytes"},
                                  {"host_memory", "host_memory_bytes"},
                                  {"disk", "disk_bytes"}};
};
BOOST_DESCRIBE_STRUCT(RunFiles, (), (adapter, checkpoint, host_memory, disk))

/// How the GPUs are used.
struct LayoutShape {
  std::int64_t gpus = 0;
  std::int64_t dp = 1;
  std::int64_t tp = 1;
  std::int64_t pp = 1;
  std::int64_t cp = 1;
  std::int64_t ep = 1;
  std::int64_t etp = 1;
  std::int64_t vpp = 1;
  std::string shard = "none";  ///< none | zero1 | zero2 | zero3
  std::string offload = "none";
  std::string recompute = "full";
  std::string loss = "hf";
};
BOOST_DESCRIBE_STRUCT(LayoutShape, (),
                      (gpus, dp, tp, pp, cp, ep, etp, vpp, shard, offload, recompute, loss))

/// A count of GPUs and how it stands.
struct CountCheck {
  std::int64_t gpus = 0;
  std::string verdict;      ///< fits | tight | no
  std::int64_t device = 0;  ///< bytes needed
  std::int64_t over = 0;    ///< device - capacity when positive, else 0
  std::string peak_phase;
  std::string largest_term;
};
BOOST_DESCRIBE_STRUCT(CountCheck, (), (gpus, verdict, device, over, peak_phase, largest_term))

}  // namespace sizesheet
