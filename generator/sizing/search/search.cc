// SPDX-License-Identifier: Apache-2.0
#include "sizing/search/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sizing/job/job.h"
#include "sizing/job/layout_pins.h"
#include "sizing/memory/adapted_base.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/parameters.h"
#include "sizing/request/layout_rules.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/layout_search.h"
#include "sizing/time/clocks.h"
#include "sizing/time/rollout.h"
#include "support/error.h"
#include "support/named.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

constexpr double kComfortableHeadroom = 0.30;

/// Every rentable count up to here is looked at; beyond, those alone that can be the answer.
constexpr std::int64_t kEachCount = 512;

using Counts = std::vector<std::int64_t>;

/// The phase in which a layout would fail, with what stands beside the trainer.
std::string failure_of(const Candidate& candidate) {
  if (candidate.generates_at_peak()) return "generation";
  const std::int64_t beside = candidate.device() - candidate.bill.device;
  return fingerprint(candidate.bill, candidate.bill.capacity - beside);
}

CountCheck check_of(const Candidate& candidate) {
  CountCheck check;
  check.gpus = candidate.job.layout.gpus();
  check.verdict = candidate.verdict;
  check.device = candidate.device();
  check.device_high = candidate.bill.device_high;
  check.certain = candidate.certain();
  check.over = std::max<std::int64_t>(0, candidate.device() - candidate.bill.capacity);
  check.peak_phase = candidate.peak_phase();
  check.largest_term = id_of(candidate.largest());
  return check;
}

std::int64_t search_limit(const Question& question) {
  const std::int64_t most = question.gpu->max_gpus;
  return most > 0 ? std::min(most, question.max_gpus()) : question.max_gpus();
}

/// No layout stores a weight less than once: counts below this cannot hold the weights alone.
std::int64_t least_by_state(const Question& question) {
  const Job& job = question.jobs.at(Spread::kSharded).job;
  if (job.layout.offload_params) return 1;
  const ComponentCounts counts = count_parameters(*job.model);
  const double narrowest = job.full() ? job.state.weight : std::min(base_bytes(job), 2.0);
  const double bytes = as_double(counts.total()) * narrowest;
  const double room = as_double(question.gpu->capacity_bytes().value_or(1));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(bytes / room)));
}

std::string no_layout(const Question& question, const Counts& counts) {
  std::string text = "layout.gpus: no valid layout of " + question.model_id + " on " +
                     (counts.size() == 1 ? std::to_string(counts.front()) : "any count asked for");
  if (!refuses_several(question)) return text;
  return text + ": " + question.stack->refused.at(question.kind + "+multi-gpu");
}

std::int64_t room_to_hold(const Question& question) {
  return question.gpu->capacity_bytes().value_or(0);
}

std::int64_t room_to_fit(const Question& question) {
  return fitting_bytes(question.single().headroom, room_to_hold(question));
}

/// Of rentable counts of which only the answer is looked for, those that can be chosen, each after
/// the one before it: the first that holds and the first that fits; where none holds, the first
/// with the fewest bytes, fewer than `least`.
Counts that_matter(const Question& question, LayoutSearch& search,
                   std::span<const std::int64_t> counts, bool held, std::int64_t least) {
  const auto first_within = [&](std::int64_t room) {
    return search.least_count({room, counts.front(), counts.back(), counts});
  };
  // Bytes fall as ranks are added, but for roundings: the last count is looked at first, and few
  // have less.
  const auto leanest = [&]() -> std::optional<std::int64_t> {
    const auto last = search.best(counts.back());
    std::int64_t fewest = std::min(least, last ? last->device() : least);
    while (const auto fewer = first_within(fewest - 1)) fewest = search.best(*fewer)->device();
    return fewest < least ? first_within(fewest) : std::nullopt;
  };
  std::set<std::int64_t> matter;
  const auto add = [&](std::optional<std::int64_t> count) {
    if (!count) return;
    auto before = std::lower_bound(counts.begin(), counts.end(), *count);
    while (before != counts.begin() && !search.best(*--before)) continue;
    matter.insert({*before, *count});
  };
  if (!held) add(first_within(room_to_hold(question)));
  add(held || !matter.empty() ? first_within(room_to_fit(question)) : leanest());
  return {matter.begin(), matter.end()};
}

/// The counts that a search looks at, ascending: those that can be rented up to the limit, or the
/// one that the request fixes.
Counts counts_to_try(const Question& question) {
  const LayoutPins& pins = question.pins();
  if (pins.gpus) return {*pins.gpus};
  if (question.layout_given()) return {question.given_layout().gpus()};
  return question.gpu->counts_up_to(search_limit(question));
}

/// The counts from the plan's on.
Counts counts_from(const Question& question, const Plan& plan) {
  Counts counts = counts_to_try(question);
  std::erase_if(counts, [&](std::int64_t n) { return n < *plan.rentable; });
  return counts;
}

/// Walks the rentable counts upwards until one fits.
void search_counts(const Question& question, LayoutSearch& search, Plan& found) {
  std::optional<Candidate> chosen;
  std::optional<Candidate> last;
  const auto look_at = [&](std::int64_t n) {
    auto candidate = search.best(n);
    if (!candidate) return;
    found.counts.push_back(check_of(*candidate));
    if (candidate->verdict != Verdict::kNo && !found.tight) found.tight = n;
    if (candidate->verdict == Verdict::kFits) found.rentable = n;
    if (!chosen || better(candidate->fit_result(), chosen->fit_result())) {
      chosen = *candidate;
      found.before = std::move(last);
    }
    last = std::move(candidate);
  };
  const Counts counts = counts_to_try(question);
  auto next = counts.begin();
  for (; next != counts.end() && *next <= kEachCount && !found.rentable; ++next) look_at(*next);
  if (next != counts.end() && !found.rentable) {
    const auto left = static_cast<std::size_t>(counts.end() - next);
    const auto least = chosen ? chosen->device() : std::numeric_limits<std::int64_t>::max();
    const bool held = found.tight.has_value();
    for (const std::int64_t n :
         that_matter(question, search, std::span(counts).last(left), held, least)) {
      look_at(n);
    }
  }
  if (!chosen) throw InputError(no_layout(question, counts));
  found.chosen = std::move(*chosen);
}

}  // namespace

std::optional<Candidate> best_layout(const Question& question, std::int64_t gpus) {
  return LayoutSearch(question, gpus).best(gpus);
}

std::optional<Candidate> fastest_or_best(const Question& question, std::int64_t gpus) {
  LayoutSearch search(question, gpus);
  auto fastest = search.fastest(gpus);
  return fastest ? std::optional(std::move(fastest->candidate)) : search.best(gpus);
}

Plan search_counts(const Question& question) {
  Plan found;
  if (question.gpu == nullptr) {
    const Layout layout = question.given_layout();
    found.chosen = evaluate(job_with_layout(question, layout), nullptr);
    return found;
  }
  found.limit = search_limit(question);
  LayoutSearch search(question, std::max(found.limit, counts_to_try(question).back()));
  search_counts(question, search, found);
  if (question.objective == Objective::kTime && found.rentable) {
    if (auto fastest = search.fastest(*found.rentable)) {
      found.chosen = std::move(fastest->candidate);
    }
  }
  const bool searched = !question.pins().gpus && !question.layout_given();
  found.by_memory = found.tight;
  if (searched) {
    const std::int64_t most = found.tight.value_or(found.limit);
    found.by_memory =
        search.least_count({room_to_hold(question), least_by_state(question), most, {}});
  }
  if (found.before) {
    found.fewer = check_of(*found.before);
    found.fingerprint = failure_of(*found.before);
  } else if (found.chosen.verdict == Verdict::kNo) {
    found.fingerprint = failure_of(found.chosen);
  }
  return found;
}

std::vector<Timed> fastest_by_count(const Question& question, const Plan& plan) {
  std::vector<Timed> all;
  if (!plan.rentable || !question.single().constants->speeds.contains(question.gpu->id)) return all;
  const Counts counts = counts_from(question, plan);
  LayoutSearch search(question, counts.back());
  for (const std::int64_t n : counts) {
    if (auto fastest = search.fastest(n)) all.push_back(std::move(*fastest));
  }
  return all;
}

std::optional<std::int64_t> smallest_that_fits(const Question& question, std::int64_t most) {
  const Counts counts = counts_to_try(question);
  return LayoutSearch(question, most)
      .least_count({room_to_fit(question), least_by_state(question), most, counts});
}

std::optional<std::int64_t> deadline_count(const Question& question, const Plan& plan,
                                           double deadline_hours) {
  if (!plan.rentable) return std::nullopt;
  const Counts counts = counts_from(question, plan);
  LayoutSearch search(question, counts.back());
  const bool by_speed = question.objective != Objective::kMemory;
  for (const std::int64_t n : counts) {
    if (by_speed) {
      const auto fastest = search.fastest(n);
      if (fastest && fastest->hours && fastest->hours->mid <= deadline_hours) return n;
      continue;
    }
    const auto candidate = search.best(n);
    if (!candidate || candidate->verdict != Verdict::kFits) continue;
    const auto speed = run_speed(candidate->job, *question.gpu, question.speed_intervals);
    if (!speed) return std::nullopt;
    const auto hours = run_hours(candidate->job, *speed);
    if (hours && hours->mid <= deadline_hours) return n;
  }
  return std::nullopt;
}

std::optional<std::int64_t> comfortable_count(const Question& question, const Plan& plan) {
  if (!plan.rentable) return std::nullopt;
  Question roomy = question;
  roomy.for_each_job([](Job& job) { job.headroom = std::max(job.headroom, kComfortableHeadroom); });
  const Counts counts = counts_to_try(roomy);
  return LayoutSearch(roomy, counts.back())
      .least_count({room_to_fit(roomy), *plan.rentable, counts.back(), counts});
}

}  // namespace sizesheet
