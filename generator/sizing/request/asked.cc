// SPDX-License-Identifier: Apache-2.0
// What a question says once it is read: the parts that it wants, the layout that it gives, and its
// job as a layout spreads it.

#include <algorithm>

#include "sizing/request/question.h"

namespace sizesheet {

bool Question::wants(AnswerPart part) const {
  if (parts) return parts->contains(part);
  return part == AnswerPart::kMemory || part == AnswerPart::kWords ||
         (part == AnswerPart::kMoney && objective == Objective::kMoney);
}

bool Question::layout_given() const {
  const LayoutPins& fixed = pins();
  const int known = (fixed.gpus ? 1 : 0) + (fixed.dp ? 1 : 0) + (fixed.tp ? 1 : 0);
  return known >= 2 || (fixed.gpus && *fixed.gpus == 1);
}

Layout Question::given_layout() const {
  const LayoutPins& fixed = pins();
  Layout layout = single().layout;
  layout.pp = fixed.pp.value_or(1);
  layout.cp = fixed.cp.value_or(1);
  layout.ep = fixed.ep.value_or(1);
  const std::int64_t gpus = fixed.gpus.value_or(0);
  layout.tp = fixed.tp.value_or(
      std::max<std::int64_t>(1, gpus / (fixed.dp.value_or(1) * layout.pp * layout.cp)));
  layout.dp =
      fixed.dp.value_or(std::max<std::int64_t>(1, gpus / (layout.tp * layout.pp * layout.cp)));
  layout.shard = fixed.shard.value_or(Shard::kNone);
  return layout;
}

Spread spread_of(const Layout& layout) {
  if (layout.replicas() == 1) return Spread::kSingle;
  return layout.shard == Shard::kNone ? Spread::kDdp : Spread::kSharded;
}

const Job& read_job_of(const Question& question, const Layout& dimensions,
                       std::size_t alternative) {
  const auto& jobs = alternative == 0 ? question.jobs : question.alternatives.at(alternative - 1);
  return jobs.at(spread_of(dimensions)).job;
}

void spread_over(const Layout& dimensions, Layout& layout) {
  for (const Dimension& one : kDimensions) layout.*one.ranks = dimensions.*one.ranks;
  layout.shard = dimensions.shard;
  if (layout.shard_group > layout.replicas()) layout.shard_group = 0;
}

Job job_with_layout(const Question& question, const Layout& dimensions, std::size_t alternative) {
  Job job = read_job_of(question, dimensions, alternative);
  spread_over(dimensions, job.layout);
  job.accumulate();
  return job;
}

}  // namespace sizesheet
