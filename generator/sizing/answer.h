// SPDX-License-Identifier: Apache-2.0
// What sizing says about one job, as plain values: the memory bill by phase with its proof, the
// layout, neighbours; and such values as JSON.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "support/described.h"
#include "support/json.h"
#include "support/trace.h"

namespace sizesheet {

enum class Phase { kForward, kLoss, kLossBackward, kBlockBackward, kEndBackward, kOptimizerStep };
inline constexpr std::array<Phase, 6> kPhases = {Phase::kForward,      Phase::kLoss,
                                                 Phase::kLossBackward, Phase::kBlockBackward,
                                                 Phase::kEndBackward,  Phase::kOptimizerStep};

inline constexpr std::array<const char*, kPhases.size()> kPhaseNames = {
    "forward", "loss", "loss_backward", "block_backward", "end_backward", "optimizer_step"};

constexpr const char* name_of(Phase phase) { return kPhaseNames[static_cast<std::size_t>(phase)]; }

constexpr std::optional<Phase> phase_named(std::string_view name) {
  for (const Phase phase : kPhases) {
    if (name == name_of(phase)) return phase;
  }
  return std::nullopt;
}

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

/// What a rank holds at one moment, in the order of the bill.
template <typename N>
struct PhaseTerms {
  N weights = 0;
  N adapters = 0;
  N gradients = 0;
  N optimizer = 0;
  N activations = 0;
  N recompute = 0;
  N logits = 0;
  N working_set = 0;

  bool operator==(const PhaseTerms&) const = default;

  BOOST_DESCRIBE_CLASS(PhaseTerms, (),
                       (weights, adapters, gradients, optimizer, activations, recompute, logits,
                        working_set),
                       (), ())
};

template <typename N>
std::array<N, 8> in_order(const PhaseTerms<N>& terms) {
  return {terms.weights,     terms.adapters,  terms.gradients, terms.optimizer,
          terms.activations, terms.recompute, terms.logits,    terms.working_set};
}

/// Integer bytes per GPU: the eight terms in the peak phase, and what comes on top of their sum.
struct MemoryBill : PhaseTerms<std::int64_t> {
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
BOOST_DESCRIBE_STRUCT(MemoryBill, (PhaseTerms<std::int64_t>),
                      (allocated, reserved, overhead, device, capacity, host, stage, peak_phase,
                       phases, phases_step1))

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

/// The described members of a value as an object; what is absent is null.
template <typename T>
Json members_json(const T& value) {
  Json json = Json::object();
  const auto put = [&]<typename M>(const char* key, const M& member) {
    if constexpr (std::is_same_v<M, PhaseBytes>) {
      for (const Phase phase : kPhases) json[key][name_of(phase)] = member.in(phase);
    } else if constexpr (requires { member.value(); }) {
      json[key] = member ? Json(*member) : Json();
    } else {
      json[key] = member;
    }
  };
  fields(put, value);
  return json;
}

}  // namespace sizesheet
