// SPDX-License-Identifier: Apache-2.0
#include "sizing/advice/limits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "sizing/advice/levers.h"
#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/projections.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/layout_search.h"
#include "sizing/search/search.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {

std::string phase_title(std::string phase) {
  std::replace(phase.begin(), phase.end(), '_', ' ');
  return phase;
}

namespace {

std::string configuration(std::int64_t gpus, const Question& question) {
  return std::to_string(gpus) + " × " + question.gpu->short_name;
}

/// "38 GiB of 79.2 usable, over by 11.4, in loss backward"
std::string needs(std::int64_t device, std::int64_t capacity, const std::string& phase) {
  return format_gib(device, 1) + " GiB of " + format_gib(capacity, 1) + " usable" +
         (device > capacity ? ", over by " + format_gib(device - capacity, 1)
                            : ", which holds without the headroom") +
         ", in " + phase_title(phase);
}

std::string largest_words(const Candidate& candidate) {
  const Term term = candidate.largest();
  const std::int64_t bytes =
      candidate.generates_at_peak() ? candidate.grpo->generation.device : candidate.bill.of(term);
  return std::string(facts_of(term).words) + " " + format_gib(bytes, 1) + " GiB";
}

/// "full recompute", as the pages call it.
std::string recompute_of(const Job& job) {
  switch (job.recompute) {
    case Recompute::kNone:
      return "no recompute";
    case Recompute::kFull:
      return "full recompute";
    case Recompute::kSelective:
      return "selective recompute";
    case Recompute::kSublayer:
      return "recompute of sublayers";
    case Recompute::kModules:
      return "recompute of modules";
  }
  return "";
}

/// "44.9 GiB less with an 8-bit optimizer, and then it fits"; "" when nothing helps.
std::string lever_words(const Question& question, const Candidate& chosen) {
  if (chosen.largest() == Term::kGeneration) {
    return "a smaller grpo.memory_fraction, or generation on a server, leaves more of the card";
  }
  const auto lever = best_lever(question, chosen, largest_term(chosen.bill));
  if (!lever) return "";
  const bool fits = lever->verdict == Verdict::kFits;
  const std::string doubt =
      fits ? doubt_words(lever->verdict, lever->device_high, chosen.bill.capacity) : "";
  const std::string end = fits ? ", and then it fits" + (doubt.empty() ? "" : ", " + doubt)
                          : lever->verdict == Verdict::kTight
                              ? ", and then it holds without the headroom"
                              : "";
  return format_gib(lever->saved, 1) + " GiB less with " + lever->words + end;
}

/// What stays on a GPU however many share the job, largest first, and in words: kept activations,
/// the rebuilt block, the loss and what is gathered. States shrink with their number.
struct Unshared {
  explicit Unshared(const MemoryBill& bill) {
    std::vector<std::pair<std::int64_t, std::string>> parts;
    for (const TermFacts& one : kAllocatedTerms) {
      if (one.shared_from == kNotShared) parts.emplace_back(bill.terms[one.value], one.words);
    }
    std::sort(parts.rbegin(), parts.rend());
    for (const auto& [of_part, term] : parts) {
      bytes += of_part;
      if (of_part * 100 < bill.device) continue;
      words += (words.empty() ? "" : ", ") + term + " " + format_gib(of_part, 1);
    }
  }

  std::int64_t bytes = 0;
  std::string words;  ///< "activations kept 40.1, logits and loss 33.0"
};

/// Whether a larger count would help, and if not, which bytes stand in the way.
std::string count_words(const Question& question, std::int64_t gpus, std::int64_t limit) {
  if (gpus == limit && limit == question.gpu->max_gpus) return "no more GPUs are on offer";
  Question free = question;  // of the request's number of GPUs
  for (auto& [spread, read] : free.jobs) {
    read.pins.gpus.reset();
    read.pins.dp.reset();
  }
  LayoutSearch search(free, limit);
  if (search.holds_shared(limit)) return "more GPUs help";
  const auto whole = search.best(limit);
  if (!whole) return "more GPUs are not possible";
  if (whole->verdict != Verdict::kNo) return "more GPUs help";
  const MemoryBill& bill = whole->bill;
  const Unshared unshared(bill);
  if (unshared.bytes + bill.overhead > bill.capacity) {
    return "more GPUs do not help: what they do not share takes " + format_gib(unshared.bytes, 1) +
           " GiB of every card (" + unshared.words + ")";
  }
  // They help as long as doubling the count still shrinks the bill by a hundredth.
  const auto half = search.best(std::max<std::int64_t>(1, limit / 2));
  const bool shrinks = half && as_double(whole->device()) < 0.99 * as_double(half->device());
  return shrinks ? "more GPUs could help" : "more GPUs do not help";
}

std::string nothing_fits(const Question& question, const Plan& plan) {
  const MemoryBill& bill = plan.chosen.bill;
  const std::int64_t device = plan.chosen.device();
  const std::int64_t gpus = plan.chosen.job.layout.gpus();
  std::string text = plan.tight ? "Holds on " : "Does not fit on ";
  text += configuration(gpus, question);
  if (plan.tight) {
    text += " without the headroom (" + format_gib(device, 1) + " GiB of " +
            format_gib(bill.capacity, 1) + " usable). No count asked for has more room.";
  } else {
    if (!question.pins().gpus) text += ", the best count up to " + std::to_string(plan.limit);
    text += ": " + needs(device, bill.capacity, plan.chosen.peak_phase()) + ".";
  }
  text +=
      " Largest: " + largest_words(plan.chosen) + "; " + count_words(question, gpus, plan.limit);
  const std::string lever = lever_words(question, plan.chosen);
  return text + (lever.empty() ? "" : "; " + lever) + ".";
}

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

/// Whether the layout still fits, its job as it was before the card was known: what paging and a
/// full card changed is undone.
bool fits(const Question& question, const Candidate& chosen, std::int64_t micro_batch,
          std::int64_t seq_len) {
  Job job = chosen.job;
  job.paged_bytes = 0;
  job.overheads.room_bytes = question.single().overheads.room_bytes;
  job.micro_batch = micro_batch;  // the bytes are those of the longest samples
  job.seq_len = seq_len;
  return evaluate(job, question.gpu, chosen.stages).verdict == Verdict::kFits;
}

/// Longer sequences need more bytes, but may be cut over more ranks. Between two lengths at which
/// another degree of context parallelism comes in reach the layouts are the same, so that each
/// stretch is searched by halving.
std::optional<std::int64_t> next_count(const Question& asked, const Layout& chosen) {
  // A fixed split that does not divide 1,024 tokens refuses lengths that would fit.
  if (asked.layout_given() && kUnit % seq_len_step(chosen) != 0) return std::nullopt;
  Question question = asked;
  const double least = question.single().constants->value("search.context_parallel_tokens");
  std::int64_t from = 1;
  for (std::int64_t ranks = 2; from * kUnit <= kMostTokens; ranks *= 2) {
    const auto next = static_cast<std::int64_t>(std::ceil(least * as_double(ranks) / kUnit));
    const std::int64_t stretch = next - from;
    if (stretch <= 0) continue;
    const auto holds = [&](std::int64_t n) {
      const std::int64_t seq_len = (from + n - 1) * kUnit;
      question.for_each_job([&](Job& job) { job.seq_len = seq_len; });
      const auto candidate = best_layout(question, chosen.gpus());
      return candidate && candidate->verdict == Verdict::kFits;
    };
    if (!holds(stretch)) return (from + largest(stretch, holds).value_or(0)) * kUnit;
    from = next;
  }
  return std::nullopt;
}

constexpr PhaseMeaning kMeanings[] = {
    {"load", "step 1",
     "the weights alone are too many, or are held twice or in fp32 while they load",
     "shard them, quantise the base, or load in the dtype that trains"},
    {"forward", "step 1",
     "activations kept for backward, or the blocks gathered from the other ranks; the layer "
     "where it fails shows how much fits",
     "recompute, a smaller micro-batch, shorter or split sequences"},
    {"loss", "step 1", "the logits: one allocation of tokens times vocabulary",
     "a fused or chunked loss, or a vocabulary split over ranks"},
    {"loss backward", "step 1",
     "the logits, their fp32 copy and its gradient, although it looks like the model's backward",
     "a fused or chunked loss, or a vocabulary split over ranks"},
    {"block backward", "step 1",
     "one rebuilt block beside gathered weights and the gradients so far",
     "a smaller micro-batch or shorter sequences, fused kernels, tensor parallelism"},
    {"end backward", "step 1",
     "gradients: of all weights, or of embedding and head trained in full",
     "shard gradients, keep them in 16 bits, apply each as it appears"},
    {"optimizer step", "step 1",
     "optimizer states, created in the first step: more is trained, or more bytes are kept for "
     "it, than was thought",
     "8-bit or 16-bit states, sharding, or adapters"},
    {"any", "step 2 and later",
     "activations and the optimizer states, which are in memory from step 2 on: a first step that "
     "passes is no proof",
     "anything that shrinks states or activations; measure step 2, not step 1"}};

}  // namespace

std::string binding_words(const Question& question, const Plan& plan) {
  if (question.gpu == nullptr) return "";
  if (!plan.rentable) return nothing_fits(question, plan);
  const std::int64_t gpus = plan.chosen.job.layout.gpus();
  if (!plan.fewer) {
    const MemoryBill& bill = plan.chosen.bill;
    const std::string doubt = doubt_words(plan.chosen.verdict, bill.device_high, bill.capacity);
    return "Fits on " + configuration(gpus, question) + ", " + (doubt.empty() ? "" : doubt + "; ") +
           "the smallest count that was tried. With a micro-batch of " +
           std::to_string(plan.chosen.job.micro_batch) + " and " + recompute_of(plan.chosen.job) +
           ", the largest part of its memory is " + largest_words(plan.chosen) + ".";
  }
  const CountCheck& fewer = *plan.fewer;
  const std::string lever = plan.before ? lever_words(question, *plan.before) : "";
  return configuration(fewer.gpus, question) + " would need " +
         needs(fewer.device, plan.chosen.bill.capacity, fewer.peak_phase) +
         ". Largest: " + facts_of(value_of(kTerms, fewer.largest_term).value()).words +
         "; more GPUs help" + (lever.empty() ? "" : ", or " + lever) + ".";
}

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
    limits.micro_batch_power_of_two =
        static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(*limits.micro_batch)));
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

std::vector<PhaseCheck> phase_checks(const MemoryBill& bill) {
  const std::int64_t fixed = bill.device - bill.allocated;
  const auto over = [&](std::int64_t bytes) { return bill.capacity > 0 && bytes > bill.capacity; };
  const auto check = [&](const std::string& phase, std::int64_t step1, std::int64_t steady) {
    return PhaseCheck{phase, step1, steady, over(step1), over(steady)};
  };
  const std::int64_t loaded = bill.terms[Term::kWeights] + bill.overhead;
  std::vector<PhaseCheck> checks{check("load", loaded, loaded)};
  for (const Phase phase : kPhases) {
    const std::string name = name_of(phase);
    checks.push_back(
        check(name, bill.phases_step1.in(phase) + fixed, bill.phases.in(phase) + fixed));
  }
  return checks;
}

Death death_of(const MemoryBill& bill) {
  const std::vector<PhaseCheck> checks = phase_checks(bill);
  for (const bool step1 : {true, false}) {
    for (const PhaseCheck& check : checks) {
      if (!(step1 ? check.step1_over : check.steady_over)) continue;
      const std::string phase = phase_title(check.phase);
      const PhaseMeaning& meaning = *std::ranges::find(
          kMeanings, step1 ? std::string_view(phase) : "any", &PhaseMeaning::phase);
      return {check.phase == "load" ? phase : phase + " of " + meaning.when, meaning.bill,
              meaning.remedy};
    }
  }
  return {};
}

std::span<const PhaseMeaning> phase_meanings() { return kMeanings; }

}  // namespace sizesheet
