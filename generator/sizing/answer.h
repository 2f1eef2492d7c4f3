// SPDX-License-Identifier: Apache-2.0
// What sizing says about one job, as plain values: the memory bill by phase with its proof, the
// layout, neighbours; and such values as JSON.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "support/described.h"
#include "support/json.h"
#include "support/named.h"
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

constexpr int kNotShared = 4;  ///< a stage of ZeRO that there is not

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

/// How a job stands against its card, best first; unknown: no GPU was named.
enum class Verdict { kFits, kTight, kNo, kNotModelled, kUnknown };

struct VerdictFacts {
  Verdict value;
  std::string_view id;
  const char* answer;  ///< in a list of rows
  const char* words;   ///< in a sentence
  const char* mark;
};

/// Of every verdict, in the order of Verdict.
inline constexpr std::array<VerdictFacts, 5> kVerdicts{
    {{Verdict::kFits, "fits", "fits", "fits", "●"},
     {Verdict::kTight, "tight", "tight", "tight", "▲"},
     {Verdict::kNo, "no", "no", "does not fit", "○"},
     {Verdict::kNotModelled, "refused", "not modelled", "not modelled", "–"},
     {Verdict::kUnknown, "", "not modelled", "not modelled", "–"}}};

constexpr const auto& table_of(Verdict /*of*/) { return kVerdicts; }

/// Those of kUnknown where there is no such verdict.
constexpr const VerdictFacts& verdict_named(std::string_view id) {
  const auto found = std::ranges::find(kVerdicts, id, &VerdictFacts::id);
  return found == kVerdicts.end() ? kVerdicts.back() : *found;
}

constexpr bool holds(Verdict verdict) { return verdict <= Verdict::kTight; }

/// Whether bytes stay within a card up to the upper end of their range, `device_high`. nullopt: no
/// card is named, or no range is known.
constexpr std::optional<bool> is_certain(std::int64_t device_high, std::int64_t capacity) {
  if (device_high <= 0 || capacity <= 0) return std::nullopt;
  return device_high <= capacity;
}

/// How a job stands that fits, but not up to the upper end of its range. The verdict stays kFits.
inline constexpr VerdictFacts kNotCertain{Verdict::kFits, "fits", "fits, not certain",
                                          "fits, not certain", "◐"};

/// Behind a verdict or a count that holds but is not certain, where there is no room for words.
inline constexpr const char* kDoubtMark = "?";

/// "not certain: up to 81.3 of 79.2 GiB; try one step first": what has to follow a verdict that
/// holds where `is_certain` says no. "" elsewhere.
std::string doubt_words(Verdict verdict, std::int64_t device_high, std::int64_t capacity);

/// The verdict in a sentence, with its doubt: "fits", "tight, not certain: up to 81.3 of 79.2 GiB;
/// try one step first", "does not fit".
std::string standing_words(Verdict verdict, std::int64_t device_high, std::int64_t capacity);

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

/// A layout with the bytes on one GPU, and what they are held against.
struct SizedLayout {
  LayoutShape layout = {};
  std::int64_t device = 0;
  std::int64_t device_high = 0;  ///< upper end of its range; 0: no range is known
  std::int64_t capacity = 0;     ///< 0: no GPU was named
  Verdict verdict = Verdict::kUnknown;
  std::optional<bool> certain = {};  ///< is_certain

  static constexpr Key kKeys[] = {{"device", "device_bytes"},
                                  {"device_high", "device_high_bytes"},
                                  {"capacity", "capacity_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SizedLayout, (), (layout, device, device_high, capacity, verdict, certain))

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

/// A count of GPUs and how it stands.
struct CountCheck {
  std::int64_t gpus = 0;
  Verdict verdict = Verdict::kUnknown;
  std::int64_t device = 0;       ///< bytes needed
  std::int64_t device_high = 0;  ///< upper end of their range; 0: no range is known
  std::optional<bool> certain;   ///< is_certain
  std::int64_t over = 0;         ///< device - capacity when positive, else 0
  std::string peak_phase;
  std::string largest_term;
};
BOOST_DESCRIBE_STRUCT(CountCheck, (),
                      (gpus, verdict, device, device_high, certain, over, peak_phase, largest_term))

}  // namespace sizesheet
