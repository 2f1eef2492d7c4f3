// SPDX-License-Identifier: Apache-2.0
// A job against its card, the same with one thing changed, and the least that it can take.

#include <algorithm>
#include <cmath>
#include <limits>

#include "catalog/method.h"
#include "sizing/search/search.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A job on its card before its bill is made.
struct Weighed {
  StageNeeds needs;
  WorstStage worst;
  std::optional<GrpoBill> grpo;
  Standing standing;
  std::int64_t capacity = 0;
};

/// What the card gives back and what a paged optimizer sends away are settings of the job, which
/// this changes. Without a GPU nothing is judged.
Weighed weighed(Job& job, const Gpu* gpu, const std::vector<Stage>& stages, const StepPieces& steps,
                StageNeeds needs) {
  Weighed on{std::move(needs), {}, {}, {}, 0};
  if (gpu != nullptr) on.capacity = gpu->capacity_bytes().value_or(0);
  const auto weigh = [&] {
    on.worst = worst_stage(job, on.needs);
    on.standing.device = on.worst.device;
    if (gpu == nullptr) return;
    if (job.grpo) on.grpo = grpo_bill(job, stages, on.worst.device, on.capacity);
    if (on.grpo) on.standing.device = on.grpo->device;
    on.standing.verdict = verdict_of(on.standing.device, job.headroom, on.capacity);
  };
  weigh();
  const double rounding = job.overheads.static_share;
  if (on.standing.verdict == Verdict::kNo && strands_bytes(job)) {
    // Bytes stranded by the exchange between ranks are returned to the card before it runs out.
    const StageNeed& worst = on.needs[on.worst.index];
    const std::int64_t beside = on.standing.device - on.worst.device;
    const std::int64_t left = on.capacity - beside - whole_overhead(job) - worst.allocated;
    const double room = as_double(left) - resident_bytes(worst.pieces) * rounding;
    job.overheads.room_bytes = std::max(0.0, std::floor(room) - 1);
    weigh();
  }
  if (gpu != nullptr && on.standing.verdict != Verdict::kFits && job.paged_optimizer) {
    // Moments move to the host until the rest fits, or none are left. Each byte that leaves takes
    // its share of allocator slack along; one byte more covers the rounding.
    const double over = as_double(on.standing.device) - as_double(on.capacity) / (1 + job.headroom);
    const double wanted = std::ceil((over + 1) / (1 + rounding));
    const double moments = on.needs[on.worst.index].pieces.moments;
    job.paged_bytes = std::min(std::floor(moments), std::max(0.0, wanted));
    on.needs = needs_of(job, stages, steps);
    weigh();
  }
  return on;
}

/// The layout as it was, but for what the variation itself says of it.
Layout layout_of(const Layout& chosen, const Variation& variation, const LayoutPins& pins) {
  Layout layout = chosen;
  for (const auto& [key, value] : variation.keys) {
    for (const Dimension& one : kDimensions) {
      if (key == std::string("layout.") + one.key) {
        layout.*one.ranks = (pins.*one.pin).value_or(layout.*one.ranks);
      }
    }
    if (key == "layout.shard") layout.shard = pins.shard.value_or(layout.shard);
  }
  return layout;
}

/// Below what the bytes come to however they are added up and rounded.
double surely(double bytes) { return bytes * (1 - 1e-12) - 16; }

/// Kept activations with what the loss or the backward pass of a block puts beside them.
double step_bytes(const Pieces<double>& pieces) {
  const double block = pieces.block + pieces.temporaries + pieces.loss_left + pieces.dequantised;
  return pieces.kept + pieces.autocast_cache +
         std::max({pieces.loss_forward, pieces.loss_backward, block});
}

/// Of a phase's bytes, those that ZeRO divides.
double divided_bytes(const Job& job, const Pieces<double>& pieces, Phase phase,
                     const PhaseTerms<double>& terms) {
  const int stage = job.layout.stage();
  double bytes = 0;
  if (stage >= 1 && phase == Phase::kOptimizerStep) bytes += pieces.step_transient;
  for (const TermFacts& one : kAllocatedTerms) {
    const bool paged = one.value == Term::kOptimizer && job.paged_optimizer;
    if (stage >= one.shared_from && !paged) bytes += terms[one.value];
  }
  return bytes;
}

double growth_of_stage(const Job& job, const Pieces<double>& pieces, double most) {
  // A byte that leaves takes its share of slack along.
  const double with_slack = 1 + std::max(job.overheads.dynamic_share, job.overheads.static_share);
  double growth = 1;
  for (const Phase phase : kPhases) {
    const PhaseTerms<double> terms = phase_terms(job, pieces, phase, Timeline::kSteady);
    const double over = least_bytes(job, pieces, terms.sum()) - most;
    const double divided = divided_bytes(job, pieces, phase, terms) * with_slack;
    if (over <= 0) continue;
    // s bytes that dp divides become s / g when it grows by g. They must lose `over` of them.
    growth = std::max(growth, over < divided ? divided / (divided - over)
                                             : std::numeric_limits<double>::infinity());
  }
  return growth;
}

}  // namespace

IntervalFacts memory_facts(const Job& job) {
  return {job.stack != nullptr ? job.stack->id : "", std::string(id_of(job.kind)),
          job.layout.interval_spread(), job.packed, has_experts(*job.model)};
}

MemoryRange Candidate::range() const {
  if (job.intervals == nullptr) return {};
  const IntervalRange found = job.intervals->of(memory_facts(job));
  const double of_trainer = as_double(bill.device);
  const std::int64_t beside = device() - bill.device;
  return {std::llround(of_trainer * found.low) + beside,
          std::llround(of_trainer * found.high) + beside, found.first, found.grade};
}

bool better(const Standing& a, const Standing& b) {
  if (a.verdict != b.verdict) return a.verdict < b.verdict;
  return !holds(a.verdict) && a.device < b.device;
}

std::optional<Standing> standing_within(Job& job, const Gpu* gpu, const std::vector<Stage>& stages,
                                        const StepPieces& steps, std::int64_t most) {
  auto needs = needs_within(job, stages, steps, most);
  if (!needs) return std::nullopt;
  return weighed(job, gpu, stages, steps, std::move(*needs)).standing;
}

Candidate evaluate(Job job, const Gpu* gpu, Stages stages, const StepPieces& steps) {
  const Weighed on = weighed(job, gpu, *stages, steps, needs_of(job, *stages, steps));
  MemoryBill bill = memory_bill(job, (*stages)[on.worst.index], on.needs[on.worst.index].pieces);
  bill.capacity = on.capacity;
  Candidate found{std::move(job), std::move(stages), std::move(bill), on.standing.verdict, on.grpo};
  found.bill.device_high = found.range().high;
  found.bill.certain = is_certain(found.bill.device_high, on.capacity);
  return found;
}

Candidate evaluate(Job job, const Gpu* gpu, Stages stages) {
  const StepPieces steps = step_pieces_of(job, *stages);
  return evaluate(std::move(job), gpu, std::move(stages), steps);
}

Candidate evaluate(const Job& job, const Gpu* gpu) {
  return evaluate(job, gpu, std::make_shared<const std::vector<Stage>>(stages_of(job)));
}

Json varied_request(const Question& question, const Candidate& chosen, const Variation& variation) {
  Json request = question.request;
  if (!question.alternatives.empty()) {
    // What the search chose beyond the stack's first practice: the change is one to this job.
    Json& kernels = request["kernels"];
    if (!chosen.job.training) kernels["loss"] = chosen.job.loss;
    kernels["recompute"] = recompute_json(chosen.job);
    request.erase("vary");
  }
  for (const auto& [key, value] : variation.keys) set_dotted(request, key, value);
  return request;
}

std::optional<Candidate> varied(const Question& question, const Candidate& chosen,
                                const Variation& variation) {
  Faults faults;
  const Question changed = read_again(question, varied_request(question, chosen, variation),
                                      *chosen.job.constants, faults);
  if (!faults.empty()) return std::nullopt;
  const Layout layout = layout_of(chosen.job.layout, variation, changed.pins());
  if (layout.gpus() > 1 && refuses_several(changed)) return std::nullopt;
  if (layout_fault(changed, layout)) return std::nullopt;
  return evaluate(job_with_layout(changed, layout), question.gpu);
}

double least_bytes(const Job& job, const Pieces<double>& pieces, double allocated) {
  const Overheads& overheads = job.overheads;
  const double paged = job.paged_optimizer ? pieces.master + pieces.moments : 0;
  const double stays = resident_bytes(pieces) - paged;
  double fragments = overheads.dynamic_share * (allocated - paged - stays);
  if (strands_bytes(job)) fragments = std::min(fragments, overheads.multi_rank_cap_gib * kGiB);
  return surely(allocated - paged + fragments + overheads.static_share * stays +
                overhead_bytes<double>(job));
}

double least_bytes(const Job& job, const Pieces<double>& pieces) {
  const double carried = pieces.gradients_persist ? pieces.gradients : 0;
  const double allocated = pieces.weights + pieces.adapters + pieces.buckets + pieces.master +
                           pieces.moments +
                           std::max(step_bytes(pieces) + carried, pieces.gradients_final);
  return least_bytes(job, pieces, allocated);
}

// The first stage is one of them.
double least_bytes_of_states(const Job& job, const std::vector<Stage>& stages) {
  return least_bytes(job, memory_pieces(job, stages.front(), Pieces<double>()));
}

double least_bytes_of_step(const Job& job, const StepPieces& steps) {
  double most = 0;
  for (const Pieces<double>& step : steps) most = std::max(most, step_bytes(step));
  return surely(most + overhead_bytes<double>(job));
}

// The first stage keeps the most activations and the last one has the loss: a bound need not look
// at those between.
std::optional<double> least_growth(const Job& job, const std::vector<Stage>& stages,
                                   const StepPieces& steps, double most) {
  double growth = growth_of_stage(job, memory_pieces(job, stages.front(), steps.front()), most);
  if (stages.size() > 1) {
    growth = std::max(growth,
                      growth_of_stage(job, memory_pieces(job, stages.back(), steps.back()), most));
  }
  if (growth == std::numeric_limits<double>::infinity()) return std::nullopt;
  return growth;
}

std::string device_mesh(const Job& job) {
  const Layout& layout = job.layout;
  std::string text;
  std::vector<std::pair<const char*, std::int64_t>> dimensions = {{"pp", layout.pp}};
  // A group that shares one copy takes the context-parallel ranks with it.
  if (layout.shard != Shard::kNone && layout.dp > 1 && layout.shard_ranks() % layout.cp == 0) {
    const std::int64_t sharded = layout.shard_ranks() / layout.cp;
    dimensions.emplace_back("dp_replicate", layout.dp / sharded);
    dimensions.emplace_back("dp_shard", sharded);
  } else {
    dimensions.emplace_back("dp", layout.dp);
  }
  dimensions.emplace_back("cp", layout.cp);
  dimensions.emplace_back("tp", layout.tp);
  for (const auto& [key, ranks] : dimensions) {
    if (!text.empty()) text += " x ";
    text += key + (" " + std::to_string(ranks));
  }
  if (has_experts(*job.model) && layout.expert_split() * layout.tp > 1) {
    const std::int64_t replicas = layout.replicas() * layout.tp / layout.expert_split();
    text += "; experts: edp " + std::to_string(replicas) + " x ep " + std::to_string(layout.ep) +
            " x etp " + std::to_string(layout.etp);
  }
  return text;
}

}  // namespace sizesheet
