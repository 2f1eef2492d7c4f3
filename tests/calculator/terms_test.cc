// SPDX-License-Identifier: Apache-2.0
// The formulas of hours and dollars give the figures that stand beside them, on requests drawn at
// random.
#include "calculator/terms.h"

#include <gtest/gtest.h>

#include <cmath>

#include "calculator/estimates.h"
#include "cli/program.h"
#include "cost/cost_line.h"
#include "sheet/rows/size_row.h"
#include "sizing/answer/estimate.h"
#include "sizing/random_request.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/time/throughput.h"
#include "support/due.h"
#include "support/error.h"
#include "support/formula_evaluator.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

MoneyAnswers& money() {
  static MoneyAnswers answers(EstimateRules{kCatalog, "quarterly", ""});
  return answers;
}

template <typename Line>
const Line* line_of(const std::vector<Line>& lines, const std::string& name) {
  const auto found = std::ranges::find(lines, name, &Line::name);
  return found == lines.end() ? nullptr : &*found;
}

/// Hours are rounded to their fourth place, all else stands as it was computed.
void expect_time(const std::vector<QuantityLine>& lines, const char* name, double printed) {
  const QuantityLine* line = line_of(lines, name);
  ASSERT_NE(line, nullptr) << name;
  const double value = evaluate(line->formula);
  EXPECT_EQ(line->unit == "h" ? std::floor(value * 1e4 + 0.5) / 1e4 : value, printed) << name;
  EXPECT_EQ(line->value, printed) << name;
}

void expect_usd(const std::vector<CostLine>& lines, const char* name, MicroUsd printed) {
  const CostLine* line = line_of(lines, name);
  ASSERT_NE(line, nullptr) << name;
  // A micro-dollar's half, and what a double of that size cannot tell apart.
  const double usd = to_usd(printed);
  EXPECT_NEAR(evaluate(line->formula), usd, 5.1e-7 + 1e-14 * usd) << name;
  EXPECT_EQ(line->usd, printed) << name;
}

void expect_formulas(const RentedRun& found, const JobTerms& terms) {
  if (!found.sizing.speed) {
    EXPECT_TRUE(terms.time.empty());
    return;
  }
  const Throughput& speed = *found.sizing.speed;
  expect_time(terms.time, "step_seconds",
              speed.rollout ? speed.rollout->step : speed.clocks.total());
  expect_time(terms.time, "tokens_per_second_per_gpu", speed.tokens_per_second_per_gpu);
  expect_time(terms.time, "tokens_per_second_per_gpu_low", speed.low);
  expect_time(terms.time, "tokens_per_second_per_gpu_high", speed.high);
  EXPECT_EQ(line_of(terms.time, "hours") != nullptr, found.sizing.hours.has_value());
  if (const auto& hours = found.sizing.hours) {
    expect_time(terms.time, "hours", hours->mid);
    expect_time(terms.time, "hours_low", hours->low);
    expect_time(terms.time, "hours_high", hours->high);
  }
  EXPECT_EQ(found.cost_terms.empty(), !found.run);
  if (!found.run) return;
  expect_usd(found.cost_terms, "usd_per_run", found.run->usd.mid);
  expect_usd(found.cost_terms, "usd_per_run_low", found.run->usd.low);
  expect_usd(found.cost_terms, "usd_per_run_high", found.run->usd.high);
}

/// Runs that generate, on the trainer's cards and on others that run ahead.
std::vector<Json> generating() {
  std::vector<Json> all;
  for (const char* gpu : {"h100-sxm", "b200", "mi300x"}) {
    const Json lora = {{"model", "qwen2.5-7b"},
                       {"method", "grpo-lora-r16"},
                       {"gpu", gpu},
                       {"workload", {{"examples", 6400}, {"checkpoint_share", 0.02}}}};
    all.push_back(lora);
    all.push_back(lora);
    all.back()["method"] = {{"kind", "full"}};
    all.back()["grpo"] = {{"prompts_per_step", 128},
                          {"generation", "server"},
                          {"generation_gpus", 4},
                          {"steps_off_policy", 1},
                          {"memory_fraction", 0.9}};
  }
  return all;
}

/// What was asked, where it is not refused: some layouts clash, and some cards are not rented out.
std::optional<Question> question_of(Json request) {
  request["answer"] = {"memory", "terms"};
  const bool generates = at_dotted(request, "workload.examples").is_number();
  if (!generates) request["workload"]["tokens"] = 50'000'000;
  Faults faults;
  Question question =
      read_question(request, project_catalog(), project_catalog().engine.current, faults);
  return faults.empty() && question.gpu != nullptr ? std::optional(std::move(question))
                                                   : std::nullopt;
}

TEST(Terms, FormulasOfHoursAndDollarsGiveTheFigures) {
  RandomRequests random(project_catalog(), 20261126);
  std::vector<Json> requests = generating();
  for (std::size_t i = 0; i < 400; ++i) {
    const Json request = random.next(i % 4 != 0);
    if (is_due(i, 1)) requests.push_back(request);
  }
  std::size_t timed = 0;
  std::size_t rented = 0;
  std::size_t generated = 0;
  for (const Json& request : requests) {
    SCOPED_TRACE(request.dump());
    const auto question = question_of(request);
    if (!question) continue;
    const RentedRun found = money().answer(*question);
    expect_formulas(found, terms_of(*question, found.sizing));
    timed += found.sizing.speed ? 1 : 0;
    rented += found.run ? 1 : 0;
    generated += found.sizing.speed && found.sizing.speed->rollout ? 1 : 0;
  }
  EXPECT_GT(timed, requests.size() / 4);
  EXPECT_GT(rented, requests.size() / 8);
  EXPECT_GE(generated, 6U);
}

TEST(Terms, AnAnswerHasThemWhereTheyAreAskedFor) {
  const auto answer = [](const std::string& parts) {
    const std::string request =
        R"({"model": "llama-3.1-8b", "method": "lora-r16", "gpu": "h100-sxm", )"
        R"("workload": {"tokens": 50000000}, "answer": [)" +
        parts + "]}\n";
    return Json::parse(program({"estimate", "--catalog", kCatalog}, request).out);
  };
  const Json whole = answer(R"("terms", "money")");
  ASSERT_EQ(whole.at("time_terms").size(), 7U);
  EXPECT_EQ(whole["time_terms"][4].at("formula"),
            "tokens / (tokens_per_second_per_gpu * gpus) / 3600");
  const Json& cost = whole.at("cost_terms");
  ASSERT_EQ(cost.size(), 5U);  // the price is some weeks old: expected on the day, and with a width
  EXPECT_EQ(cost[0].at("formula"), "usd_per_instance_hour * age_factor");
  EXPECT_EQ(cost[1].at("formula"), "usd_per_hour");
  EXPECT_EQ(cost[2].at("formula"), "usd_per_hour * hours");
  EXPECT_EQ(cost[3].at("formula"), "usd_per_hour * hours");
  EXPECT_EQ(cost[4].at("formula"), "usd_per_run * upper_factor");
  EXPECT_FALSE(answer(R"("terms")").contains("cost_terms"));
  EXPECT_FALSE(answer(R"("memory", "money")").contains("time_terms"));
}

}  // namespace
}  // namespace sizesheet
