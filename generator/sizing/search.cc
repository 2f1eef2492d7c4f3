// SPDX-License-Identifier: Apache-2.0
#include "sizing/search.h"

#include "sizing/binding.h"
#include "sizing/layout_rules.h"
#include "sizing/throughput.h"

namespace sizesheet {
namespace {

int rank_of(const std::string& verdict) {
  return verdict == "fits" ? 0 : verdict == "tight" ? 1 : 2;
}

Candidate evaluate(const Question& question, const ModelSums& sums, std::int64_t dp,
                   std::int64_t tp, Shard shard) {
  Candidate candidate{job_with_layout(question, dp, tp, shard), sums, {}, ""};
  candidate.bill = memory_bill(candidate.job, candidate.sums);
  if (question.gpu != nullptr) {
    candidate.bill.capacity = question.gpu->capacity_bytes().value_or(0);
    candidate.verdict = verdict_of(candidate.bill, candidate.job.headroom, candidate.bill.capacity);
  }
  return candidate;
}

std::vector<Shard> shards_for(const Question& question, std::int64_t dp) {
  if (question.pins().shard) return {*question.pins().shard};
  if (dp == 1 || question.layout_given()) return {Shard::kNone};
  if (question.stack != nullptr && question.stack->refused.contains("sharding")) {
    return {Shard::kNone};
  }
  return {Shard::kNone, Shard::kZero1, Shard::kZero2, Shard::kZero3};
}

bool refuses_several(const Question& question) {
  return question.stack != nullptr &&
         question.stack->refused.contains(question.kind + "+multi-gpu");
}

std::vector<std::int64_t> degrees_for(const Question& question, std::int64_t gpus) {
  const LayoutPins& pins = question.pins();
  if (gpus > 1 && refuses_several(question)) return {};
  if (pins.tp) {
    return gpus % *pins.tp == 0 ? std::vector{*pins.tp} : std::vector<std::int64_t>{};
  }
  if (pins.dp) {
    const std::int64_t tp = gpus / *pins.dp;
    const bool valid = gpus % *pins.dp == 0 && tensor_parallel_fault(question, tp).empty();
    return valid ? std::vector{tp} : std::vector<std::int64_t>{};
  }
  return tensor_parallel_degrees(question, gpus);
}

bool better(const Candidate& a, const Candidate& b) {
  if (rank_of(a.verdict) != rank_of(b.verdict)) return rank_of(a.verdict) < rank_of(b.verdict);
  return rank_of(a.verdict) == 2 && a.bill.device < b.bill.device;
}

std::optional<Candidate> best_layout(const Question& question, const ModelSums& sums,
                                     std::int64_t gpus) {
  std::optional<Candidate> best;
  for (const std::int64_t tp : degrees_for(question, gpus)) {
    const std::int64_t dp = gpus / tp;
    for (const Shard shard : shards_for(question, dp)) {
      Candidate candidate = evaluate(question, sums, dp, tp, shard);
      if (candidate.verdict == "fits") return candidate;
      if (!best || better(candidate, *best)) best = std::move(candidate);
    }
  }
  return best;
}

CountCheck check_of(const Candidate& candidate) {
  CountCheck check;
  check.gpus = candidate.job.layout.gpus();
  check.verdict = candidate.verdict;
  check.device = candidate.bill.device;
  check.over = std::max<std::int64_t>(0, candidate.bill.device - candidate.bill.capacity);
  check.peak_phase = candidate.bill.peak_phase;
  check.largest_term = largest_term(candidate.bill);
  return check;
}

std::int64_t search_limit(const Question& question) {
  const std::int64_t most = question.gpu->max_gpus;
  return most > 0 ? std::min(most, question.max_gpus()) : question.max_gpus();
}

/// Every integer count, rentable or not: what memory alone would need.
std::optional<std::int64_t> smallest_by_memory(const Question& question, const ModelSums& sums,
                                               std::int64_t limit) {
  for (std::int64_t n = 1; n <= limit; ++n) {
    const auto candidate = best_layout(question, sums, n);
    if (candidate && candidate->verdict != "no") return n;
  }
  return std::nullopt;
}

std::vector<std::int64_t> counts_to_try(const Question& question) {
  const LayoutPins& pins = question.pins();
  if (pins.gpus) return {*pins.gpus};
  if (pins.dp && pins.tp) return {*pins.dp * *pins.tp};
  return question.gpu->counts_up_to(search_limit(question));
}

void keep_best(std::optional<Candidate>& chosen, const Candidate& candidate) {
  if (!chosen || better(candidate, *chosen)) chosen = candidate;
}

std::string no_layout(const Question& question, const std::vector<std::int64_t>& counts) {
  std::string text = "layout.gpus: no valid layout of " + question.model_id + " on " +
                     (counts.size() == 1 ? std::to_string(counts.front()) : "any count asked for");
  if (!refuses_several(question)) return text;
  return text + ": " + question.stack->refused.at(question.kind + "+multi-gpu");
}

/// Walks the rentable counts upwards until one fits.
void search_counts(const Question& question, const ModelSums& sums, Plan& found) {
  std::optional<Candidate> chosen;
  for (const std::int64_t n : counts_to_try(question)) {
    const auto candidate = best_layout(question, sums, n);
    if (!candidate) continue;
    found.counts.push_back(check_of(*candidate));
    keep_best(chosen, *candidate);
    if (candidate->verdict != "no" && !found.tight) found.tight = n;
    if (candidate->verdict == "fits") {
      found.rentable = n;
      break;
    }
  }
  if (!chosen) throw InputError(no_layout(question, counts_to_try(question)));
  found.chosen = *chosen;
}

void set_fewer(const Question& question, const ModelSums& sums, Plan& found) {
  const std::int64_t answer = found.chosen.job.layout.gpus();
  for (const CountCheck& check : found.counts) {
    if (check.gpus < answer) found.fewer = check;
  }
  const std::int64_t capacity = found.chosen.bill.capacity;
  if (!found.fewer) {
    if (found.chosen.verdict == "no") found.fingerprint = fingerprint(found.chosen.bill, capacity);
    return;
  }
  const auto before = best_layout(question, sums, found.fewer->gpus);
  if (before) found.fingerprint = fingerprint(before->bill, capacity);
}

}  // namespace

std::optional<Candidate> best_layout(const Question& question, std::int64_t gpus) {
  return best_layout(question, sum_model(question.jobs.at(Spread::kSingle).job), gpus);
}

Plan plan(const Question& question) {
  Plan found;
  const ModelSums sums = sum_model(question.jobs.at(Spread::kSingle).job);
  if (question.gpu == nullptr) {
    const LayoutPins& pins = question.pins();
    const std::int64_t gpus = pins.gpus ? *pins.gpus : pins.dp.value_or(1) * pins.tp.value_or(1);
    const auto only = best_layout(question, sums, gpus);
    if (!only) throw InputError("layout: no valid layout has " + std::to_string(gpus) + " GPUs");
    found.chosen = *only;
    return found;
  }
  search_counts(question, sums, found);
  const bool searched = !question.pins().gpus && !question.layout_given();
  const std::int64_t limit = search_limit(question);
  found.by_memory =
      searched ? smallest_by_memory(question, sums, found.tight.value_or(limit)) : found.tight;
  set_fewer(question, sums, found);
  found.binding = binding_words(question, found, limit);
  return found;
}

std::optional<std::int64_t> deadline_count(const Question& question, const Plan& plan,
                                           double deadline_hours) {
  if (!plan.rentable) return std::nullopt;
  const ModelSums sums = sum_model(question.jobs.at(Spread::kSingle).job);
  for (const std::int64_t n : question.gpu->counts_up_to(search_limit(question))) {
    if (n < *plan.rentable) continue;
    const auto candidate = best_layout(question, sums, n);
    if (!candidate || candidate->verdict != "fits") continue;
    const auto speed = throughput(candidate->job, candidate->sums, *question.gpu);
    if (!speed) return std::nullopt;
    const auto hours = run_hours(candidate->job, *speed);
    if (hours && hours->mid <= deadline_hours) return n;
  }
  return std::nullopt;
}

}  // namespace sizesheet
