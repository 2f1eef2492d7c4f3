// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory.h"

#include <cmath>
#include <utility>

#include "support/text.h"

namespace sizesheet {
namespace {

/// The eight terms of one phase, in the order of the bill.
template <typename N>
struct PhaseTerms {
  N weights = 0.0;
  N adapters = 0.0;
  N gradients = 0.0;
  N optimizer = 0.0;
  N activations = 0.0;
  N recompute = 0.0;
  N logits = 0.0;
  N working_set = 0.0;
};

constexpr std::array<const char*, 8> kTermNames = {"weights",   "adapters",    "gradients",
                                                   "optimizer", "activations", "recompute",
                                                   "logits",    "working_set"};

template <typename N>
std::array<N, 8> in_order(const PhaseTerms<N>& terms) {
  return {terms.weights,     terms.adapters,  terms.gradients, terms.optimizer,
          terms.activations, terms.recompute, terms.logits,    terms.working_set};
}

/// Tensors that every phase holds.
template <typename N>
PhaseTerms<N> resident(const Pieces<N>& pieces, bool moments_alive) {
  PhaseTerms<N> terms;
  terms.weights = pieces.weights;
  terms.adapters = pieces.adapters;
  terms.optimizer = moments_alive ? pieces.master + pieces.moments : pieces.master;
  terms.working_set = pieces.buckets;
  return terms;
}

template <typename N>
void add_backward_phase(const Job& job, const Pieces<N>& pieces, Phase phase, const N& carried,
                        PhaseTerms<N>& terms) {
  const N gathered =
      pieces.gathered + pieces.unsharded_gradients + pieces.root + pieces.root_gradients;
  terms.recompute = pieces.block + pieces.temporaries;
  terms.logits = pieces.loss_left;
  if (phase == Phase::kBlockBackward) {
    terms.gradients = carried + pieces.head_gradient;
    terms.activations = pieces.kept;
    terms.working_set = terms.working_set + gathered + pieces.autocast_cache + pieces.dequantised;
    return;
  }
  terms.gradients = pieces.gradients_final;
  terms.activations = pieces.kept * input<N>("last_block_share",
                                             job.constants->value("end_backward.activation_share"));
  terms.working_set = terms.working_set + gathered + pieces.autocast_cache;
}

template <typename N>
PhaseTerms<N> phase_terms(const Job& job, const Pieces<N>& pieces, Phase phase, Timeline timeline) {
  const bool steady = timeline == Timeline::kSteady;
  const bool moments_alive = steady || !job.state.lazy;
  const bool carried_alive = steady ? pieces.gradients_persist : pieces.gradients_persist_step1;
  const N carried = carried_alive ? pieces.gradients : N(0.0);
  PhaseTerms<N> terms = resident(pieces, moments_alive);
  switch (phase) {
    case Phase::kForward:
      terms.gradients = carried;
      terms.activations = pieces.kept;
      terms.recompute = job.recompute == Recompute::kNone ? N(0.0) : pieces.temporaries;
      terms.working_set = terms.working_set + pieces.gathered + pieces.root +
                          pieces.autocast_cache + pieces.dequantised;
      break;
    case Phase::kLoss:
    case Phase::kLossBackward:
      terms.gradients = phase == Phase::kLoss ? carried : carried + pieces.head_gradient;
      terms.activations = pieces.kept;
      terms.logits = phase == Phase::kLoss ? pieces.loss_forward : pieces.loss_backward;
      terms.working_set = terms.working_set + pieces.unit + pieces.root + pieces.head_gather +
                          pieces.autocast_cache;
      break;
    case Phase::kBlockBackward:
    case Phase::kEndBackward:
      add_backward_phase(job, pieces, phase, carried, terms);
      break;
    case Phase::kOptimizerStep:
      terms.gradients = pieces.gradients_final;
      terms.optimizer = pieces.master + pieces.moments;
      terms.logits = pieces.loss_left;
      terms.working_set = terms.working_set + pieces.step_transient;
      break;
  }
  return terms;
}

std::int64_t rounded(double bytes) { return static_cast<std::int64_t>(std::floor(bytes + 0.5)); }

std::array<std::int64_t, 8> rounded_terms(const PhaseTerms<double>& terms) {
  std::array<std::int64_t, 8> whole{};
  const std::array<double, 8> parts = in_order(terms);
  for (std::size_t i = 0; i < parts.size(); ++i) whole[i] = rounded(parts[i]);
  return whole;
}

std::int64_t sum(const std::array<std::int64_t, 8>& parts) {
  std::int64_t total = 0;
  for (const std::int64_t part : parts) total += part;
  return total;
}

/// Bytes that the allocator rounds and strands: a share of what comes and goes, less of what stays.
template <typename N>
N slack_bytes(const Job& job, const Pieces<N>& pieces, std::int64_t allocated) {
  const N stays = step<N>("resident", pieces.weights + pieces.adapters + pieces.master +
                                          pieces.moments + pieces.buckets +
                                          (pieces.gradients_persist ? pieces.gradients : N(0.0)));
  const N all = input<N>("allocated", static_cast<double>(allocated));
  return input<N>("dynamic_share", job.overheads.dynamic_share) * (all - stays) +
         input<N>("static_share", job.overheads.static_share) * stays;
}

double communicators(const Job& job) {
  const double groups = (job.layout.dp > 1 ? 1 : 0) + (job.layout.tp > 1 ? 1 : 0);
  return groups;
}

template <typename N>
N overhead_bytes(const Job& job) {
  const Overheads& overheads = job.overheads;
  const N gib = kGiB;
  N bytes = input<N>("context_gib", overheads.context_gib) * gib;
  if (communicators(job) > 0) {
    bytes = bytes + input<N>("communicators", communicators(job)) *
                        input<N>("communicator_gib", overheads.communicator_gib) * gib;
  }
  if (overheads.all_to_all_gib > 0) {
    bytes = bytes + input<N>("all_to_all_gib", overheads.all_to_all_gib) * gib;
  }
  bytes = bytes + input<N>("library_bytes", overheads.library_bytes);
  if (overheads.other_processes_gib > 0) {
    bytes = bytes + input<N>("other_processes_gib", overheads.other_processes_gib) * gib;
  }
  return bytes;
}

void set_terms(MemoryBill& bill, const std::array<std::int64_t, 8>& parts) {
  bill.weights = parts[0];
  bill.adapters = parts[1];
  bill.gradients = parts[2];
  bill.optimizer = parts[3];
  bill.activations = parts[4];
  bill.recompute = parts[5];
  bill.logits = parts[6];
  bill.working_set = parts[7];
  bill.allocated = sum(parts);
}

std::array<std::int64_t, 8> terms_of(const MemoryBill& bill) {
  return {bill.weights,     bill.adapters,  bill.gradients, bill.optimizer,
          bill.activations, bill.recompute, bill.logits,    bill.working_set};
}

Phase phase_named(const std::string& name) {
  for (const Phase phase : kPhases) {
    if (name == name_of(phase)) return phase;
  }
  return Phase::kForward;
}

// Short enough for a table cell; the engine constants carry the whole citations.
constexpr const char* kStateSource = "transformers, DeepSpeed and Megatron-LM memory docs";
constexpr const char* kNf4Source = "bitsandbytes @95f9af30; arXiv:2305.14314, section 3";
constexpr const char* kActivationSource = "arXiv:2205.05198, table 2; derived";
constexpr const char* kLossSource = "transformers loss_utils; Liger-Kernel @ead96b61";
constexpr const char* kShardingSource = "PyTorch FSDP; DeepSpeed stage3 @edaa7221";
constexpr const char* kSlackSource = "fitted to published allocated and reserved bytes";
constexpr const char* kOverheadSource = "torchcomms PR 777; nccl issue 964";

const char* term_source(const Job& job, std::size_t index) {
  constexpr std::array<const char*, 8> kSources = {
      kStateSource,      kStateSource,      kStateSource, kStateSource,
      kActivationSource, kActivationSource, kLossSource,  kShardingSource};
  return index == 0 && job.nf4() ? kNf4Source : kSources[index];
}

}  // namespace

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::kForward:
      return "forward";
    case Phase::kLoss:
      return "loss";
    case Phase::kLossBackward:
      return "loss_backward";
    case Phase::kBlockBackward:
      return "block_backward";
    case Phase::kEndBackward:
      return "end_backward";
    case Phase::kOptimizerStep:
      return "optimizer_step";
  }
  return "";
}

MemoryBill memory_bill(const Job& job, const ModelSums& sums) {
  const Pieces<double> pieces = memory_pieces<double>(job, sums);
  MemoryBill bill;
  std::int64_t peak = -1;
  for (const Phase phase : kPhases) {
    const auto steady = rounded_terms(phase_terms(job, pieces, phase, Timeline::kSteady));
    const auto step1 = rounded_terms(phase_terms(job, pieces, phase, Timeline::kStep1));
    bill.phases[name_of(phase)] = sum(steady);
    bill.phases_step1[name_of(phase)] = sum(step1);
    // Step 1 holds a subset of what the steady state holds in the same phase, so steady decides.
    if (sum(steady) > peak) {
      peak = sum(steady);
      bill.peak_phase = name_of(phase);
      set_terms(bill, steady);
    }
  }
  bill.reserved = bill.allocated + rounded(slack_bytes<double>(job, pieces, bill.allocated));
  bill.overhead = rounded(overhead_bytes<double>(job));
  bill.device = bill.reserved + bill.overhead;
  bill.host = rounded(host_bytes(job, sums));
  return bill;
}

std::vector<MemoryTerm> memory_terms(const Job& job, const ModelSums& sums,
                                     const MemoryBill& bill) {
  const Pieces<Traced> pieces = memory_pieces<Traced>(job, sums);
  const auto traced =
      in_order(phase_terms(job, pieces, phase_named(bill.peak_phase), Timeline::kSteady));
  const auto whole = terms_of(bill);
  std::vector<MemoryTerm> terms;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    terms.push_back({kTermNames[i], term_title(kTermNames[i]), whole[i], formula_of(traced[i]),
                     term_source(job, i)});
  }
  terms.push_back({"allocator_slack", term_title("allocator_slack"), bill.reserved - bill.allocated,
                   formula_of(slack_bytes<Traced>(job, pieces, bill.allocated)), kSlackSource});
  terms.push_back({"overhead", term_title("overhead"), bill.overhead,
                   formula_of(overhead_bytes<Traced>(job)), kOverheadSource});
  return terms;
}

std::string verdict_of(const MemoryBill& bill, double headroom, std::int64_t capacity) {
  // Headroom as parts per million, so that the comparison is between integers.
  const auto share = static_cast<std::int64_t>(std::llround(headroom * 1e6));
  const auto need = static_cast<__int128>(bill.device) * (1000000 + share);
  if (need <= static_cast<__int128>(capacity) * 1000000) return "fits";
  return bill.device <= capacity ? "tight" : "no";
}

std::string fingerprint(const MemoryBill& bill, std::int64_t capacity) {
  const std::int64_t limit = capacity - (bill.device - bill.allocated);
  for (const auto& [timeline, words] : {std::pair{&bill.phases_step1, " of step 1"},
                                        std::pair{&bill.phases, " of step 2 and later"}}) {
    for (const Phase phase : kPhases) {
      if (timeline->at(name_of(phase)) > limit) return std::string(name_of(phase)) + words;
    }
  }
  return "";
}

std::string largest_term(const MemoryBill& bill) {
  const auto parts = terms_of(bill);
  std::size_t best = 0;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] > parts[best]) best = i;
  }
  return kTermNames[best];
}

std::string term_title(const std::string& name) {
  static const std::map<std::string, std::string> kTitles = {
      {"weights", "Weights"},
      {"adapters", "Adapters"},
      {"gradients", "Gradients"},
      {"optimizer", "Optimizer states"},
      {"activations", "Activations kept"},
      {"recompute", "Recomputed block"},
      {"logits", "Logits and loss"},
      {"working_set", "Working set"},
      {"allocator_slack", "Allocator slack"},
      {"overhead", "Context and communicators"}};
  return kTitles.at(name);
}

}  // namespace sizesheet
