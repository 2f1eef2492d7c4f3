// SPDX-License-Identifier: Apache-2.0
// GRPO as a workload beyond the cases of tests/oracles/cases_grpo.json: formulas, a search, and
// every model of the catalog.
#include <gtest/gtest.h>

#include <cmath>

#include "sizing/estimate.h"
#include "sizing/memory/generation.h"
#include "sizing/sized.h"
#include "support/formula_evaluator.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// LoRA on Llama 3.1 8B, one H100, with these keys of `grpo` and of `workload`.
std::string lora_8b(const std::string& grpo, const std::string& workload = "") {
  return R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "layout": {"gpus": 1},
             "method": {"kind": "lora", "rank": 16, "targets": "all-linear"},
             "kernels": {"recompute": "full"}, "workload": {)" +
         workload + R"(}, "grpo": {)" + grpo + "}}";
}

/// Full fine-tuning of Qwen2.5 7B on 8 sharded H100 with these keys of `grpo`; a key that is null
/// is left out.
Json full_7b(const Json& grpo, const Json& workload = Json::object()) {
  Json request = {{"model", "qwen2.5-7b"},
                  {"gpu", "h100-sxm"},
                  {"method", {{"kind", "full"}}},
                  {"state", "fsdp-mixed"},
                  {"kernels", {{"recompute", "full"}}},
                  {"layout", {{"gpus", 8}, {"tp", 1}, {"shard", "zero3"}}},
                  {"workload", workload},
                  {"grpo",
                   {{"prompts_per_step", 128},
                    {"completion_mean", 600},
                    {"prompt_mean", 200},
                    {"memory_fraction", 0.5}}}};
  request["grpo"].update(grpo);
  return request;
}

/// The same with four servers beside the trainer's cards, unless `grpo` says otherwise.
Json served_7b(const Json& grpo) {
  Json served = {{"generation", "server"}, {"generation_gpus", 4}, {"memory_fraction", 0.9}};
  served.update(grpo);
  return full_7b(served);
}

TEST(Grpo, LatentAttentionCachesOneVectorWholeOnEveryRank) {
  Job job = ask(R"({"model": "deepseek-v3", "gpu": "b300",
      "method": {"kind": "lora", "rank": 8, "targets": "all-linear"},
      "kernels": {"recompute": "full"}, "layout": {"gpus": 64, "tp": 8, "ep": 64},
      "grpo": {"generation": "server", "generation_gpus": 8, "generation_tp": 8}})")
                .plan.chosen.job;
  const std::int64_t cache = 61 * (512 + 64) * 2 * 1536;
  EXPECT_EQ(sequence_cache_term(job).bytes, cache);
  job.grpo->generation_tp = 1;
  EXPECT_EQ(sequence_cache_term(job).bytes, cache);
  job.grpo->kv_bytes = 1;
  EXPECT_EQ(sequence_cache_term(job).bytes, cache / 2);
}

TEST(Grpo, PrintedFormulasGiveThePrintedBytes) {
  for (const std::string grpo :
       {R"("memory_fraction": 0.5)", R"("generation": "server", "generation_gpus": 4,
          "generation_tp": 4, "kv_dtype": "fp8")"}) {
    const Sizing sizing = ask(lora_8b(grpo));
    std::vector<MemoryTerm> terms =
        generation_terms(sizing.plan.chosen.job, sizing.plan.chosen.bill.capacity);
    std::int64_t sum = 0;
    for (const MemoryTerm& term : terms) sum += term.bytes;
    EXPECT_EQ(sum, sizing.plan.chosen.grpo->generation.device);
    terms.push_back(sequence_cache_term(sizing.plan.chosen.job));
    for (const MemoryTerm& term : terms) {
      EXPECT_NEAR(evaluate(term.formula), static_cast<double>(term.bytes), 0.5) << term.name;
    }
  }
}

TEST(GrpoHours, SearchForTimeAndDeadlineCountTheWholeStep) {
  Json request = full_7b(Json::object(), {{"examples", 6400}});
  request.erase("layout");
  request["objective"] = "time";
  request["max_gpus"] = 32;
  const Sizing sizing = sized(request);
  EXPECT_TRUE(sizing.hours);
  request["deadline_hours"] = sizing.hours->mid / 1.5;
  EXPECT_GT(sized(request).recommended.value(), sizing.plan.chosen.job.layout.gpus());
}

/// LoRA of any model beside a server over eight GPUs, split as far as the model lets itself be.
std::optional<Question> server_of(const std::string& model) {
  for (const int tp : {8, 4, 2, 1}) {
    Json request = served_7b({{"generation_gpus", 8}, {"generation_tp", tp}});
    request["model"] = model;
    request["gpu"] = "b300";
    request["method"] = {{"kind", "lora"}, {"rank", 8}, {"targets", "attention"}};
    request["state"] = "peft-fp32";
    Faults faults;
    Question question =
        read_question(request, project_catalog(), project_catalog().engine.current, faults);
    if (faults.empty()) return question;
    // A trillion parameters in 16 bits do not fit into eight cards.
    EXPECT_TRUE(tp > 1 || starts_with(model, "kimi-k2")) << faults.request_text();
  }
  return std::nullopt;
}

TEST(GrpoHours, EveryModelOfTheCatalogIsTimed) {
  for (const auto& [id, model] : project_catalog().models) {
    const auto question = server_of(id);
    if (!question) continue;
    const Sizing sizing = answer(*question);
    ASSERT_TRUE(sizing.speed) << id;
    for (const NamedClock& part : parts_of(*sizing.speed)) {
      EXPECT_TRUE(std::isfinite(part.seconds) && part.seconds > 0) << id << " " << part.id;
    }
  }
}

}  // namespace
}  // namespace sizesheet
