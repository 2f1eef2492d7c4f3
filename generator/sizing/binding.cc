// SPDX-License-Identifier: Apache-2.0
#include "sizing/binding.h"

#include "sizing/memory_terms.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string configuration(std::int64_t gpus, const Question& question) {
  return std::to_string(gpus) + " × " + question.gpu->short_name;
}

std::string phase_words(std::string phase) {
  for (char& c : phase) {
    if (c == '_') c = ' ';
  }
  return phase;
}

/// "38 GiB needed of 79.2 usable, over by 11.4, in loss backward"
std::string needs(const CountCheck& check, std::int64_t capacity) {
  std::string text = format_gib(check.device, 1) + " GiB of " + format_gib(capacity, 1) + " usable";
  text += check.over > 0 ? ", over by " + format_gib(check.over, 1)
                         : ", which holds without the headroom";
  return text + ", in " + phase_words(check.peak_phase);
}

std::string lower(std::string title) {
  if (!title.empty() && title[0] >= 'A' && title[0] <= 'Z')
    title[0] = static_cast<char>(title[0] + 32);
  return title;
}

std::string largest_words(const Candidate& candidate) {
  const std::string term = candidate.largest();
  const std::int64_t bytes = candidate.generates_at_peak() ? candidate.grpo->generation.device
                                                           : term_bytes(candidate.bill, term);
  return lower(term_title(term)) + " " + format_gib(bytes, 1) + " GiB";
}

/// More GPUs help as long as doubling the count still shrinks the bill by a hundredth.
bool more_gpus_help(const Question& question, std::int64_t limit) {
  const auto half = best_layout(question, std::max<std::int64_t>(1, limit / 2));
  const auto whole = best_layout(question, limit);
  if (!half || !whole) return false;
  return static_cast<double>(whole->device()) < 0.99 * static_cast<double>(half->device());
}

std::string nothing_fits(const Question& question, const Plan& plan, std::int64_t limit) {
  const MemoryBill& bill = plan.chosen.bill;
  const std::int64_t device = plan.chosen.device();
  const std::int64_t gpus = plan.chosen.job.layout.gpus();
  std::string text = plan.tight ? "Holds on " : "Does not fit on ";
  text += configuration(gpus, question);
  if (plan.tight) {
    text += " without the headroom (" + format_gib(device, 1) + " GiB of " +
            format_gib(bill.capacity, 1) + " usable), and no count on offer has more room.";
  } else {
    if (!question.pins().gpus) text += ", the best count up to " + std::to_string(limit);
    text += ": " + format_gib(device, 1) + " GiB of " + format_gib(bill.capacity, 1) +
            " usable, over by " + format_gib(device - bill.capacity, 1) + ", in " +
            phase_words(plan.chosen.peak_phase()) + ".";
  }
  const std::string term = plan.chosen.largest();
  text += " Largest: " + largest_words(plan.chosen) + "; ";
  text += more_gpus_help(question, limit) ? "more GPUs could help, or " : "more GPUs do not help; ";
  return text + lever_for(term) + ".";
}

}  // namespace

std::string lever_for(const std::string& term) {
  if (term == "weights") return "a 4-bit base";
  if (term == "gradients" || term == "optimizer") return "an 8-bit optimizer, bf16 states or LoRA";
  if (term == "activations") return "shorter sequences, a smaller micro-batch or full recompute";
  if (term == "recompute") return "shorter sequences, a smaller micro-batch or tensor parallelism";
  if (term == "logits") return "fused linear cross-entropy";
  if (term == "working_set") return "tensor parallelism, which divides the gathered blocks";
  if (term == "generation") return "a smaller grpo.memory_fraction, or generation on a server";
  return "a smaller rank";
}

std::string binding_words(const Question& question, const Plan& plan, std::int64_t limit) {
  if (!plan.rentable) return nothing_fits(question, plan, limit);
  const std::int64_t gpus = plan.chosen.job.layout.gpus();
  if (!plan.fewer) {
    return "Fits on " + configuration(gpus, question) +
           ", the smallest count asked for; largest: " + largest_words(plan.chosen) + ".";
  }
  const CountCheck& fewer = *plan.fewer;
  return configuration(fewer.gpus, question) + " would need " +
         needs(fewer, plan.chosen.bill.capacity) +
         ". Largest: " + lower(term_title(fewer.largest_term)) + "; more GPUs help, or " +
         lever_for(fewer.largest_term) + ".";
}

}  // namespace sizesheet
