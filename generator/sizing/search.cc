// SPDX-License-Identifier: Apache-2.0
#include "sizing/search.h"

#include <algorithm>
#include <cmath>

#include "sizing/least_count.h"
#include "sizing/throughput.h"

namespace sizesheet {
namespace {

constexpr double kComfortableHeadroom = 0.30;

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
  check.over = std::max<std::int64_t>(0, candidate.device() - candidate.bill.capacity);
  check.peak_phase = candidate.peak_phase();
  check.largest_term = candidate.largest();
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
  const double bytes = static_cast<double>(counts.total()) * narrowest;
  const double room = static_cast<double>(question.gpu->capacity_bytes().value_or(1));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(bytes / room)));
}

std::vector<std::int64_t> counts_to_try(const Question& question) {
  const LayoutPins& pins = question.pins();
  if (pins.gpus) return {*pins.gpus};
  if (question.layout_given()) return {question.given_layout().gpus()};
  return question.gpu->counts_up_to(search_limit(question));
}

std::string no_layout(const Question& question, const std::vector<std::int64_t>& counts) {
  std::string text = "layout.gpus: no valid layout of " + question.model_id + " on " +
                     (counts.size() == 1 ? std::to_string(counts.front()) : "any count asked for");
  if (!refuses_several(question)) return text;
  return text + ": " + question.stack->refused.at(question.kind + "+multi-gpu");
}

/// Walks the rentable counts upwards until one fits.
void search_counts(const Question& question, LayoutSearch& search, Plan& found) {
  std::optional<Candidate> chosen;
  std::optional<Candidate> last;
  for (const std::int64_t n : counts_to_try(question)) {
    auto candidate = search.best(n);
    if (!candidate) continue;
    found.counts.push_back(check_of(*candidate));
    if (candidate->verdict != "no" && !found.tight) found.tight = n;
    const bool fits = candidate->verdict == "fits";
    if (fits) found.rentable = n;
    if (!chosen || better(candidate->standing(), chosen->standing())) {
      chosen = *candidate;
      found.before = std::move(last);
    }
    if (fits) break;
    last = std::move(candidate);
  }
  if (!chosen) throw InputError(no_layout(question, counts_to_try(question)));
  found.chosen = std::move(*chosen);
}

void set_fewer(Plan& found) {
  if (found.before) {
    found.fewer = check_of(*found.before);
    found.fingerprint = failure_of(*found.before);
  } else if (found.chosen.verdict == "no") {
    found.fingerprint = failure_of(found.chosen);
  }
}

}  // namespace

std::optional<Candidate> best_layout(const Question& question, std::int64_t gpus) {
  return LayoutSearch(question, gpus).best(gpus);
}

Plan plan(const Question& question) {
  Plan found;
  if (question.gpu == nullptr) {
    const Layout layout = question.given_layout();
    found.chosen = evaluate(job_with_layout(question, layout), nullptr);
    return found;
  }
  found.limit = search_limit(question);
  LayoutSearch search(question, std::max(found.limit, counts_to_try(question).back()));
  search_counts(question, search, found);
  const bool searched = !question.pins().gpus && !question.layout_given();
  found.by_memory = searched ? least_count(question, search, least_by_state(question),
                                           found.tight.value_or(found.limit))
                             : found.tight;
  set_fewer(found);
  return found;
}

std::optional<std::int64_t> smallest_that_fits(const Question& question, std::int64_t most) {
  const std::int64_t least = least_by_state(question);
  LayoutSearch search(question, most);
  for (const std::int64_t n : counts_to_try(question)) {
    if (n > most) break;
    if (n < least) continue;
    const auto candidate = search.best(n);
    if (candidate && candidate->verdict == "fits") return n;
  }
  return std::nullopt;
}

std::optional<std::int64_t> deadline_count(const Question& question, const Plan& plan,
                                           double deadline_hours) {
  if (!plan.rentable) return std::nullopt;
  const std::vector<std::int64_t> counts = counts_to_try(question);
  LayoutSearch search(question, counts.back());
  for (const std::int64_t n : counts) {
    if (n < *plan.rentable) continue;
    const auto candidate = search.best(n);
    if (!candidate || candidate->verdict != "fits") continue;
    const auto speed = throughput(candidate->job, *question.gpu, question.speed_intervals);
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
  const std::vector<std::int64_t> counts = counts_to_try(roomy);
  LayoutSearch search(roomy, counts.back());
  for (const std::int64_t n : counts) {
    if (n < *plan.rentable) continue;
    const auto candidate = search.best(n);
    if (candidate && candidate->verdict == "fits") return n;
  }
  return std::nullopt;
}

}  // namespace sizesheet
