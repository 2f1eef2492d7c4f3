// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/memory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sizing/job/job.h"
#include "sizing/job/layout_pins.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/bounds.h"
#include "sizing/memory/phases.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/parameters.h"
#include "sizing/model/projections.h"
#include "sizing/model/tower_counts.h"
#include "support/error.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// Sums of terms stay far below 2^63, so that no bill wraps around.
constexpr double kMostBytes = 1e17;

[[noreturn]] void refuse_beyond_counting(const Job& job) {
  throw InputError("workload.seq_len: " + std::to_string(job.seq_len) +
                   " tokens with workload.micro_batch " + std::to_string(job.micro_batch) +
                   " need more than 10^17 bytes on one GPU, which no bill is made for");
}

std::int64_t rounded(const Job& job, double bytes) {
  if (bytes > kMostBytes) refuse_beyond_counting(job);
  return whole_bytes(bytes);
}

using WholeTerms = PhaseTerms<std::int64_t>;

WholeTerms rounded(const Job& job, const PhaseTerms<double>& parts) {
  WholeTerms whole;
  for (const TermFacts& one : kAllocatedTerms) whole[one.value] = rounded(job, parts[one.value]);
  return whole;
}

/// Of what comes and goes, what the allocator cannot return when the card is full.
double returned_share(const Job& job) {
  return job.constants->value("allocator.expandable_dynamic_share");
}

/// What lies idle at the peak of a plain loss. Optimizer states are made behind the first step, in
/// segments that it left: where they do not fit in that of the 16-bit logits, the next step's
/// logits need new ones.
template <typename N>
N idle_bytes(const Job& job, const Pieces<N>& pieces, const N& moving, const N& share) {
  N idle = share;
  if (!job.full()) {
    idle = pieces.idle_logits + pieces.idle_layer;
  } else if (value_of(pieces.moments) > value_of(pieces.idle_logits)) {
    idle =
        larger(share, 2.0 * pieces.idle_logits + pieces.idle_layer + 0.5 * pieces.autocast_cache);
  }
  if (job.overheads.room_bytes >= value_of(idle)) return idle;
  const N least = smaller(idle, input<N>("returned_share", returned_share(job)) * moving);
  return larger(least, input<N>("room_bytes", job.overheads.room_bytes));
}

/// FSDP 2 gathers and reduces on streams of its own, and the allocator keeps a pool for each: two
/// gathers in turn and the gradients that are being reduced lie beside what the step takes.
template <typename N>
N stream_pools(const Job& job, const Pieces<N>& pieces) {
  if (!pools_by_stream(job)) return 0.0;
  return input<N>("stream_units", job.constants->value("allocator.fsdp2_units")) *
         larger(pieces.unit, pieces.root);
}

/// Bytes that the allocator rounds and strands: a share of what comes and goes, less of what stays.
template <typename N>
N slack_bytes(const Job& job, const Pieces<N>& pieces, std::int64_t allocated) {
  const N stays = step<N>("resident", resident_bytes(pieces));
  const N all = input<N>("allocated", as_double(allocated));
  const Overheads& overheads = job.overheads;
  const N fixed = input<N>("static_share", overheads.static_share) * stays;
  if (!strands_bytes(job)) {
    const N share = input<N>("dynamic_share", overheads.dynamic_share) * (all - stays) + fixed;
    if (value_of(pieces.idle_logits) <= 0) return share;
    return idle_bytes<N>(job, pieces, all - stays, share);
  }
  const N shared = input<N>("dynamic_share", overheads.multi_rank_share) * (all - stays) +
                   stream_pools<N>(job, pieces);
  N stranded = shared;
  if (overheads.multi_rank_cap_gib * kGiB < value_of(shared)) {
    stranded = input<N>("cap_gib", overheads.multi_rank_cap_gib) * kGiB;
  }
  if (overheads.room_bytes >= value_of(stranded)) return stranded + fixed;
  const N fragments = input<N>("fragment_share", overheads.dynamic_share) * (all - stays);
  return larger(fragments, input<N>("room_bytes", overheads.room_bytes)) + fixed;
}

/// Of a base that is not trained, another one says what its weights are.
const char* term_source(const Job& job, Term term) {
  if (term != Term::kWeights || job.full()) return facts_of(term).source;
  return job.nf4() ? "bitsandbytes @95f9af30; arXiv:2305.14314, section 3"
                   : "the base's dtype as the stack loads it; config.json";
}

// Step 1 holds a subset of what the steady state holds in the same phase, so steady decides.
std::int64_t allocated_bytes(const Job& job, const Pieces<double>& pieces) {
  std::int64_t most = 0;
  for (const Phase phase : kPhases) {
    most = std::max(most, rounded(job, phase_terms(job, pieces, phase, Timeline::kSteady)).sum());
  }
  return most;
}

/// The four figures of a run before they are rounded, in the order of RunFiles.
template <typename N>
std::array<N, 4> files_of(const Job& job, std::int64_t host_per_gpu, std::int64_t gpus_per_node) {
  const N trained = input<N>("trainable", as_double(trainable_parameters(job)));
  const N weight = input<N>("weight_bytes", job.state.weight);
  const N adapter = job.full() ? N(0.0) : trained * weight;
  const N checkpoint = trained * (weight + input<N>("master_bytes", job.state.master) +
                                  input<N>("moment_bytes", job.moment_bytes()));
  // The base is published in 16 bits, whatever a run quantises it to.
  const std::int64_t tower = job.vision ? count_tower(*job.model->tower).total() : 0;
  const N base = input<N>("parameters", as_double(count_parameters(*job.model).total() + tower)) *
                 input<N>("base_bytes", job.constants->value("files.base_bytes"));
  const std::int64_t ranks = std::min(job.layout.gpus(), gpus_per_node);
  const N host_memory = input<N>("ranks_in_node", as_double(ranks)) *
                            input<N>("host_per_gpu", as_double(host_per_gpu)) +
                        base;
  const N kept = input<N>("kept", job.constants->value("files.kept_checkpoints"));
  return {adapter, checkpoint, host_memory, base + adapter + kept * checkpoint};
}

}  // namespace

MemoryBill memory_bill(const Job& job, const Stage& stage, const Pieces<double>& pieces) {
  MemoryBill bill;
  bill.stage = stage.index;
  std::int64_t peak = -1;
  Phase at = Phase::kForward;
  for (const Phase phase : kPhases) {
    const WholeTerms steady = rounded(job, phase_terms(job, pieces, phase, Timeline::kSteady));
    const WholeTerms step1 = rounded(job, phase_terms(job, pieces, phase, Timeline::kStep1));
    bill.phases.set(phase, steady.sum());
    bill.phases_step1.set(phase, step1.sum());
    if (steady.sum() <= peak) continue;
    peak = steady.sum();
    at = phase;
    bill.terms = steady;
  }
  bill.peak_phase = name_of(at);
  bill.allocated = peak;
  bill.reserved = bill.allocated + whole_bytes(slack_bytes<double>(job, pieces, bill.allocated));
  bill.overhead = whole_overhead(job);
  bill.device = bill.reserved + bill.overhead;
  bill.host = whole_bytes(host_bytes(job, stage, pieces));
  return bill;
}

MemoryBill memory_bill(const Job& job, const Stage& stage) {
  return memory_bill(job, stage, memory_pieces<double>(job, stage));
}

std::int64_t whole_overhead(const Job& job) { return whole_bytes(overhead_bytes<double>(job)); }

bool pools_by_stream(const Job& job) {
  return job.layout.fsdp_version == 2 && job.layout.shard == Shard::kZero3 &&
         job.layout.shard_ranks() > 1 && job.constants->value("allocator.fsdp2_units") > 0;
}

bool has_idle_segments(const Pieces<double>& pieces) { return pieces.idle_logits > 0; }

double least_idle_bytes(const Job& job, const Pieces<double>& pieces, double allocated) {
  return std::min(pieces.idle_logits + pieces.idle_layer,
                  returned_share(job) * (allocated - resident_bytes(pieces)));
}

bool strands_bytes(const Job& job) {
  if (job.layout.gpus() == 1) return false;
  if (pools_by_stream(job)) return true;
  return !job.fused_ops || has_experts(*job.model);
}

template <typename N>
N resident_bytes(const Pieces<N>& pieces) {
  const N gradients = pieces.gradients_persist ? pieces.gradients : N(0.0);
  return pieces.weights + pieces.adapters + pieces.master + pieces.moments + pieces.buckets +
         pieces.workspaces + gradients;
}

template <typename N>
N overhead_bytes(const Job& job) {
  const Overheads& overheads = job.overheads;
  const N gib = kGiB;
  N bytes = input<N>("context_gib", overheads.context_gib) * gib;
  // Communicator groups: one per parallel dimension in use.
  double communicators = 0;
  for (const Dimension& one : kDimensions) communicators += job.layout.*one.ranks > 1 ? 1 : 0;
  if (communicators > 0) {
    bytes = bytes + input<N>("communicators", communicators) *
                        input<N>("communicator_gib", overheads.communicator_gib) * gib;
  }
  if (overheads.all_to_all_gib > 0) {
    bytes = bytes + input<N>("all_to_all_gib", overheads.all_to_all_gib) * gib;
  }
  bytes = bytes + input<N>("library_bytes", overheads.library_bytes);
  if (overheads.other_processes_gib > 0) {
    bytes = bytes + input<N>("other_processes_gib", overheads.other_processes_gib) * gib;
  }
  if (overheads.team_bytes != 0) bytes = bytes + input<N>("team_bytes", overheads.team_bytes);
  return bytes;
}

std::int64_t fitting_bytes(double headroom, std::int64_t capacity) {
  constexpr std::int64_t kMillion = 1000000;
  const auto share = static_cast<std::int64_t>(std::llround(headroom * 1e6));
  return static_cast<std::int64_t>(static_cast<__int128>(capacity) * kMillion / (kMillion + share));
}

Verdict verdict_of(std::int64_t device, double headroom, std::int64_t capacity) {
  if (device <= fitting_bytes(headroom, capacity)) return Verdict::kFits;
  return device <= capacity ? Verdict::kTight : Verdict::kNo;
}

std::string fingerprint(const MemoryBill& bill, std::int64_t capacity) {
  const std::int64_t limit = capacity - (bill.device - bill.allocated);
  for (const auto& [timeline, words] : {std::pair{&bill.phases_step1, " of step 1"},
                                        std::pair{&bill.phases, " of step 2 and later"}}) {
    for (const Phase phase : kPhases) {
      if (timeline->in(phase) > limit) return std::string(name_of(phase)) + words;
    }
  }
  return "";
}

Term largest_term(const MemoryBill& bill) {
  const auto bytes = [&](const TermFacts& one) { return bill.terms[one.value]; };
  return std::ranges::max_element(kAllocatedTerms, {}, bytes)->value;
}

template double resident_bytes(const Pieces<double>&);
template double overhead_bytes<double>(const Job&);

std::vector<MemoryTerm> memory_terms(const Job& job, const Stage& stage, const MemoryBill& bill) {
  const Pieces<Traced> pieces = memory_pieces<Traced>(job, stage);
  const PhaseTerms<Traced> traced =
      phase_terms(job, pieces, phase_named(bill.peak_phase).value(), Timeline::kSteady);
  std::vector<MemoryTerm> terms;
  const auto add = [&](Term term, const Traced& formula) {
    terms.push_back({facts_of(term).id, facts_of(term).title, bill.of(term), formula_of(formula),
                     term_source(job, term)});
  };
  for (const TermFacts& one : kAllocatedTerms) add(one.value, traced[one.value]);
  add(Term::kSlack, slack_bytes<Traced>(job, pieces, bill.allocated));
  add(Term::kOverhead, overhead_bytes<Traced>(job));
  return terms;
}

StepPieces step_pieces_of(const Job& job, const std::vector<Stage>& stages) {
  StepPieces steps;
  for (const Stage& stage : stages) steps.push_back(step_pieces<double>(job, stage));
  return steps;
}

std::optional<StageNeeds> needs_within(const Job& job, const std::vector<Stage>& stages,
                                       const StepPieces& steps, std::int64_t most) {
  const auto room = as_double(most);
  StageNeeds needs;
  needs.reserve(stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    needs.push_back({memory_pieces<double>(job, stages[i], steps[i]), 0});
    StageNeed& need = needs.back();
    if (least_bytes(job, need.pieces) > room) return std::nullopt;
    need.allocated = allocated_bytes(job, need.pieces);
    if (least_bytes(job, need.pieces, as_double(need.allocated)) > room) {
      return std::nullopt;
    }
  }
  return needs;
}

StageNeeds needs_of(const Job& job, const std::vector<Stage>& stages, const StepPieces& steps) {
  return needs_within(job, stages, steps, std::numeric_limits<std::int64_t>::max()).value();
}

WorstStage worst_stage(const Job& job, const StageNeeds& needs) {
  WorstStage worst;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const auto& [pieces, allocated] = needs[i];
    const std::int64_t device =
        allocated + whole_bytes(slack_bytes<double>(job, pieces, allocated)) + whole_overhead(job);
    if (i == 0 || device > worst.device) worst = {i, device};
  }
  return worst;
}

MemoryBill worst_bill(const Job& job, const std::vector<Stage>& stages) {
  if (stages.size() == 1) return memory_bill(job, stages.front());
  const StageNeeds needs = needs_of(job, stages, step_pieces_of(job, stages));
  const std::size_t worst = worst_stage(job, needs).index;
  return memory_bill(job, stages[worst], needs[worst].pieces);
}

RunFiles run_files(const Job& job, std::int64_t host_per_gpu, std::int64_t gpus_per_node) {
  const auto files = files_of<double>(job, host_per_gpu, gpus_per_node);
  return {whole_bytes(files[0]), whole_bytes(files[1]), whole_bytes(files[2]),
          whole_bytes(files[3])};
}

std::vector<MemoryTerm> run_file_terms(const Job& job, std::int64_t host_per_gpu,
                                       std::int64_t gpus_per_node) {
  constexpr const char* kTitles[] = {"Adapter file", "One checkpoint", "Host memory of a node",
                                     "Disk"};
  std::vector<MemoryTerm> terms;
  for (const Traced& bytes : files_of<Traced>(job, host_per_gpu, gpus_per_node)) {
    const std::size_t i = terms.size();
    terms.push_back({RunFiles::kKeys[i].key, kTitles[i], whole_bytes(bytes.value()),
                     formula_of(bytes), "method.html#files"});
  }
  return terms;
}

}  // namespace sizesheet
