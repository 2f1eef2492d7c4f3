// SPDX-License-Identifier: Apache-2.0
#include "sizing/binding.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sizing/levers.h"
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

std::string largest_words(const Candidate& candidate) {
  const std::string term = candidate.largest();
  const std::int64_t bytes = candidate.generates_at_peak() ? candidate.grpo->generation.device
                                                           : term_bytes(candidate.bill, term);
  return std::string(term_name(term)->words) + " " + format_gib(bytes, 1) + " GiB";
}

/// The request without its number of GPUs.
Question any_count(const Question& question) {
  Question free = question;
  for (auto& [spread, read] : free.jobs) {
    read.pins.gpus.reset();
    read.pins.dp.reset();
  }
  return free;
}

/// "44.9 GiB less with an 8-bit optimizer, and then it fits"; "" when nothing helps.
std::string lever_words(const Question& question, const Candidate& chosen) {
  if (chosen.largest() == "generation") {
    return "a smaller grpo.memory_fraction, or generation on a server, leaves more of the card";
  }
  const auto lever = best_lever(question, chosen, largest_term(chosen.bill));
  if (!lever) return "";
  const std::string end = lever->verdict == "fits"    ? ", and then it fits"
                          : lever->verdict == "tight" ? ", and then it holds without the headroom"
                                                      : "";
  return format_gib(lever->saved, 1) + " GiB less with " + lever->words + end;
}

/// "activations kept 40.1, logits and loss 33.0": the terms more GPUs leave alone, largest first.
std::string unshared_words(const MemoryBill& bill) {
  std::vector<std::pair<std::int64_t, std::string>> parts;
  for (const char* term : {"activations", "recompute", "logits", "working_set"}) {
    const std::int64_t bytes = term_bytes(bill, term);
    if (bytes * 100 >= bill.device) parts.emplace_back(bytes, term);
  }
  std::sort(parts.rbegin(), parts.rend());
  std::vector<std::string> words;
  for (const auto& [bytes, term] : parts) {
    words.push_back(std::string(term_name(term)->words) + " " + format_gib(bytes, 1));
  }
  return join(words, ", ");
}

/// Whether a larger count would help, and if not, which bytes stand in the way.
std::string count_words(const Question& question, std::int64_t gpus, std::int64_t limit) {
  if (gpus == limit && limit == question.gpu->max_gpus) return "no more GPUs are on offer";
  const Question free = any_count(question);
  LayoutSearch search(free, limit);
  const auto whole = search.best(limit);
  if (!whole) return "more GPUs are not possible";
  if (whole->verdict != "no") return "more GPUs help";
  const MemoryBill& bill = whole->bill;
  if (unshared_bytes(bill) + bill.overhead > bill.capacity) {
    return "more GPUs do not help: what they do not share takes " +
           format_gib(unshared_bytes(bill), 1) + " GiB of every card (" + unshared_words(bill) +
           ")";
  }
  // They help as long as doubling the count still shrinks the bill by a hundredth.
  const auto half = search.best(std::max<std::int64_t>(1, limit / 2));
  const bool shrinks =
      half && static_cast<double>(whole->device()) < 0.99 * static_cast<double>(half->device());
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
            format_gib(bill.capacity, 1) + " usable), and no count asked for has more room.";
  } else {
    if (!question.pins().gpus) text += ", the best count up to " + std::to_string(plan.limit);
    text += ": " + format_gib(device, 1) + " GiB of " + format_gib(bill.capacity, 1) +
            " usable, over by " + format_gib(device - bill.capacity, 1) + ", in " +
            phase_words(plan.chosen.peak_phase()) + ".";
  }
  text +=
      " Largest: " + largest_words(plan.chosen) + "; " + count_words(question, gpus, plan.limit);
  const std::string lever = lever_words(question, plan.chosen);
  return text + (lever.empty() ? "" : "; " + lever) + ".";
}

}  // namespace

std::int64_t unshared_bytes(const MemoryBill& bill) {
  return bill.activations + bill.recompute + bill.logits + bill.working_set;
}

std::string binding_words(const Question& question, const Plan& plan) {
  if (question.gpu == nullptr) return "";
  if (!plan.rentable) return nothing_fits(question, plan);
  const std::int64_t gpus = plan.chosen.job.layout.gpus();
  if (!plan.fewer) {
    return "Fits on " + configuration(gpus, question) +
           ", the smallest count asked for; largest: " + largest_words(plan.chosen) + ".";
  }
  const CountCheck& fewer = *plan.fewer;
  const std::string lever = plan.before ? lever_words(question, *plan.before) : "";
  return configuration(fewer.gpus, question) + " would need " +
         needs(fewer, plan.chosen.bill.capacity) +
         ". Largest: " + term_name(fewer.largest_term)->words + "; more GPUs help" +
         (lever.empty() ? "" : ", or " + lever) + ".";
}

}  // namespace sizesheet
