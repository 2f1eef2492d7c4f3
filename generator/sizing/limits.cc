// SPDX-License-Identifier: Apache-2.0
#include "sizing/limits.h"

#include <cmath>
#include <functional>
#include <numeric>

namespace sizesheet {
namespace {

// The bounds of a request.
constexpr std::int64_t kMostSequences = 1000000;
constexpr std::int64_t kMostTokens = 100000000;
constexpr std::int64_t kUnit = 1024;

using Test = std::function<bool(std::int64_t)>;

/// The largest n in [1, most] that holds, for a test that stays false once it is; nullopt: none or
/// all.
std::optional<std::int64_t> largest(std::int64_t most, const Test& holds) {
  if (!holds(1)) return std::nullopt;
  std::int64_t low = 1;
  std::int64_t high = 2;
  while (high <= most && holds(high)) {
    low = high;
    high *= 2;
  }
  if (high > most) {
    if (holds(most)) return std::nullopt;
    high = most;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

/// The chosen job before its card was known: what paging and a full card changed is undone.
Job untouched(const Question& question, const Candidate& chosen) {
  Job job = chosen.job;
  const Job& asked = question.jobs.at(Spread::kSingle).job;
  job.paged_bytes = 0;
  job.overheads.room_bytes = asked.overheads.room_bytes;
  return job;
}

bool fits(const Question& question, const Candidate& chosen, std::int64_t micro_batch,
          std::int64_t seq_len) {
  Job job = untouched(question, chosen);
  job.micro_batch = micro_batch;
  job.seq_len = seq_len;
  return evaluate(job, question.gpu, chosen.stages).verdict == "fits";
}

std::int64_t power_of_two_below(std::int64_t count) {
  std::int64_t power = 1;
  while (power * 2 <= count) power *= 2;
  return power;
}

bool any_layout_fits(Question& question, std::int64_t gpus, std::int64_t seq_len) {
  question.for_each_job([&](Job& job) { job.seq_len = seq_len; });
  const auto candidate = best_layout(question, gpus);
  return candidate && candidate->verdict == "fits";
}

/// Longer sequences need more bytes, but may be cut over more ranks. Between two lengths at which
/// another degree of context parallelism comes in reach the layouts are the same, so that each
/// stretch is searched by halving.
std::optional<std::int64_t> next_count(const Question& asked, const Layout& chosen) {
  // A fixed split that does not divide 1,024 tokens refuses lengths that would fit.
  if (asked.layout_given() && kUnit % seq_len_step(chosen) != 0) return std::nullopt;
  Question question = asked;
  const double least =
      question.jobs.at(Spread::kSingle).job.constants->value("search.context_parallel_tokens");
  std::int64_t from = 1;
  for (std::int64_t ranks = 2; from * kUnit <= kMostTokens; ranks *= 2) {
    const auto next =
        static_cast<std::int64_t>(std::ceil(least * static_cast<double>(ranks) / kUnit));
    const std::int64_t stretch = next - from;
    if (stretch <= 0) continue;
    const auto holds = [&](std::int64_t n) {
      return any_layout_fits(question, chosen.gpus(), (from + n - 1) * kUnit);
    };
    if (!holds(stretch)) return (from + largest(stretch, holds).value_or(0)) * kUnit;
    from = next;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t seq_len_step(const Layout& layout) {
  const std::int64_t tensor = layout.sequence_parallel ? layout.tp : 1;
  const std::int64_t context = layout.cp > 1 ? 2 * layout.cp : 1;
  return std::lcm(tensor, context);
}

Limits layout_limits(const Question& question, const Candidate& chosen) {
  Limits limits;
  const std::int64_t seq_len = chosen.job.seq_len;
  limits.micro_batch =
      largest(kMostSequences, [&](std::int64_t n) { return fits(question, chosen, n, seq_len); });
  if (limits.micro_batch) {
    limits.micro_batch_power_of_two = power_of_two_below(*limits.micro_batch);
  }
  const std::int64_t step = seq_len_step(chosen.job.layout);
  const auto steps = largest(kMostTokens / step, [&](std::int64_t n) {
    return fits(question, chosen, chosen.job.micro_batch, n * step);
  });
  if (!steps) return limits;
  limits.seq_len = *steps * step;
  const std::int64_t positions = question.model->max_positions;
  limits.seq_len_beyond_positions = positions > 0 && *limits.seq_len > positions;
  return limits;
}

Limits limits_of(const Question& question, const Candidate& chosen) {
  Limits limits = layout_limits(question, chosen);
  limits.next_count_seq_len = next_count(question, chosen.job.layout);
  return limits;
}

}  // namespace sizesheet
