// SPDX-License-Identifier: Apache-2.0
#include "sizing/layout_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "sizing/layout_rules.h"

namespace sizesheet {
namespace {

constexpr std::size_t kSpreads = 3;

void judge(Candidate& candidate, std::int64_t capacity) {
  candidate.bill.capacity = capacity;
  if (candidate.job.grpo) {
    candidate.grpo = grpo_bill(candidate.job, *candidate.stages, candidate.bill, capacity);
  }
  MemoryBill card;
  card.device = candidate.device();
  candidate.verdict = verdict_of(card, candidate.job.headroom, capacity);
}

Pieces<double> worst_pieces(const Candidate& candidate, const StepPieces& steps) {
  const auto at = static_cast<std::size_t>(candidate.bill.stage);
  return memory_pieces(candidate.job, candidate.worst_stage(), steps[at]);
}

/// Moves moments to the host until the rest fits, or none are left. Each byte that leaves takes its
/// share of allocator slack along; one byte more covers the rounding.
void page_out(Candidate& candidate, const StepPieces& steps, std::int64_t capacity) {
  const double room = static_cast<double>(capacity) / (1 + candidate.job.headroom);
  const double over = static_cast<double>(candidate.device()) - room;
  const double wanted = std::ceil((over + 1) / (1 + candidate.job.overheads.static_share));
  const double moments = worst_pieces(candidate, steps).moments;
  candidate.job.paged_bytes = std::min(std::floor(moments), std::max(0.0, wanted));
  candidate.bill = worst_bill(candidate.job, *candidate.stages, steps);
  judge(candidate, capacity);
}

/// Bytes stranded by the exchange between ranks are returned to the card before it runs out.
void reclaim(Candidate& candidate, const StepPieces& steps, std::int64_t capacity) {
  Job& job = candidate.job;
  if (!strands_bytes(job)) return;
  const MemoryBill& bill = candidate.bill;
  const double stays = resident_bytes(worst_pieces(candidate, steps)) * job.overheads.static_share;
  const std::int64_t beside = candidate.device() - bill.device;
  const double room =
      static_cast<double>(capacity - beside - bill.overhead - bill.allocated) - stays;
  job.overheads.room_bytes = std::max(0.0, std::floor(room) - 1);
  candidate.bill = worst_bill(job, *candidate.stages, steps);
  judge(candidate, capacity);
}

std::vector<Shard> shards_for(const Question& question, const Layout& layout) {
  if (question.pins().shard) return {*question.pins().shard};
  if (question.jobs.at(Spread::kSingle).job.layout.offload_params) return {Shard::kZero3};
  if (layout.replicas() == 1 || question.layout_given()) return {Shard::kNone};
  if (question.stack != nullptr && question.stack->refused.contains("sharding")) {
    return {Shard::kNone};
  }
  return {Shard::kNone, Shard::kZero1, Shard::kZero2, Shard::kZero3};
}

std::vector<std::int64_t> axis(const Question& question, const char* key,
                               const std::optional<std::int64_t>& pin, std::int64_t most) {
  if (!pin) return degrees(question, key, most);
  return dimension_fault(question, key, *pin).empty() ? std::vector{*pin}
                                                      : std::vector<std::int64_t>{};
}

/// A ring is hidden behind attention only over long slices, so short sequences are not cut.
std::vector<std::int64_t> context_axis(const Question& question, std::int64_t most) {
  const LayoutPins& pins = question.pins();
  std::vector<std::int64_t> degrees = axis(question, "cp", pins.cp, most);
  if (pins.cp) return degrees;
  const Job& job = question.jobs.at(Spread::kSingle).job;
  const double least = job.constants->value("search.context_parallel_tokens");
  std::erase_if(degrees, [&](std::int64_t cp) {
    return cp > 1 && static_cast<double>(job.seq_len) < least * static_cast<double>(cp);
  });
  return degrees;
}

std::int64_t power_of_two_above(std::int64_t count) {
  std::int64_t power = 1;
  while (power < count) power *= 2;
  return power;
}

auto order_of(const Layout& layout) {
  return std::tuple{layout.tp * layout.pp * layout.cp * layout.ep, layout.tp, layout.pp, layout.cp,
                    layout.ep};
}

/// Every combination of the dimensions that each of them allows, least splitting first.
std::vector<Layout> splits_of(const Question& question, std::int64_t most) {
  const LayoutPins& pins = question.pins();
  const std::int64_t limit = power_of_two_above(most);
  const auto pipeline = axis(question, "pp", pins.pp, limit);
  const auto context = context_axis(question, limit);
  const auto expert = axis(question, "ep", pins.ep, limit);
  Layout layout = question.jobs.at(Spread::kSingle).job.layout;
  std::vector<Layout> splits;
  for (const std::int64_t tp : axis(question, "tp", pins.tp, limit)) {
    for (const std::int64_t pp : pipeline) {
      for (const std::int64_t cp : context) {
        for (const std::int64_t ep : expert) {
          layout.tp = tp;
          layout.pp = pp;
          layout.cp = cp;
          layout.ep = ep;
          if (tp * pp * cp <= most) splits.push_back(layout);
        }
      }
    }
  }
  std::sort(splits.begin(), splits.end(),
            [](const Layout& a, const Layout& b) { return order_of(a) < order_of(b); });
  return splits;
}

/// The candidate with its verdict, once the card has given back what it can.
Candidate judged(Candidate candidate, const StepPieces& steps, const Gpu* gpu) {
  if (gpu == nullptr) return candidate;
  const std::int64_t capacity = gpu->capacity_bytes().value_or(0);
  judge(candidate, capacity);
  if (candidate.verdict == "no") reclaim(candidate, steps, capacity);
  if (candidate.job.paged_optimizer && candidate.verdict != "fits")
    page_out(candidate, steps, capacity);
  return candidate;
}

}  // namespace

int rank_of(const std::string& verdict) {
  return verdict == "fits" ? 0 : verdict == "tight" ? 1 : 2;
}

bool better(const Candidate& a, const Candidate& b) {
  if (rank_of(a.verdict) != rank_of(b.verdict)) return rank_of(a.verdict) < rank_of(b.verdict);
  return rank_of(a.verdict) == 2 && a.device() < b.device();
}

bool refuses_several(const Question& question) {
  return question.stack != nullptr &&
         question.stack->refused.contains(question.kind + "+multi-gpu");
}

Candidate evaluate(Job job, const Gpu* gpu, Stages stages) {
  const StepPieces steps = step_pieces_of(job, *stages);
  MemoryBill bill = worst_bill(job, *stages, steps);
  return judged({std::move(job), std::move(stages), std::move(bill), "", std::nullopt}, steps, gpu);
}

Candidate evaluate(const Job& job, const Gpu* gpu) {
  return evaluate(job, gpu, std::make_shared<const std::vector<Stage>>(stages_of(job)));
}

LayoutSearch::LayoutSearch(const Question& question, std::int64_t most, Pruning pruning)
    : question_(question), pruning_(pruning) {
  if (!question.layout_given()) {
    splits_ = splits_of(question, most);
  } else if (const Layout given = question.given_layout(); !layout_fault(question, given)) {
    splits_ = {given};
  }
  known_.resize((question.alternatives.size() + 1) * kSpreads * splits_.size());
}

Stages LayoutSearch::stages(const Job& job) {
  Stages& found = stages_[{job.layout.tp, job.layout.pp}];
  if (!found) found = std::make_shared<const std::vector<Stage>>(stages_of(job));
  return found;
}

LayoutSearch::Known& LayoutSearch::known(const Layout& layout, std::size_t alternative,
                                         std::size_t split) {
  const auto spread = static_cast<std::size_t>(spread_of(layout));
  auto& found = known_[(alternative * kSpreads + spread) * splits_.size() + split];
  if (!found) {
    Job job = job_with_layout(question_, layout, alternative);
    Stages of_job = stages(job);
    StepPieces steps = step_pieces_of(job, *of_job);
    const double least = least_of_step(job, steps);
    found = Known{std::move(job), std::move(of_job), std::move(steps), least};
  }
  return *found;
}

// What GRPO puts beside the trainer is not part of the bill that is looked at.
std::int64_t LayoutSearch::bound(std::int64_t most) const {
  const bool tells = pruning_ == Pruning::kOn && question_.gpu != nullptr &&
                     !question_.jobs.at(Spread::kSingle).job.grpo;
  return tells ? most : std::numeric_limits<std::int64_t>::max();
}

std::optional<Candidate> LayoutSearch::evaluated(const Layout& layout, std::size_t alternative,
                                                 std::size_t split, std::int64_t most) {
  Known& common = known(layout, alternative, split);
  if (common.least > static_cast<double>(most)) return std::nullopt;
  common.job.layout = whole_layout(question_, layout, alternative);
  auto bill = worst_bill_within(common.job, *common.stages, common.steps, most);
  if (!bill) return std::nullopt;
  return judged({common.job, common.stages, std::move(*bill), "", std::nullopt}, common.steps,
                question_.gpu);
}

template <typename Visit>
void LayoutSearch::for_each_layout(std::int64_t gpus, const Visit& visit) {
  if (gpus > 1 && refuses_several(question_)) return;
  const LayoutPins& pins = question_.pins();
  for (std::size_t alternative = 0; alternative <= question_.alternatives.size(); ++alternative) {
    for (std::size_t split = 0; split < splits_.size(); ++split) {
      Layout layout = splits_[split];
      const std::int64_t model = layout.tp * layout.pp * layout.cp;
      if (gpus % model != 0) continue;
      layout.dp = gpus / model;
      if ((pins.dp && *pins.dp != layout.dp) || !mesh_holds(question_, layout)) continue;
      for (const Shard shard : shards_for(question_, layout)) {
        layout.shard = shard;
        if (visit(layout, alternative, split)) return;
      }
    }
  }
}

std::optional<Candidate> LayoutSearch::best(std::int64_t gpus) {
  std::optional<Candidate> best;
  for_each_layout(gpus, [&](const Layout& layout, std::size_t alternative, std::size_t split) {
    // One that does not hold is only beaten by fewer bytes, and one that does only within the card.
    const std::int64_t most = !best                   ? std::numeric_limits<std::int64_t>::max()
                              : best->verdict == "no" ? best->device()
                                                      : best->bill.capacity;
    auto candidate = evaluated(layout, alternative, split, bound(most));
    if (!candidate) return false;
    const bool fits = candidate->verdict == "fits";
    if (!best || better(*candidate, *best)) best = std::move(candidate);
    return fits;
  });
  return best;
}

bool LayoutSearch::holds(std::int64_t gpus) {
  const std::int64_t most = bound(question_.gpu->capacity_bytes().value_or(0));
  bool found = false;
  for_each_layout(gpus, [&](const Layout& layout, std::size_t alternative, std::size_t split) {
    const auto candidate = evaluated(layout, alternative, split, most);
    found = candidate && candidate->verdict != "no";
    return found;
  });
  return found;
}

}  // namespace sizesheet
