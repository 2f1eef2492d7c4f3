// SPDX-License-Identifier: Apache-2.0
// Figures of requests against arithmetic that can be done on paper, and orders that must hold
// between them. The cases stand in tests/oracles/cases_*.json; cases_memory.json says their form.
#include <gtest/gtest.h>

#include <string>

#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/working_pieces.h"
#include "sizing/sized.h"
#include "sizing/time/exchange.h"
#include "sizing/time/forward_flops.h"
#include "sizing/time/step_work.h"
#include "support/cases.h"
#include "support/json.h"
#include "support/named.h"

namespace sizesheet {
namespace {

Json pieces_json(const Pieces<double>& p) {
  return {{"weights", p.weights},
          {"adapters", p.adapters},
          {"moments", p.moments},
          {"gradients", p.gradients},
          {"autocast_cache", p.autocast_cache},
          {"dequantised", p.dequantised},
          {"kept", p.kept},
          {"loss_forward", p.loss_forward},
          {"loss_backward", p.loss_backward},
          {"step_transient", p.step_transient}};
}

Json work_json(const Job& job) {
  const StepWork work = step_work(job);
  return {
      {"matmul_flops", work.matmul_flops},     {"attention_flops", work.attention_flops},
      {"scan_flops", work.scan_flops},         {"logit_bytes", work.logit_bytes},
      {"hooked_modules", work.hooked_modules}, {"data_parallel_bytes", data_parallel_bytes(job)}};
}

Json job_json(const Job& job) {
  Json layers = Json::array();
  Json first_layers = Json::array();
  for (std::int64_t chunk = 0; chunk < job.layout.pp; ++chunk) {
    layers.push_back(chunk_range(job, chunk).count);
    first_layers.push_back(chunk_range(job, chunk).from);
  }
  Json blocks = Json::array();
  for (const Stage& stage : stages_of(job)) {
    std::int64_t count = 0;
    for (const StageKind& kind : stage.kinds) count += kind.count;
    blocks.push_back(count);
  }
  Json json = {{"layers", layers},
               {"first_layers", first_layers},
               {"blocks", blocks},
               {"vocab", job.model->vocab},
               {"loss", job.loss},
               {"packed", job.packed},
               {"seq_len", job.seq_len},
               {"grad_accum", job.grad_accum},
               {"tokens", job.tokens.value_or(0)},
               {"tokens_per_rank", job.tokens_per_rank()},
               {"fp8_copy_bytes", job.fp8_copy_bytes},
               {"fp8_input_bytes", job.fp8_input_bytes}};
  if (job.training) json["reference"] = id_of(kReferences, job.training->reference);
  return json;
}

/// The answer to a request, and what the program works out on the way to it.
Json facts_of(const Json& request) {
  const Sizing sizing = sized(request);
  const Job& job = sizing.plan.chosen.job;
  const Stage stage = stages_of(job).back();
  const ForwardFlops forward = forward_flops(job);
  Json facts = to_json(sizing);
  facts["job"] = job_json(job);
  facts["work"] = work_json(job);
  facts["pieces"] = pieces_json(memory_pieces<double>(job, stage));
  facts["stage"] = {
      {"matrix", stage.matrix}, {"replicated", stage.replicated}, {"root", stage.root}};
  facts["forward"] = {{"dense", forward.dense}, {"head", forward.head}};
  if (sizing.speed) {
    facts["clocks"] = facts.at("throughput").at("clocks");
    facts["clocks"]["total"] = sizing.speed->clocks.total();
    facts["step"] = facts.at("throughput").value("step_seconds", Json::object());
  }
  if (request.contains("gpu")) facts["gpu"] = project_catalog().gpu(request.at("gpu")).raw;
  return facts;
}

class WorkedCases : public testing::TestWithParam<const char*> {};

TEST_P(WorkedCases, Hold) {
  expect_cases(oracle(std::string("cases_") + GetParam() + ".json"), facts_of);
}

INSTANTIATE_TEST_SUITE_P(Oracles, WorkedCases, testing::Values("memory", "time", "grpo"));

double figure_of(const Job& job, const std::string& measure) {
  if (measure == "flops") {
    const StepWork work = step_work(job);
    return work.matmul_flops + work.expert_flops + work.attention_flops + work.scan_flops;
  }
  const auto pieces = memory_pieces<double>(job, stages_of(job).back());
  return measure == "loss_forward" ? pieces.loss_forward : pieces.loss_backward;
}

TEST(Objective, EveryWorkedExample) {
  // What the engine counts beyond an example stands under "added", with why.
  const Json rows = oracle("objective.json").at("cases");
  for (const Json& row : rows) {
    const double got = figure_of(sized(row.at("request")).plan.chosen.job, row.at("measure")) /
                       row.value("examples", 1.0);
    const double expected = row.at("expected").get<double>() + row.value("added", 0.0);
    EXPECT_NEAR(got / expected, 1, 1e-9) << row.at("name");
    EXPECT_EQ(row.contains("added"), row.contains("why")) << row.at("name");
  }
}

}  // namespace
}  // namespace sizesheet
