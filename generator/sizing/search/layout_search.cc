// SPDX-License-Identifier: Apache-2.0
#include "sizing/search/layout_search.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include "catalog/published/measured.h"
#include "sizing/job/job.h"
#include "sizing/job/layout_pins.h"
#include "sizing/job/layout_shape.h"
#include "sizing/job/micro_batch.h"
#include "sizing/memory/bounds.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/verdict.h"
#include "sizing/memory/working_pieces.h"
#include "sizing/request/layout_rules.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "sizing/time/clocks.h"
#include "sizing/time/rollout.h"
#include "sizing/time/throughput.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

auto order_of(const ParallelRanks& split) {
  return std::tuple{split.tp * split.pp * split.cp * split.ep, split.tp, split.pp, split.cp,
                    split.ep};
}

/// Every combination of the dimensions that each of them allows, least splitting first.
std::vector<ParallelRanks> splits_of(const Question& question, std::int64_t most) {
  const auto limit = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(most)));
  std::vector<ParallelRanks> splits{{}};
  for (const Dimension& one : kSplits) {
    std::vector<ParallelRanks> finer;
    for (const std::int64_t ranks : degrees(question, one, limit)) {
      for (ParallelRanks split : splits) {
        split.*one.ranks = ranks;
        if (split.ranks() <= most) finer.push_back(split);
      }
    }
    splits = std::move(finer);
  }
  std::ranges::sort(splits, {}, order_of);
  return splits;
}

/// A split of the model on the next count where it may hold.
struct Prospect {
  std::int64_t gpus = 0;
  std::size_t alternative = 0;
  std::size_t split = 0;
  std::optional<Shard> shard;  ///< absent: every way of sharding is still to be tried

  bool operator<(const Prospect& other) const { return gpus > other.gpus; }  // the least on top
};

/// Micro-batches that stages of a pipeline can hold at once, at the most.
std::int64_t in_flight(const Job& job) { return std::min(job.grad_accum, job.layout.pp); }

/// DeepSpeed's pipeline keeps whole gradients and whole weights.
bool stops_at_zero1(const Question& question, const Layout& layout) {
  return layout.pp > 1 && question.single().state.pipeline_zero1;
}

}  // namespace

LayoutSearch::LayoutSearch(const Question& question, std::int64_t most, Pruning pruning)
    : question_(question),
      pruning_(pruning),
      capacity_(question.gpu->capacity_bytes().value_or(0)) {
  if (!question.layout_given()) {
    splits_ = splits_of(question, most);
  } else if (const Layout given = question.given_layout(); !layout_fault(question, given)) {
    splits_ = {{1, given.tp, given.pp, given.cp, given.ep}};
  }
  const Job& job = question.single();
  if (question.varies_micro_batch && job.global_batch && *job.global_batch > job.micro_batch) {
    const auto most_doubled = static_cast<std::uint64_t>(*job.global_batch / job.micro_batch);
    levels_ = static_cast<std::size_t>(std::bit_width(most_doubled));
  }
  spreadings_.resize((question.alternatives.size() + 1) * kSpreads.size() * levels_);
  known_.resize(spreadings_.size() * splits_.size());
}

Stages LayoutSearch::stages(const Job& job) {
  Stages& found = stages_[{job.layout.tp, job.layout.pp, in_flight(job)}];
  if (!found) found = std::make_shared<const std::vector<Stage>>(stages_of(job));
  return found;
}

std::size_t LayoutSearch::spreading_of(const Place& place) const {
  const std::size_t spread =
      place.alternative * kSpreads.size() + static_cast<std::size_t>(spread_of(place.layout));
  return spread * levels_ + place.doublings;
}

Job& LayoutSearch::job_at(const Place& place) {
  auto& found = spreadings_[spreading_of(place)];
  if (!found) {
    const Job& read = read_job_of(question_, place.layout, place.alternative);
    found = std::make_unique<Spreading>(Spreading{&read, read});
    if (place.doublings > 0) set_micro_batch(read.micro_batch << place.doublings, found->job);
  }
  const Job& read = *found->read;
  Job& job = found->job;
  job.layout = read.layout;
  spread_over(place.layout, job.layout);
  job.grad_accum = read.grad_accum;
  job.accumulate();
  job.paged_bytes = read.paged_bytes;
  job.overheads.room_bytes = read.overheads.room_bytes;
  return job;
}

LayoutSearch::Known& LayoutSearch::known(const Place& place, const Job& job) {
  Known& found = known_[spreading_of(place) * splits_.size() + place.split][in_flight(job)];
  if (!found.stages) found.stages = stages(job);
  return found;
}

LayoutSearch::Known& LayoutSearch::with_steps(Known& common, const Job& job) const {
  if (common.steps.empty()) {
    common.steps = step_pieces_of(job, *common.stages);
    common.least = least_bytes_of_step(job, common.steps);
  }
  return common;
}

// What GRPO puts beside the trainer is not part of the bill that is looked at.
std::int64_t LayoutSearch::bound(std::int64_t most) const {
  const bool tells = pruning_ == Pruning::kOn && !question_.single().grpo.has_value();
  return tells ? most : kAny;
}

// One that does not hold is only beaten by fewer bytes, and one that does only within the card.
std::int64_t LayoutSearch::most_beside(const FitResult& fit) const {
  return bound(fit.verdict == Verdict::kNo ? fit.device : capacity_);
}

std::optional<FitResult> LayoutSearch::fit_of(const Place& place, std::int64_t most) {
  Job& job = job_at(place);
  Known& common = known(place, job);
  const auto room = as_double(most);
  if (common.steps.empty() && least_bytes_of_states(job, *common.stages) > room) {
    return std::nullopt;
  }
  if (with_steps(common, job).least > room) return std::nullopt;
  return fit_within(job, question_.gpu, *common.stages, common.steps, most);
}

std::vector<Shard> LayoutSearch::shards(const Layout& layout) const {
  if (question_.pins().shard) return {*question_.pins().shard};
  if (question_.single().layout.offload_params) return {Shard::kZero3};
  if (layout.replicas() == 1 || question_.layout_given()) return {Shard::kNone};
  if (question_.stack != nullptr && question_.stack->refused.contains("sharding")) {
    return {Shard::kNone};
  }
  if (stops_at_zero1(question_, layout)) return {Shard::kNone, Shard::kZero1};
  return {Shard::kNone, Shard::kZero1, Shard::kZero2, Shard::kZero3};
}

bool LayoutSearch::allows(const Layout& layout) const {
  const std::optional<std::int64_t>& dp = question_.pins().dp;
  if (stops_at_zero1(question_, layout)) {
    const bool parameters = question_.single().layout.offload_params;
    if (parameters || question_.pins().shard.value_or(Shard::kNone) > Shard::kZero1) return false;
  }
  return (!dp || *dp == layout.dp) && mesh_holds(question_, layout);
}

bool LayoutSearch::stays_within(const Place& place, std::int64_t room) {
  const auto found = fit_of(place, bound(room));
  return found && found->device <= room;
}

// With a global batch the accumulation ends as ranks are added, and what a rank holds may fall or
// rise by that: the bound is the lower of both ends.
std::optional<double> LayoutSearch::growth(const Place& place, std::int64_t room) {
  Job& job = job_at(place);
  const auto accumulated = growth_of(job, place, room);
  if (!job.global_batch || job.grad_accum == 1 || accumulated == 1.0) return accumulated;
  job.grad_accum = 1;
  const auto at_once = growth_of(job, place, room);
  if (!accumulated || !at_once) return accumulated ? accumulated : at_once;
  return std::min(*accumulated, *at_once);
}

std::optional<double> LayoutSearch::growth_of(const Job& job, const Place& place,
                                              std::int64_t room) {
  const auto most = as_double(bound(room));
  Known& common = known(place, job);
  if (common.steps.empty()) {
    const StepPieces none(common.stages->size());
    const auto of_states = least_growth(job, *common.stages, none, most);
    if (of_states != 1.0) return of_states;
  }
  if (with_steps(common, job).least > most) return std::nullopt;
  return least_growth(job, *common.stages, common.steps, most);
}

Place LayoutSearch::place(std::size_t alternative, std::size_t split, std::int64_t dp) const {
  Place place{question_.single().layout, alternative, split, 0};
  for (const Dimension& one : kSplits) place.layout.*one.ranks = splits_[split].*one.ranks;
  place.layout.dp = dp;
  place.layout.shard = Shard::kNone;
  return place;
}

template <typename Visit>
void LayoutSearch::for_each_layout(std::int64_t gpus, const Visit& visit) {
  if (gpus > 1 && refuses_several(question_)) return;
  for (std::size_t alternative = 0; alternative <= question_.alternatives.size(); ++alternative) {
    for (std::size_t split = 0; split < splits_.size(); ++split) {
      const std::int64_t ranks = splits_[split].ranks();
      if (gpus % ranks != 0) continue;
      Place at = place(alternative, split, gpus / ranks);
      if (!allows(at.layout)) continue;
      for (const Shard shard : shards(at.layout)) {
        at.layout.shard = shard;
        if (visit(at)) return;
      }
    }
  }
}

std::int64_t LayoutSearch::most_of_best(std::int64_t gpus) {
  if (!last_best_) return kAny;
  Place again = *last_best_;
  const std::int64_t ranks = splits_[again.split].ranks();
  again.layout.dp = gpus / ranks;
  if (gpus % ranks != 0 || !allows(again.layout)) return kAny;
  const std::vector<Shard> ways = shards(again.layout);
  if (!contains(ways, again.layout.shard)) return kAny;
  return most_beside(fit_of(again, kAny).value());
}

std::optional<Candidate> LayoutSearch::best(std::int64_t gpus) {
  std::optional<FitResult> best;
  std::int64_t most = most_of_best(gpus);
  for_each_layout(gpus, [&](const Place& place) {
    const auto found = fit_of(place, most);
    if (!found || (best && !better(*found, *best))) return false;
    best = found;
    last_best_ = place;
    most = std::min(most, most_beside(*best));
    return best->verdict == Verdict::kFits;
  });
  if (!best) return std::nullopt;
  const Job& job = job_at(*last_best_);
  const Known& common = known(*last_best_, job);
  return evaluate(job, question_.gpu, common.stages, common.steps);
}

bool LayoutSearch::holds_shared(std::int64_t gpus) {
  bool found = false;
  for_each_layout(gpus, [&](const Place& place) {
    if (place.layout.shard != shards(place.layout).back()) return false;
    const auto shared = fit_of(place, bound(capacity_));
    return found = shared && holds(shared->verdict);
  });
  return found;
}

std::optional<double> LayoutSearch::weighted_rate(const Place& place, const Job& job) {
  const auto speed = speed_of(place, job);
  if (!speed) return std::nullopt;
  Known& common = known(place, job);
  if (!common.risk) {
    const Intervals* ranges = question_.speed_intervals;
    const bool weighs = ranges != nullptr && question_.objective != Objective::kTime;
    const double low = weighs ? ranges->of(speed_facts(job, *question_.gpu)).low : 1;
    common.risk = 1 + question_.risk_weight * (1 / low - 1);
  }
  return speed->tokens_per_second_per_gpu / *common.risk;
}

std::vector<std::size_t> LayoutSearch::doublings_of(const Place& place) {
  std::vector<std::size_t> all{0};
  if (levels_ == 1) return all;
  const std::int64_t batch = job_at(place).batch();
  const std::int64_t global = *job_at(place).global_batch;
  for (Place larger = place; ++larger.doublings < levels_;) {
    const Job& job = job_at(larger);
    if (job.micro_batch * job.layout.dp > global) break;
    if (job.batch() == batch) all.push_back(larger.doublings);
  }
  return all;
}

bool LayoutSearch::lead(const Place& place, Leader& leader) {
  const auto faster = [&](const Job& job) {
    const auto rate = weighted_rate(place, job);
    return rate && *rate > leader.rate ? rate : std::nullopt;
  };
  const auto found = fit_of(place, bound(fitting_bytes(question_.single().headroom, capacity_)));
  if (!found || found->verdict != Verdict::kFits) return false;
  // What a full card sends to the host slows the job down.
  if (const auto rate = faster(spreadings_[spreading_of(place)]->job)) {
    leader = {place, *rate};
  }
  return true;
}

// A larger micro-batch of the same layout takes more bytes and, without a pipeline to fill, less
// time a token. Where it leaves nothing to accumulate, no sum of gradients is kept: it may take
// fewer bytes than a smaller one.
void LayoutSearch::lead_largest(Place place, std::span<const std::size_t> doublings,
                                Leader& leader) {
  place.doublings = doublings.back();
  if (lead(place, leader)) return;
  const auto others = doublings.first(doublings.size() - 1);
  std::partition_point(others.begin(), others.end(), [&](std::size_t more) {
    place.doublings = more;
    return lead(place, leader);
  });
}

std::optional<Timed> LayoutSearch::fastest(std::int64_t gpus) {
  Leader leader;
  for_each_layout(gpus, [&](Place place) {
    const std::vector<std::size_t> doublings = doublings_of(place);
    const Job& job = job_at(place);
    const bool larger_is_faster = job.layout.pp == 1 && !job.paged_optimizer && !job.samples;
    if (pruning_ == Pruning::kExhaustive) {
      for (const std::size_t more : doublings) {
        place.doublings = more;
        lead(place, leader);
      }
      return false;
    }
    // What a full card sends to the host only slows the job down.
    const auto may_lead = [&](std::size_t more) {
      place.doublings = more;
      const auto rate = weighted_rate(place, job_at(place));
      return rate && *rate > leader.rate;
    };
    if (larger_is_faster) {
      if (may_lead(doublings.back())) lead_largest(place, doublings, leader);
      return false;
    }
    for (const std::size_t more : doublings) {
      if (may_lead(more)) lead(place, leader);
    }
    return false;
  });
  if (!leader.place) return std::nullopt;
  return timed(*leader.place);
}

std::optional<Throughput> LayoutSearch::speed_of(const Place& place, const Job& job,
                                                 const Intervals* intervals) {
  if (job.grpo) {
    // What is generated does not depend on how the trainer's GPUs share the model.
    const std::int64_t gpus = job.layout.gpus();
    if (!generations_.contains(gpus)) generations_[gpus] = generation_of(job, *question_.gpu);
    return run_speed(job, *question_.gpu, generations_.at(gpus), intervals);
  }
  std::optional<Pace>& pace = known(place, job).pace;
  if (!pace) pace = pace_of(job, *question_.gpu);
  return pace ? throughput(job, *question_.gpu, *pace, intervals) : std::nullopt;
}

Timed LayoutSearch::timed(const Place& place) {
  const Job& job = job_at(place);
  const Known& common = known(place, job);
  Timed found{evaluate(job, question_.gpu, common.stages, common.steps), {}, {}};
  const Job& as_it_runs = found.candidate.job;
  found.speed = speed_of(place, as_it_runs, question_.speed_intervals).value();
  found.hours = run_hours(as_it_runs, found.speed);
  return found;
}

std::optional<std::int64_t> LayoutSearch::least_count(const CountQuery& query) {
  const std::int64_t most = refuses_several(question_) ? 1 : query.to;
  std::priority_queue<Prospect> waiting;
  const auto is_asked = [&](std::int64_t gpus) {
    const auto& counts = query.rentable;
    return counts.empty() || std::binary_search(counts.begin(), counts.end(), gpus);
  };
  const auto place_of = [&](const Prospect& prospect) {
    const std::int64_t ranks = splits_[prospect.split].ranks();
    Place at = place(prospect.alternative, prospect.split, prospect.gpus / ranks);
    if (prospect.shard) at.layout.shard = *prospect.shard;
    return at;
  };
  // Puts it in the queue at the first dp from `dp` on that is asked about and the rules allow.
  const auto add = [&](Prospect prospect, std::int64_t dp) {
    const std::int64_t ranks = splits_[prospect.split].ranks();
    for (prospect.gpus = dp * ranks; prospect.gpus <= most; prospect.gpus += ranks) {
      if (!is_asked(prospect.gpus)) continue;
      if (allows(place_of(prospect).layout)) return waiting.push(prospect);
    }
  };
  for (std::size_t split = 0; split < splits_.size(); ++split) {
    const std::int64_t ranks = splits_[split].ranks();
    const std::int64_t dp = std::max<std::int64_t>(1, (query.from + ranks - 1) / ranks);
    for (std::size_t alternative = 0; alternative <= question_.alternatives.size(); ++alternative) {
      add({0, alternative, split, std::nullopt}, dp);
    }
  }
  while (!waiting.empty()) {
    Prospect next = waiting.top();
    waiting.pop();
    const Place at = place_of(next);
    const bool alone = at.layout.replicas() == 1;
    if (!next.shard) {
      // One rank alone goes by settings of its own, so that what it takes says nothing of several.
      if (alone) add(next, 2);
      for (const Shard shard : shards(at.layout)) {
        next.shard = shard;
        waiting.push(next);
      }
      continue;
    }
    const auto factor = growth(at, query.room);
    if (factor == 1.0 && stays_within(at, query.room)) return next.gpus;
    if (!factor || alone) continue;
    // A little less than the factor, which is one of floating point.
    const double grown = std::ceil(as_double(at.layout.dp) * *factor * (1 - 1e-9));
    if (grown > as_double(most)) continue;
    add(next, std::max(at.layout.dp + 1, static_cast<std::int64_t>(grown)));
  }
  return std::nullopt;
}

}  // namespace sizesheet
