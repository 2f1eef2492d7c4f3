// SPDX-License-Identifier: Apache-2.0
// Every figure of an answer with its formula: memory, time, dollars.

#include "calculator/estimates.h"
#include "sheet/fields.h"
#include "sizing/memory/generation.h"
#include "sizing/memory/memory.h"
#include "sizing/time/clocks.h"

namespace sizesheet {
namespace {

constexpr const char* kTimeSource = "method.html#throughput";

/// A step, the rate that follows and its range, and the hours of the run.
class TimeLines {
 public:
  TimeLines(const Question& question, const Sizing& sizing)
      : question_(question), job_(sizing.plan.chosen.job), speed_(*sizing.speed) {
    add_rate();
    add_range();
    if (sizing.hours) add_hours(*sizing.hours);
  }

  std::vector<QuantityLine> take() { return std::move(lines_); }

 private:
  static constexpr const char* kRate = "tokens_per_second_per_gpu";
  static constexpr const char* kLow = "tokens_per_second_per_gpu_low";
  static constexpr const char* kHigh = "tokens_per_second_per_gpu_high";

  void add(const char* name, const char* title, double value, const char* unit,
           const Traced& number) {
    lines_.push_back({name, title, value, unit, formula_of(number), kTimeSource});
  }

  Traced rate_of(const Traced& seconds) const {
    if (speed_.rollout) return rollout_rate(job_, seconds);
    std::optional<Job> own;
    return trained_rate(job_, as_batched(job_, own).tokens_per_rank(), seconds);
  }

  void add_rate() {
    const Traced seconds =
        speed_.rollout ? rollout_seconds<Traced>(job_.grpo->steps_off_policy > 0, *speed_.rollout)
                       : clock_seconds<Traced>(named(speed_.clocks));
    add("step_seconds", "A step", seconds.value(), "s", seconds);
    add(kRate, "Tokens a second and GPU", speed_.tokens_per_second_per_gpu, "tokens/s",
        rate_of(Traced::input("step_seconds", seconds.value())));
  }

  void add_range() {
    if (question_.speed_intervals == nullptr) return;
    const Traced rate = Traced::input(kRate, speed_.tokens_per_second_per_gpu);
    const auto ends = [&](const Traced& low, const Traced& high) {
      add(kLow, "Tokens a second and GPU, the lower end", speed_.low, "tokens/s", low);
      add(kHigh, "Tokens a second and GPU, the upper end", speed_.high, "tokens/s", high);
    };
    if (speed_.rollout) {
      const EngineConstants& constants = *job_.constants;
      ends(rate / Traced::input("hours_high_share", constants.value("rollout.hours_high")),
           rate / Traced::input("hours_low_share", constants.value("rollout.hours_low")));
    } else {
      const IntervalClass& found = question_.speed_intervals->of(speed_facts(job_, *question_.gpu));
      ends(rate * Traced::input("low_share", found.low),
           rate * Traced::input("high_share", found.high));
    }
  }

  void add_hours(const Hours& hours) {
    const auto at = [&](const char* name, double rate) {
      return hours_of_tokens(job_, *job_.run_tokens(), Traced::input(name, rate));
    };
    add("hours", "Hours of a run", hours.mid, "h", at(kRate, speed_.tokens_per_second_per_gpu));
    add("hours_low", "Hours of a run, the lower end", hours.low, "h", at(kHigh, speed_.high));
    add("hours_high", "Hours of a run, the upper end", hours.high, "h", at(kLow, speed_.low));
  }

  const Question& question_;
  const Job& job_;
  const Throughput& speed_;
  std::vector<QuantityLine> lines_;
};

template <typename Line>
Json line_json(const Line& line) {
  return written(line);
}

/// The table of terms has its title.
Json line_json(const MemoryTerm& term) {
  Json json = written(term);
  json.erase("title");
  return json;
}

template <typename Line>
void put_list(Json& answer, const char* key, const std::vector<Line>& lines) {
  for (const Line& line : lines) answer[key].push_back(line_json(line));
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
  if (sizing.speed) terms.time = TimeLines(question, sizing).take();
  return terms;
}

void put_terms(const JobTerms& terms, Json& answer) {
  put_list(answer, "terms", terms.memory);
  put_list(answer, "generation_terms", terms.generation);
  put_list(answer, "file_terms", terms.files);
  put_list(answer, "time_terms", terms.time);
  put_list(answer, "cost_terms", terms.cost);
}

}  // namespace sizesheet
