// SPDX-License-Identifier: Apache-2.0
// GRPO as a workload beyond the cases of tests/oracles/cases_grpo.json: formulas, a search, and
// every model of the catalog.
#include <gtest/gtest.h>

#include <cmath>

#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/generation.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/sized.h"
#include "sizing/time/clocks.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/formula_evaluator.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A base request of the cases.
Json base_of_cases(const std::string& name) {
  return oracle("cases_grpo.json").at("bases").at(name);
}

TEST(Grpo, LatentAttentionCachesOneVectorWholeOnEveryRank) {
  Job job = sized(base_of_cases("deepseek")).plan.chosen.job;
  const std::int64_t cache = 61 * (512 + 64) * 2 * 1536;
  EXPECT_EQ(sequence_cache_term(job).bytes, cache);
  job.grpo->generation_tp = 1;
  EXPECT_EQ(sequence_cache_term(job).bytes, cache);
  job.grpo->kv_bytes = 1;
  EXPECT_EQ(sequence_cache_term(job).bytes, cache / 2);
}

TEST(Grpo, PrintedFormulasGiveThePrintedBytes) {
  const Json served = {
      {"generation", "server"}, {"generation_gpus", 4}, {"generation_tp", 4}, {"kv_dtype", "fp8"}};
  for (const Json& grpo : {Json{{"memory_fraction", 0.5}}, served}) {
    Json request = base_of_cases("lora-8b");
    request["grpo"] = grpo;
    const Sizing sizing = sized(request);
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
  Json request = base_of_cases("full-7b");
  request["workload"]["examples"] = 6400;
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
    Json request = base_of_cases("served-7b");
    request["grpo"].update({{"generation_gpus", 8}, {"generation_tp", tp}});
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
