// SPDX-License-Identifier: Apache-2.0
// The memory bill of one job, phase by phase, with its proof.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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

inline void to_json(Json& json, const PhaseBytes& bytes) {
  for (const Phase phase : kPhases) json[name_of(phase)] = bytes.in(phase);
}

/// The parts of a bill: the eight terms of `allocated` in their order, then what comes on top.
enum class Term {
  kWeights,
  kAdapters,
  kGradients,
  kOptimizer,
  kActivations,
  kRecompute,
  kLogits,
  kWorkingSet,
  kSlack,
  kOverhead,
  kGeneration
};

constexpr int kNotShared = 4;  ///< above ZeRO-3: ranks never divide this term

struct TermFacts {
  Term value;
  const char* id;      ///< in JSON and the tables: "optimizer"
  const char* title;   ///< heads its line or column: "Optimizer states"
  const char* words;   ///< in a sentence or a legend: "optimizer states"
  int shared_from;     ///< the stage of ZeRO from which on more ranks make it smaller
  const char* source;  ///< short enough for a cell; the engine constants carry whole citations
};

/// Of every part, in the order of Term.
inline constexpr auto kTerms = [] {
  using enum Term;
  constexpr const char* kState = "transformers, DeepSpeed and Megatron-LM memory docs";
  constexpr const char* kDerived = "arXiv:2205.05198, table 2; derived";
  return std::array<TermFacts, 11>{{
      {kWeights, "weights", "Weights", "weights", 3, kState},
      {kAdapters, "adapters", "Adapters", "adapters", 3, kState},
      {kGradients, "gradients", "Gradients", "gradients", 2, kState},
      {kOptimizer, "optimizer", "Optimizer states", "optimizer states", 1, kState},
      {kActivations, "activations", "Activations kept", "activations kept", kNotShared, kDerived},
      {kRecompute, "recompute", "Recomputed block", "recomputed block", kNotShared, kDerived},
      {kLogits, "logits", "Logits and loss", "logits and loss", kNotShared,
       "transformers loss_utils; Liger-Kernel @ead96b61"},
      {kWorkingSet, "working_set", "Working set", "working set", kNotShared,
       "PyTorch FSDP; DeepSpeed stage3 @edaa7221"},
      {kSlack, "allocator_slack", "Allocator slack", "allocator slack", kNotShared,
       "fitted to published allocated and reserved bytes"},
      {kOverhead, "overhead", "Context and communicators", "context and communicators", kNotShared,
       "torchcomms PR 777; nccl issue 964"},
      {kGeneration, "generation", "Generation engine", "generation engine", kNotShared, ""},
  }};
}();

inline constexpr std::span<const TermFacts, 8> kAllocatedTerms{kTerms.data(), 8};

constexpr const auto& table_of(Term /*of*/) { return kTerms; }

/// What a rank holds at one moment, by term; these lie flat in JSON.
template <typename N>
class PhaseTerms {
 public:
  static constexpr bool kLiesFlat = true;

  N& operator[](Term term) { return terms_[static_cast<std::size_t>(term)]; }
  const N& operator[](Term term) const { return terms_[static_cast<std::size_t>(term)]; }
  N sum(auto... of) const { return ((*this)[of] + ...); }
  N sum() const { return std::accumulate(begin(), end(), N(0)); }
  auto begin() const { return terms_.begin(); }
  auto end() const { return terms_.end(); }

  bool operator==(const PhaseTerms&) const = default;

 private:
  std::array<N, kAllocatedTerms.size()> terms_{};
};

template <typename V, typename T>
void fields(V& visitor, T& terms) requires requires {
  terms[Term::kWeights];
}
{
  for (const TermFacts& one : kAllocatedTerms) visitor(one.id, terms[one.value]);
}

/// Integer bytes per GPU: the eight terms in the peak phase, and what comes on top of their sum.
struct MemoryBill {
  PhaseTerms<std::int64_t> terms;
  std::int64_t allocated = 0;
  std::int64_t reserved = 0;
  std::int64_t overhead = 0;
  std::int64_t device = 0;
  std::int64_t device_high = 0;  ///< upper end of the whole card's range; 0: no range is known
  std::int64_t capacity = 0;     ///< 0: no GPU was named
  std::optional<bool> certain;   ///< is_certain
  std::int64_t host = 0;         ///< pinned host memory per GPU
  std::int64_t stage = 0;        ///< the pipeline stage that needs most
  std::string peak_phase;
  PhaseBytes phases;  ///< allocated by phase, steady state
  PhaseBytes phases_step1;

  /// Of any part: they sum to `device`.
  std::int64_t of(Term part) const {
    if (part < Term::kSlack) return terms[part];
    if (part == Term::kSlack) return reserved - allocated;
    return part == Term::kOverhead ? overhead : 0;
  }

  bool operator==(const MemoryBill&) const = default;
};
BOOST_DESCRIBE_STRUCT(MemoryBill, (),
                      (terms, allocated, reserved, overhead, device, device_high, capacity, certain,
                       host, stage, peak_phase, phases, phases_step1))

/// One line of the bill with its proof: `bytes` is the formula's value, rounded once.
struct MemoryTerm {
  std::string name;   ///< of a Term: "weights"
  std::string title;  ///< "Weights", for people
  std::int64_t bytes = 0;
  Formula formula;
  std::string source;
};
BOOST_DESCRIBE_STRUCT(MemoryTerm, (), (name, title, bytes, formula, source))

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

}  // namespace sizesheet
