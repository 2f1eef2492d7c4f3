// SPDX-License-Identifier: Apache-2.0
#include "sizing/diagnosis.h"

#include <map>

namespace sizesheet {
namespace {

struct Meaning {
  const char* bill;
  const char* remedy;
};

const Meaning& meaning_of(const std::string& phase, bool step1) {
  static const std::map<std::string, Meaning> kMeanings = {
      {"load",
       {"the weights alone are too many, or are held twice or in fp32 while they load",
        "shard them, quantise the base, or load in the dtype that trains"}},
      {"forward",
       {"activations kept for backward, or the blocks gathered from the other ranks; the layer it "
        "dies at says how much fits",
        "recompute, a smaller micro-batch, shorter or split sequences"}},
      {"loss",
       {"the logits: one allocation of tokens times vocabulary",
        "a fused or chunked loss, or a vocabulary split over ranks"}},
      {"loss_backward",
       {"the logits, their fp32 copy and its gradient, although it looks like the model's backward",
        "a fused or chunked loss, or a vocabulary split over ranks"}},
      {"block_backward",
       {"one rebuilt block beside gathered weights and the gradients so far",
        "a smaller micro-batch or shorter sequences, fused kernels, tensor parallelism"}},
      {"end_backward",
       {"gradients: of all weights, or of embedding and head trained in full",
        "shard gradients, keep them in 16 bits, apply each as it appears"}},
      {"optimizer_step",
       {"optimizer states, created in the first step: more is trained, or more bytes are kept for "
        "it, than was thought",
        "8-bit or 16-bit states, sharding, or adapters"}}};
  static const Meaning kLater = {
      "activations on top of the optimizer states that step 1 left behind: a first step that "
      "passed proved nothing",
      "whatever shrinks states or activations; count step 2, not step 1"};
  return step1 ? kMeanings.at(phase) : kLater;
}

}  // namespace

std::string phase_title(const std::string& phase) {
  std::string title = phase;
  for (char& c : title) {
    if (c == '_') c = ' ';
  }
  return title;
}

std::vector<PhaseCheck> phase_checks(const MemoryBill& bill) {
  const std::int64_t fixed = bill.device - bill.allocated;
  const auto over = [&](std::int64_t bytes) { return bill.capacity > 0 && bytes > bill.capacity; };
  const auto check = [&](const std::string& phase, std::int64_t step1, std::int64_t steady) {
    return PhaseCheck{phase, step1, steady, over(step1), over(steady)};
  };
  const std::int64_t loaded = bill.weights + bill.overhead;
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
  for (const PhaseCheck& check : checks) {
    if (!check.step1_over) continue;
    const Meaning& meaning = meaning_of(check.phase, true);
    const std::string when = check.phase == "load" ? "" : " of step 1";
    return {phase_title(check.phase) + when, meaning.bill, meaning.remedy};
  }
  for (const PhaseCheck& check : checks) {
    if (!check.steady_over) continue;
    const Meaning& meaning = meaning_of(check.phase, false);
    return {phase_title(check.phase) + " of step 2 and later", meaning.bill, meaning.remedy};
  }
  return {};
}

std::vector<PhaseMeaning> phase_meanings() {
  std::vector<PhaseMeaning> all;
  const auto add = [&](const std::string& phase, bool step1) {
    const Meaning& meaning = meaning_of(phase, step1);
    all.push_back({step1 ? phase_title(phase) : "any", step1 ? "step 1" : "step 2 and later",
                   meaning.bill, meaning.remedy});
  };
  add("load", true);
  for (const Phase phase : kPhases) add(name_of(phase), true);
  add("any", false);
  return all;
}

}  // namespace sizesheet
