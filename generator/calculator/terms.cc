// SPDX-License-Identifier: Apache-2.0
#include "calculator/terms.h"

#include "catalog/facts/engine_constants.h"
#include "catalog/published/measured.h"
#include "cost/cost_line.h"
#include "sheet/fields.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/memory/generation.h"
#include "sizing/memory/memory.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/time/clocks.h"
#include "sizing/time/throughput.h"
#include "support/described.h"
#include "support/json.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

/// The rate of a step that takes so long.
Traced rate_of(const Job& job, const Throughput& speed, const Traced& seconds) {
  if (speed.rollout) return rollout_rate(job, seconds);
  std::optional<Job> own;
  return trained_rate(job, as_batched(job, own).tokens_per_rank(), seconds);
}

/// Ends of the range of a rate.
std::pair<Traced, Traced> range_of(const Question& question, const Job& job,
                                   const Throughput& speed, const Traced& rate) {
  if (speed.rollout) {
    const EngineConstants& constants = *job.constants;
    return {rate / Traced::input("hours_high_share", constants.value("rollout.hours_high")),
            rate / Traced::input("hours_low_share", constants.value("rollout.hours_low"))};
  }
  const IntervalRange found = question.speed_intervals->of(speed_facts(job, *question.gpu));
  const double host = faster_host(job, speed.clocks);
  const Traced high = rate * Traced::input("high_share", found.high);
  return {rate * Traced::input("low_share", found.low),
          host == 1 ? high : high * Traced::input("faster_host", host)};
}

/// A step, the rate that follows and its range, and the hours of the run.
std::vector<QuantityLine> time_lines(const Question& question, const Sizing& sizing) {
  const Job& job = sizing.plan.chosen.job;
  const Throughput& speed = *sizing.speed;
  std::vector<QuantityLine> lines;
  const auto add = [&](const char* name, const char* title, double value, const char* unit,
                       const Traced& number) {
    lines.push_back({name, title, value, unit, formula_of(number), "method.html#throughput"});
  };
  const Traced seconds =
      speed.rollout ? rollout_seconds<Traced>(job.grpo->steps_off_policy > 0, *speed.rollout)
                    : clock_seconds<Traced>(named(speed.clocks));
  add("step_seconds", "A step", seconds.value(), "s", seconds);
  constexpr const char* kRate = "tokens_per_second_per_gpu";
  constexpr const char* kLow = "tokens_per_second_per_gpu_low";
  constexpr const char* kHigh = "tokens_per_second_per_gpu_high";
  add(kRate, "Tokens per second and GPU", speed.tokens_per_second_per_gpu, "tokens/s",
      rate_of(job, speed, Traced::input("step_seconds", seconds.value())));
  if (question.speed_intervals != nullptr) {
    const auto [low, high] =
        range_of(question, job, speed, Traced::input(kRate, speed.tokens_per_second_per_gpu));
    add(kLow, "Tokens per second and GPU, the lower end", speed.low, "tokens/s", low);
    add(kHigh, "Tokens per second and GPU, the upper end", speed.high, "tokens/s", high);
  }
  if (!sizing.hours) return lines;
  const auto hours_at = [&](const char* name, double rate) {
    return hours_of_tokens(job, *job.run_tokens(), Traced::input(name, rate));
  };
  add("hours", "Hours of a run", sizing.hours->mid, "h",
      hours_at(kRate, speed.tokens_per_second_per_gpu));
  add("hours_low", "Hours of a run, the lower end", sizing.hours->low, "h",
      hours_at(kHigh, speed.high));
  add("hours_high", "Hours of a run, the upper end", sizing.hours->high, "h",
      hours_at(kLow, speed.low));
  return lines;
}

}  // namespace

JobTerms terms_of(const Question& question, const Sizing& sizing) {
  const Candidate& chosen = sizing.plan.chosen;
  JobTerms terms;
  terms.memory = memory_terms(chosen.job, chosen.worst_stage(), chosen.bill);
  if (chosen.job.grpo) {
    terms.generation = generation_terms(chosen.job, chosen.bill.capacity);
    terms.generation.push_back(sequence_cache_term(chosen.job));
  }
  if (sizing.files) {
    terms.files = run_file_terms(chosen.job, chosen.bill.host, question.gpus_per_node());
  }
  if (sizing.speed) terms.time = time_lines(question, sizing);
  return terms;
}

void put_terms(const JobTerms& terms, Json& answer) {
  const auto put = [&](const char* key, const auto& lines) {
    for (const auto& line : lines) answer[key].push_back(written(line));
  };
  fields(put, terms);
  for (const char* of_bytes : {"terms", "generation_terms", "file_terms"}) {
    if (!answer.contains(of_bytes)) continue;
    for (Json& line : answer[of_bytes]) line.erase("title");  // the table of terms has it
  }
}

}  // namespace sizesheet
