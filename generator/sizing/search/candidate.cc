// SPDX-License-Identifier: Apache-2.0
#include "sizing/search/candidate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "catalog/facts/gpu.h"
#include "catalog/published/measured.h"
#include "sizing/job/job.h"
#include "sizing/job/layout_pins.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/grpo_bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/verdict.h"
#include "sizing/memory/working_pieces.h"
#include "sizing/model/parameters.h"
#include "sizing/request/kernels_reader.h"
#include "sizing/request/layout_rules.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// A job on its card before its bill is made.
struct Weighed {
  StageNeeds needs;
  WorstStage worst;
  std::optional<GrpoBill> grpo;
  FitResult fit;
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
    on.fit.device = on.worst.device;
    if (gpu == nullptr) return;
    if (job.grpo) on.grpo = grpo_bill(job, stages, on.worst.device, on.capacity);
    if (on.grpo) on.fit.device = on.grpo->device;
    on.fit.verdict = verdict_of(on.fit.device, job.headroom, on.capacity);
  };
  weigh();
  const double rounding = job.overheads.static_share;
  const bool returns = strands_bytes(job) || has_idle_segments(on.needs[on.worst.index].pieces);
  if (on.fit.verdict == Verdict::kNo && returns) {
    // Bytes that are stranded or idle are returned to the card before it runs out.
    const StageNeed& worst = on.needs[on.worst.index];
    const std::int64_t beside = on.fit.device - on.worst.device;
    const std::int64_t left = on.capacity - beside - whole_overhead(job) - worst.allocated;
    const double room = as_double(left) - resident_bytes(worst.pieces) * rounding;
    job.overheads.room_bytes = std::max(0.0, std::floor(room) - 1);
    weigh();
  }
  if (gpu != nullptr && on.fit.verdict != Verdict::kFits && job.paged_optimizer) {
    // Moments move to the host until the rest fits, or none are left. Each byte that leaves takes
    // its share of allocator slack along; one byte more covers the rounding.
    const double over = as_double(on.fit.device) - as_double(on.capacity) / (1 + job.headroom);
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

}  // namespace

IntervalFacts memory_facts(const Job& job) {
  IntervalFacts facts;
  facts.stack = job.stack != nullptr ? job.stack->id : "";
  facts.kind = id_of(job.kind);
  facts.spread = job.layout.interval_spread();
  facts.packed = job.packed;
  facts.routed = has_experts(*job.model);
  facts.gpu = job.gpu != nullptr ? job.gpu->id : "";
  facts.optimizer = job.optimizer.id;
  return facts;
}

MemoryRange Candidate::range() const {
  if (job.intervals == nullptr) return {};
  const IntervalRange found = job.intervals->of(memory_facts(job));
  const double of_trainer = as_double(bill.device);
  const std::int64_t beside = device() - bill.device;
  return {std::llround(of_trainer * found.low) + beside,
          std::llround(of_trainer * found.high) + beside, found.first, found.grade,
          found.team_runs};
}

bool better(const FitResult& a, const FitResult& b) {
  if (a.verdict != b.verdict) return a.verdict < b.verdict;
  return !holds(a.verdict) && a.device < b.device;
}

std::optional<FitResult> fit_within(Job& job, const Gpu* gpu, const std::vector<Stage>& stages,
                                    const StepPieces& steps, std::int64_t most) {
  auto needs = needs_within(job, stages, steps, most);
  if (!needs) return std::nullopt;
  return weighed(job, gpu, stages, steps, std::move(*needs)).fit;
}

Candidate evaluate(Job job, const Gpu* gpu, Stages stages, const StepPieces& steps) {
  const Weighed on = weighed(job, gpu, *stages, steps, needs_of(job, *stages, steps));
  MemoryBill bill = memory_bill(job, (*stages)[on.worst.index], on.needs[on.worst.index].pieces);
  bill.capacity = on.capacity;
  Candidate found{std::move(job), std::move(stages), std::move(bill), on.fit.verdict, on.grpo};
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
  if (question.varies_micro_batch) request["workload"]["micro_batch"] = chosen.job.micro_batch;
  request.erase("vary");
  if (!question.alternatives.empty()) {
    // What the search chose beyond the stack's first defaults: the change is one to this job.
    Json& kernels = request["kernels"];
    if (!chosen.job.training) kernels["loss"] = chosen.job.loss;
    kernels["recompute"] = recompute_json(chosen.job);
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
