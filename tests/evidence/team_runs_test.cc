// SPDX-License-Identifier: Apache-2.0
// A team's own runs: how they move an estimate and its range, and that they bring a stack that the
// catalog knows badly closer to what was measured on it.
#include "catalog/published/team_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "catalog/catalog.h"
#include "catalog/published/measured.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/team_corrections.h"
#include "sizing/request/question.h"
#include "support/json.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

IntervalFacts facts() {
  IntervalFacts facts;
  facts.stack = "axolotl";
  facts.gpu = "h100-sxm";
  facts.kind = "lora";
  facts.spread = "one";
  facts.optimizer = "adamw";
  return facts;
}

TeamRun run(double ratio, const std::string& optimizer = "adamw") {
  return {.id = "run-1-speed",
          .stack = "axolotl",
          .gpu = "h100-sxm",
          .kind = "lora",
          .spread = "one",
          .optimizer = optimizer,
          .ln_ratio = std::log(ratio)};
}

TEST(TeamCorrection, moves_by_the_share_of_the_median) {
  EXPECT_EQ(team_correction({}, facts()).runs, 0);
  EXPECT_NEAR(team_correction({run(0.7)}, facts()).ln_factor, std::log(0.7) / 3, 1e-12);
  const std::vector<TeamRun> ten(10, run(0.7));
  EXPECT_NEAR(team_correction(ten, facts()).ln_factor, std::log(0.7) * 10 / 12, 1e-12);
  const std::vector<TeamRun> odd_one_out = {run(0.7), run(0.7), run(5)};
  EXPECT_NEAR(team_correction(odd_one_out, facts()).ln_factor, std::log(0.7) * 3 / 5, 1e-12);
  const std::vector<TeamRun> two = {run(0.7), run(0.9)};
  EXPECT_NEAR(team_correction(two, facts()).ln_factor, (std::log(0.7) + std::log(0.9)) / 4, 1e-12);
}

TEST(TeamCorrection, of_another_optimizer_counts_a_tenth) {
  const TeamCorrection found = team_correction({run(0.7, "adafactor")}, facts());
  EXPECT_EQ(found.runs, 1);
  EXPECT_NEAR(found.ln_factor, std::log(0.7) * 0.1 / 2.1, 1e-12);
}

TEST(TeamCorrection, of_another_kind_of_run_says_nothing) {
  for (const auto& change : std::vector<void (*)(TeamRun&)>{
           [](TeamRun& run) { run.stack = "hf-trl"; }, [](TeamRun& run) { run.gpu = "h200-sxm"; },
           [](TeamRun& run) { run.kind = "full"; }, [](TeamRun& run) { run.routed = true; },
           [](TeamRun& run) { run.fp8 = true; }}) {
    TeamRun other = run(0.7);
    change(other);
    const TeamCorrection found = team_correction({other}, facts());
    EXPECT_EQ(found.runs, 0);
    EXPECT_EQ(found.ln_factor, 0);
  }
}

/// Runs that agree narrow the range; runs that scatter widen it; those on other counts leave it.
TEST(TeamCorrection, narrows_the_range_where_runs_agree) {
  const double end = std::log(1.3);
  EXPECT_DOUBLE_EQ(team_correction({}, facts()).narrowed(end), end);
  const double one = team_correction({run(0.7)}, facts()).narrowed(end);
  const double ten = team_correction(std::vector<TeamRun>(10, run(0.7)), facts()).narrowed(end);
  EXPECT_LT(one, end);
  EXPECT_LT(ten, one / 1.5);
  const std::vector<TeamRun> scattered = {run(0.3), run(0.7), run(2), run(0.5), run(1.5)};
  EXPECT_GT(team_correction(scattered, facts()).narrowed(end), end);
  TeamRun spread = run(0.7);
  spread.spread = "data";
  EXPECT_DOUBLE_EQ(team_correction({spread}, facts()).narrowed(end), end);
  EXPECT_NE(team_correction({spread}, facts()).ln_factor, 0);
}

// ---- On the 41 speeds that were measured on one H100 and one H200 with transformers' Trainer,
// asked as runs of axolotl of which only the model, the method, the batch and recompute are said:
// the catalog knows nothing measured of its eager runs.

/// A speed without what its row says of kernels and states.
MeasuredSpeed half_said(MeasuredSpeed speed) {
  Json& request = speed.run.request;
  const Json recompute = at_dotted(request, "kernels.recompute");
  for (const char* key : {"kernels", "state", "optimizer_foreach"}) request.erase(key);
  request["kernels"] = {{"recompute", recompute}};
  for (const char* key : {"adapter_dtype", "fused_projections"}) request["method"].erase(key);
  request["stack"] = "axolotl";
  return speed;
}

struct Asked {
  double error = 0;  ///< of the speed, without its sign
  bool within = false;
};

Asked asked(const MeasuredSpeed& speed, const Catalog& catalog) {
  const Sizing sizing =
      answer(read_whole_question(speed.run.request, catalog, catalog.engine.current));
  const double measured = speed.tokens_per_s_per_gpu;
  return {std::abs(sizing.speed->tokens_per_second_per_gpu / measured - 1),
          sizing.speed->low <= measured && measured <= sizing.speed->high};
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

struct Tried {
  double before = 0;  ///< median errors
  double after = 0;
  double within = 0;  ///< share in the corrected range
};

/// `recorded` are the runs that a team has, `tried` those that it asks about.
Tried corrected(const std::vector<MeasuredSpeed>& recorded,
                const std::vector<MeasuredSpeed>& tried) {
  Catalog catalog = project_catalog();
  std::vector<double> before, after;
  for (const MeasuredSpeed& speed : tried) before.push_back(asked(speed, catalog).error);
  catalog.team_runs = catalog.measured.at("own-2026-11");
  catalog.team_runs->rows.clear();
  catalog.team_runs->speeds = recorded;
  correct_by(team_runs_of(catalog), catalog);
  double within = 0;
  for (const MeasuredSpeed& speed : tried) {
    const Asked one = asked(speed, catalog);
    after.push_back(one.error);
    within += one.within ? 1 : 0;
  }
  return {median(before), median(after), within / static_cast<double>(tried.size())};
}

TEST(TeamRuns, bring_the_other_half_closer) {
  std::vector<MeasuredSpeed> odd, even;
  for (const MeasuredSpeed& speed : project_catalog().measured.at("own-2026-11").speeds) {
    (odd.size() > even.size() ? even : odd).push_back(half_said(speed));
  }
  ASSERT_EQ(odd.size() + even.size(), 41U);
  for (const auto& [recorded, tried] : {std::pair{&odd, &even}, {&even, &odd}}) {
    const Tried found = corrected(*recorded, *tried);
    EXPECT_LE(found.after, 0.6 * found.before) << found.before;
    EXPECT_GE(found.within, 0.85);
    EXPECT_LE(found.within, 0.95);
  }
}

}  // namespace
}  // namespace sizesheet
