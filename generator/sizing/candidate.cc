// SPDX-License-Identifier: Apache-2.0
#include "sizing/candidate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sizesheet {
namespace {

/// 0 fits, 1 tight, 2 no.
int rank_of(const std::string& verdict) {
  return verdict == "fits" ? 0 : verdict == "tight" ? 1 : 2;
}

/// A job on its card before its bill is made. What the card gives back and what a paged optimizer
/// sends away are settings of the job, which it changes.
class Weighed {
 public:
  /// Without a GPU nothing is judged.
  Weighed(Job& job, const Gpu* gpu, const std::vector<Stage>& stages, const StepPieces& steps,
          StageNeeds needs)
      : job_(job), gpu_(gpu), stages_(stages), steps_(steps), needs_(std::move(needs)) {
    if (gpu_ != nullptr) capacity_ = gpu_->capacity_bytes().value_or(0);
    weigh();
    if (standing_.verdict == "no" && strands_bytes(job_)) reclaim();
    if (gpu_ != nullptr && standing_.verdict != "fits" && job_.paged_optimizer) page_out();
  }

  const Standing& standing() const { return standing_; }
  const std::optional<GrpoBill>& grpo() const { return grpo_; }

  MemoryBill bill() const {
    MemoryBill bill = memory_bill(job_, stages_[worst_.index], worst().pieces);
    bill.capacity = capacity_;
    return bill;
  }

 private:
  const StageNeed& worst() const { return needs_[worst_.index]; }

  void weigh() {
    worst_ = worst_stage(job_, needs_);
    standing_.device = worst_.device;
    if (gpu_ == nullptr) return;
    if (job_.grpo) grpo_ = grpo_bill(job_, stages_, worst_.device, capacity_);
    if (grpo_) standing_.device = grpo_->device;
    standing_.verdict = verdict_of(standing_.device, job_.headroom, capacity_);
  }

  /// Bytes stranded by the exchange between ranks are returned to the card before it runs out.
  void reclaim() {
    const double stays = resident_bytes(worst().pieces) * job_.overheads.static_share;
    const std::int64_t beside = standing_.device - worst_.device;
    const std::int64_t overhead = whole_overhead(job_);
    const double room =
        static_cast<double>(capacity_ - beside - overhead - worst().allocated) - stays;
    job_.overheads.room_bytes = std::max(0.0, std::floor(room) - 1);
    weigh();
  }

  /// Moves moments to the host until the rest fits, or none are left. Each byte that leaves takes
  /// its share of allocator slack along; one byte more covers the rounding.
  void page_out() {
    const double room = static_cast<double>(capacity_) / (1 + job_.headroom);
    const double over = static_cast<double>(standing_.device) - room;
    const double wanted = std::ceil((over + 1) / (1 + job_.overheads.static_share));
    const double moments = worst().pieces.moments;
    job_.paged_bytes = std::min(std::floor(moments), std::max(0.0, wanted));
    needs_ = needs_of(job_, stages_, steps_);
    weigh();
  }

  Job& job_;
  const Gpu* gpu_;
  const std::vector<Stage>& stages_;
  const StepPieces& steps_;
  StageNeeds needs_;
  WorstStage worst_;
  std::optional<GrpoBill> grpo_;
  Standing standing_;
  std::int64_t capacity_ = 0;
};

}  // namespace

bool better(const Standing& a, const Standing& b) {
  if (rank_of(a.verdict) != rank_of(b.verdict)) return rank_of(a.verdict) < rank_of(b.verdict);
  return rank_of(a.verdict) == 2 && a.device < b.device;
}

std::optional<Standing> standing_within(Job& job, const Gpu* gpu, const std::vector<Stage>& stages,
                                        const StepPieces& steps, std::int64_t most) {
  auto needs = needs_within(job, stages, steps, most);
  if (!needs) return std::nullopt;
  return Weighed(job, gpu, stages, steps, std::move(*needs)).standing();
}

Candidate evaluate(Job job, const Gpu* gpu, Stages stages, const StepPieces& steps) {
  const Weighed weighed(job, gpu, *stages, steps, needs_of(job, *stages, steps));
  MemoryBill bill = weighed.bill();
  std::string verdict = weighed.standing().verdict;
  const std::optional<GrpoBill> grpo = weighed.grpo();
  return {std::move(job), std::move(stages), std::move(bill), std::move(verdict), grpo};
}

Candidate evaluate(Job job, const Gpu* gpu, Stages stages) {
  const StepPieces steps = step_pieces_of(job, *stages);
  return evaluate(std::move(job), gpu, std::move(stages), steps);
}

Candidate evaluate(const Job& job, const Gpu* gpu) {
  return evaluate(job, gpu, std::make_shared<const std::vector<Stage>>(stages_of(job)));
}

}  // namespace sizesheet
