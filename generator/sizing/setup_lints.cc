// SPDX-License-Identifier: Apache-2.0
#include "sizing/setup_lints.h"

#include "sizing/throughput.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kWideShare = 0.05;  // usual adapters are under a hundredth of the model
constexpr double kSlowShare = 0.30;
// Nodes of eight beyond the first: the next count on offer is at most this far.
constexpr std::int64_t kNextNode = 72;

double percent(double share) { return 100 * share; }

}  // namespace

std::optional<Lint> wide_adapters(const Question& question, const Candidate& chosen) {
  const Job& job = chosen.job;
  if (job.full()) return std::nullopt;
  const AdapterCounts counts = count_adapters(*job.model, job.adapters);
  const double share = static_cast<double>(counts.total()) /
                       static_cast<double>(count_parameters(*question.model).total());
  if (share <= kWideShare) return std::nullopt;
  std::string words = "the adapters have " + format_parameters(counts.total()) + " parameters, " +
                      format_number(percent(share), 1) +
                      " % of the model, each with gradient and optimizer state";
  if (counts.expert > counts.dense) {
    words += "; " + format_parameters(counts.expert) +
             " of them stand on routed experts (method.experts shared or none)";
  }
  return Lint{"wide-adapters", words};
}

std::optional<Lint> slow_link(const Question& question, const Candidate& chosen) {
  if (question.gpu == nullptr || chosen.job.layout.gpus() == 1 || chosen.job.grpo) {
    return std::nullopt;
  }
  const auto speed = throughput(chosen.job, *question.gpu);
  if (!speed) return std::nullopt;
  const StepClocks& clocks = speed->clocks;
  const double links = clocks.tensor + clocks.expert + clocks.context + clocks.exchange;
  const double share = links / clocks.total();
  if (share < kSlowShare) return std::nullopt;
  return Lint{"slow-link", format_number(percent(share), 0) +
                               " % of each step is exchange between GPUs that computing does not "
                               "hide; link of " +
                               question.gpu->short_name + ": " + question.gpu->interconnect};
}

std::optional<Lint> odd_count(const Question& question, const Candidate& chosen) {
  if (question.gpu == nullptr) return std::nullopt;
  const std::int64_t gpus = chosen.job.layout.gpus();
  std::int64_t below = 0;
  std::int64_t above = 0;
  for (const std::int64_t count : question.gpu->counts_up_to(gpus + kNextNode)) {
    if (count == gpus) return std::nullopt;
    if (count < gpus) below = count;
    if (count > gpus && above == 0) above = count;
  }
  std::string words = std::to_string(gpus) + " × " + question.gpu->short_name + " are not on offer";
  if (below > 0) words += ": " + std::to_string(below);
  if (above > 0) words += (below > 0 ? " or " : ": ") + std::to_string(above);
  if (below > 0 || above > 0) words += above > 0 && below > 0 ? " are" : " is the nearest count";
  return Lint{"odd-count", words};
}

}  // namespace sizesheet
