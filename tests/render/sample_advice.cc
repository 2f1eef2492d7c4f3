// SPDX-License-Identifier: Apache-2.0
#include "render/sample_advice.h"

#include "support/text.h"

namespace sizesheet::sample {
namespace {

SheetAdviceRun run(const std::string& title, std::int64_t device, Verdict verdict,
                   std::optional<double> speed) {
  SheetAdviceRun run;
  run.title = title;
  run.request = {{"gpu", "h100-sxm"}, {"model", "llama-3.1-8b"}};
  run.layout.gpus = 8;
  run.trainable = 20'971'520;
  run.device = device;
  run.capacity = static_cast<std::int64_t>(79.2 * kGiB);
  run.verdict = verdict;
  run.tokens_per_second_per_gpu = speed;
  return run;
}

SheetAdviceRun refused() {
  SheetAdviceRun run;
  run.title = "over nodes";
  run.request = {{"gpu", "h100-sxm"}, {"layout", {{"tp", 16}}}};
  run.refusal = "layout.tp: tensor parallelism stays inside a node of 8 GPUs, got 16";
  return run;
}

SheetAdviceEntry entry(const std::string& id, const std::string& basis) {
  SheetAdviceEntry entry;
  entry.id = id;
  entry.title = "About " + id;
  entry.words = "What to know about " + id + ".";
  entry.basis = basis;
  entry.source = basis == "rule" ? "https://example.org/" + id : "a talk about " + id;
  entry.date = "2026-11";
  return entry;
}

SheetAdviceTopic techniques() {
  SheetAdviceEntry shown = entry("thrift", "rule");
  shown.acts_on = "activations";
  shown.setting = "thrift=True";
  shown.runs = {run("8B without", 160'000'000'000, Verdict::kNo, 10'000.0),
                run("8B with", 30'000'000'000, Verdict::kFits, 8'000.0)};
  SheetAdviceEntry unknown = entry("haste", "claim");
  unknown.acts_on = "weights";
  unknown.runs = {run("8B", 30'000'000'000, Verdict::kFits, std::nullopt),
                  run("8B", 30'000'000'000, Verdict::kFits, std::nullopt)};
  SheetAdviceEntry told = entry("hearsay", "claim");
  told.acts_on = "nothing";
  return {{"techniques", "Techniques", "Each acts on one bill.", "techniques"},
          {shown, unknown, told}};
}

SheetAdviceTopic warnings() {
  SheetAdviceEntry noted = entry("idle", "rule");
  noted.runs = {run("idle", 30'000'000'000, Verdict::kFits, 1.0)};
  noted.runs[0].note = "idle: it trains nothing";
  SheetAdviceEntry stopped = entry("nodes", "rule");
  stopped.runs = {refused()};
  return {{"warnings", "Warnings", "What the tool says.", "warnings"}, {noted, stopped}};
}

SheetAdviceTopic targets() {
  SheetAdviceEntry safe = entry("q_proj", "rule");
  safe.acts_on = "attention";
  safe.runs = {run("q_proj", 30'000'000'000, Verdict::kFits, 1.0)};
  return {{"targets", "Targets", "What is safe.", "targets"}, {safe}};
}

SheetAdviceTopic symptoms() {
  SheetAdviceEntry slow = entry("slow", "reported");
  slow.cause = "it waits";
  slow.remedy = "do not wait";
  return {{"diagnosis", "Diagnosis", "Where it dies.", "symptoms"}, {slow}};
}

SheetAdviceTopic notes() {
  SheetAdviceEntry shown = entry("sharding", "rule");
  shown.runs = {run("whole", 100'000'000'000, Verdict::kNo, 1.0),
                run("shared", 79'000'000'000, Verdict::kTight, 1.0), refused()};
  return {{"notes", "Notes", "What else.", "notes"}, {shown, entry("spot", "claim")}};
}

SheetAdviceTopic settings() {
  SheetAdviceEntry flag = entry("flag", "rule");
  flag.setting = "--flag";
  return {{"settings", "Settings", "What to write.", "settings"}, {flag}};
}

std::vector<SheetCardTier> tiers() {
  SheetCard small{"t4", "T4", 16, static_cast<std::int64_t>(14.6 * kGiB), {}};
  SheetCardAnswer none;
  none.method = "full";
  none.gpus = 1;
  SheetCardAnswer some;
  some.method = "lora-r16";
  some.gpus = 1;
  some.model = "llama-3.1-8b";
  some.device = 12'000'000'000;
  small.answers = {none, some};
  SheetCard large{"h100-sxm", "H100", 80, static_cast<std::int64_t>(79.2 * kGiB), {none, some}};
  some.gpus = 8;
  some.model = "llama-3.1-70b";
  large.answers.push_back(some);
  return {{std::nullopt, 24, {small}}, {24, 80, {}}, {80, std::nullopt, {large}}};
}

}  // namespace

SheetAdvice advice() {
  SheetAdviceTopic choosing{{"choosing", "Which method", "Begin with the card.", "cards"},
                            {entry("full", "claim")}};
  SheetAdvice advice;
  advice.topics = {choosing, techniques(), warnings(), targets(), symptoms(), notes(), settings()};
  advice.tiers = tiers();
  advice.phases = {{"loss backward", "step 1", "the logits", "a fused loss"},
                   {"any", "step 2 and later", "activations on top", "count step 2"}};
  return advice;
}

}  // namespace sizesheet::sample
