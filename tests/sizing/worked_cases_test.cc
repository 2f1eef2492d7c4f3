// SPDX-License-Identifier: Apache-2.0
// Figures of requests against arithmetic that can be done on paper, and orders that must hold
// between them. The cases stand in tests/oracles/cases_*.json; cases_memory.json says their form.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "sizing/memory/pieces.h"
#include "sizing/sized.h"
#include "sizing/time/clocks.h"
#include "support/formula_evaluator.h"

namespace sizesheet {
namespace {

using CaseFigures = std::map<std::string, double>;

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

void add_figures(const Json& json, const std::string& name, CaseFigures& figures) {
  if (json.is_number()) figures[name] = json.get<double>();
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    add_figures(value, name.empty() ? key : name + "." + key, figures);
  }
}

CaseFigures figures_in(const Json& facts) {
  CaseFigures figures;
  add_figures(facts, "", figures);
  for (const Constant& constant : project_catalog().engine.constants) {
    figures["constants." + constant.id] = constant.current;
  }
  return figures;
}

Json changed_by(Json request, const Json& patch) {
  request.merge_patch(patch);
  return request;
}

/// What a case's own request gives, and under the name of each other one what that gives.
Json all_facts(const Json& base, const Json& row) {
  const Json others = row.value("given", Json::object());
  const bool own = row.contains("with") || others.empty();
  Json facts = own ? facts_of(changed_by(base, row.value("with", Json::object()))) : Json::object();
  for (const auto& [name, patch] : others.items()) {
    facts[name] = facts_of(changed_by(base, patch));
  }
  return facts;
}

double value_of(const Json& expression, const CaseFigures& figures) {
  return evaluate_expression(expression.get<std::string>(), figures);
}

void expect_equal(const Json& row, const CaseFigures& figures) {
  const Json pairs = row.value("equal", Json::array());
  for (const Json& pair : pairs) {
    const double got = value_of(pair.at(0), figures);
    const double wanted = value_of(pair.at(1), figures);
    if (pair.size() == 2) {
      EXPECT_DOUBLE_EQ(got, wanted) << pair;
    } else {
      EXPECT_NEAR(got, wanted, value_of(pair.at(2), figures)) << pair;
    }
  }
  const Json deviations = row.value("deviates", Json::object());
  for (const auto& [example, expression] : deviations.items()) {
    const Json deviation = oracle("engine_deviations.json").at("worked").at(example);
    const double ours = value_of(expression, figures);
    EXPECT_NEAR(ours, deviation.at("engine").get<double>(), 1e-9 * ours) << example;
    EXPECT_NE(deviation.at("engine"), deviation.at("reference")) << example;
  }
}

void expect_order(const Json& row, const CaseFigures& figures) {
  for (const bool strict : {true, false}) {
    const Json chains = row.value(strict ? "rising" : "not_falling", Json::array());
    for (const Json& chain : chains) {
      for (std::size_t i = 1; i < chain.size(); ++i) {
        const double before = value_of(chain[i - 1], figures);
        const double after = value_of(chain[i], figures);
        EXPECT_TRUE(before < after || (!strict && before == after))
            << chain[i - 1] << " is " << before << ", " << chain[i] << " is " << after;
      }
    }
  }
}

void expect_words(const Json& row, const Json& facts) {
  const Json said = row.value("said", Json::object());
  for (const auto& [place, value] : said.items()) {
    EXPECT_EQ(facts.at(Json::json_pointer(place)), value) << place;
  }
  const Json unsaid = row.value("unsaid", Json::array());
  for (const std::string place : unsaid) {
    EXPECT_FALSE(facts.contains(Json::json_pointer(place))) << place;
  }
  const Json told = row.value("told", Json::array());
  for (const Json& line : told) {
    EXPECT_EQ(std::ranges::count(facts.at("warnings"), line), 1) << facts.at("warnings");
  }
  const Json untold = row.value("untold", Json::array());
  for (const std::string beginning : untold) {
    for (const std::string line : facts.at("warnings")) {
      EXPECT_FALSE(line.starts_with(beginning)) << line;
    }
  }
}

void expect_sweep(const Json& base, const Json& row) {
  const Json::json_pointer place(row.at("sweep").at(0).get<std::string>());
  CaseFigures before;
  for (const Json& value : row.at("sweep").at(1)) {
    Json request = changed_by(base, row.value("with", Json::object()));
    request[place] = value;
    const CaseFigures figures = figures_in(facts_of(request));
    const Json never_fall = row.value("never_fall", Json::array());
    for (const std::string name : never_fall) {
      EXPECT_TRUE(before.empty() || before.at(name) <= figures.at(name)) << name << " " << value;
    }
    const Json never_rise = row.value("never_rise", Json::array());
    for (const std::string name : never_rise) {
      EXPECT_TRUE(before.empty() || before.at(name) >= figures.at(name)) << name << " " << value;
    }
    before = figures;
  }
}

void expect_case(const Json& base, const Json& row) {
  if (row.contains("sweep")) return expect_sweep(base, row);
  const Json facts = all_facts(base, row);
  const CaseFigures figures = figures_in(facts);
  expect_equal(row, figures);
  expect_order(row, figures);
  expect_words(row, facts);
}

class WorkedCases : public testing::TestWithParam<const char*> {};

TEST_P(WorkedCases, Hold) {
  const Json file = oracle(std::string("cases_") + GetParam() + ".json");
  for (const Json& row : file.at("cases")) {
    SCOPED_TRACE(row.at("case").get<std::string>());
    try {
      expect_case(file.at("bases").at(row.at("on").get<std::string>()), row);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
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
