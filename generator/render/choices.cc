// SPDX-License-Identifier: Apache-2.0
#include "render/choices.h"

#include "sheet/sheet.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string accumulation_words(std::int64_t steps) {
  return steps == 1 ? "no accumulation" : format_integer(steps) + " steps of accumulation";
}

/// "no recompute", "full recompute", "recompute of sublayers".
std::string recompute_words(const std::string& recompute) {
  if (recompute == "none") return "no recompute";
  if (recompute == "full" || recompute == "selective") return recompute + " recompute";
  return "recompute of " + recompute + (recompute.ends_with("s") ? "" : "s");
}

std::string words_with(const JobChoices& choices, const std::string& behind_rank) {
  std::string words = "micro-batch " + format_integer(choices.micro_batch) + ", " +
                      accumulation_words(choices.grad_accum);
  if (choices.lora_rank) words += ", rank " + format_integer(*choices.lora_rank) + behind_rank;
  return words + ", " + recompute_words(choices.recompute);
}

}  // namespace

std::string choice_words(const JobChoices& choices) { return words_with(choices, ""); }

std::string full_choice_words(const JobChoices& choices) {
  const std::string on = choices.lora_targets ? " on " + *choices.lora_targets : "";
  return words_with(choices, on) + ", loss " + choices.loss + ", optimizer " + choices.optimizer;
}

}  // namespace sizesheet
