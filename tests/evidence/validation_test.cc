// SPDX-License-Identifier: Apache-2.0
// The catalog's measurements through the engine: what every row must hold, and that the committed
// intervals are those the residuals give.

#include "evidence/validation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "catalog/published/measured.h"
#include "evidence/accuracy.h"
#include "evidence/validated.h"
#include "sizing/memory/verdict.h"
#include "support/error.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

const MeasuredRow& measured_row(const std::string& source, const std::string& id) {
  for (const MeasuredRow& row : project_catalog().measured.at(source).rows) {
    if (row.id == id) return row;
  }
  throw InputError("no row " + id);
}

TEST(Validation, every_row_is_sized_or_refused_with_words) {
  EXPECT_EQ(validated().accuracy.rows.size(), 726U);
  for (const AccuracyRow& row : validated().accuracy.rows) {
    EXPECT_NE(row.predicted.has_value(), !row.refusal.empty()) << row.id;
    // Where the card of a run is not in the catalog, its request names none: there is no verdict.
    const bool card = measured_row(row.source, row.id).request.contains("gpu");
    EXPECT_EQ(row.verdict == Verdict::kUnknown, !card || !row.refusal.empty()) << row.id;
    EXPECT_EQ(row.error.has_value(), row.relation == "equal" && row.predicted) << row.id;
  }
}

TEST(Validation, an_error_is_predicted_over_measured_less_one) {
  for (const AccuracyRow& row : validated().accuracy.rows) {
    if (!row.error) continue;
    const auto predicted = static_cast<double>(*row.predicted);
    EXPECT_DOUBLE_EQ(static_cast<double>(*row.measured) * (1 + *row.error), predicted) << row.id;
  }
}

TEST(Validation, a_row_says_what_it_is) {
  const MeasuredSource& source = project_catalog().measured.at("fsdp-qlora");
  const AccuracyRow row =
      compare(source, measured_row("fsdp-qlora", "fsdpqlora-005"), project_catalog());
  EXPECT_EQ(row.setup, "llama-2-7b, qlora, 2 × rtx-3090, 4 × 2,048 tokens");
  EXPECT_EQ(row.kind, "reserved");
  EXPECT_EQ(row.measured, 12047383265);
  EXPECT_EQ(row.link,
            "https://github.com/AnswerDotAI/fsdp_qlora/tree/"
            "05ed9f2a60f96a0795cb082bceab70a9b19fd213/benchmarks_03_2024.md#L57");
}

TEST(Validation, the_last_stage_is_compared_where_its_rank_writes_the_log) {
  MeasuredRow row = measured_row("megatron-lm", "mcore-mixtral-8x7b");
  ASSERT_TRUE(row.measured.last_stage);
  const MeasuredSource& source = project_catalog().measured.at("megatron-lm");
  const std::int64_t last = *compare(source, row, project_catalog()).predicted;
  row.measured.last_stage = false;
  const std::int64_t worst = *compare(source, row, project_catalog()).predicted;
  EXPECT_LT(last, worst) << "the first stage holds more micro-batches";
  row.request["layout"].erase("vpp");
  row.request["layout"]["pp"] = 1;
  row.request["layout"]["gpus"] = 16;
  const std::int64_t only = *compare(source, row, project_catalog()).predicted;
  row.measured.last_stage = true;
  EXPECT_EQ(compare(source, row, project_catalog()).predicted, only) << "one stage is both";
}

TEST(Validation, runs_split_in_every_dimension_are_as_near_as_what_is_known_of_them) {
  const std::map<std::string, double> most = {
      {"mcore-mixtral-8x7b", 0.03},  // the GPU count follows from the speed
      {"mcore-mixtral-8x22b", 0.04},    {"mcore-nemotron-15b", 0.04},  // the GPU count is inferred
      {"mcore-gpt-7b-pp4", 0.05},       {"mcore-gpt-7b-tp4", 0.1},  // masks of dropout are missing
      {"mcore-qwen3-tp2-pp2-ep4", 0.1}, {"mcore-qwen3-tp2-pp2-ep2-cp2", 0.1}};  // uneven routing
  std::size_t found = 0;
  for (const AccuracyRow& row : validated().accuracy.rows) {
    const auto bar = most.find(row.id);
    if (bar == most.end()) continue;
    ++found;
    EXPECT_LT(std::abs(row.error.value()), bar->second) << row.id;
  }
  EXPECT_EQ(found, most.size());
}

// Full, LoRA and QLoRA, dense and routed, on one, two and four GPUs.
TEST(Validation, runs_of_transformers_trainer_are_met_to_a_few_percent) {
  std::vector<double> errors;
  for (const AccuracyRow& row : validated().accuracy.rows) {
    if (row.source != "fms-acceleration" || !row.error || !row.flags.empty()) continue;
    errors.push_back(std::abs(*row.error));
    EXPECT_LT(errors.back(), 0.06) << row.id;
  }
  ASSERT_EQ(errors.size(), 133U);
  std::sort(errors.begin(), errors.end());
  EXPECT_LT(errors[errors.size() / 2], 0.01);
}

TEST(Validation, what_the_engine_refuses_keeps_its_words) {
  MeasuredRow row = measured_row("fsdp-qlora", "fsdpqlora-005");
  row.request["method"]["rnak"] = 1;
  const AccuracyRow compared =
      compare(project_catalog().measured.at("fsdp-qlora"), row, project_catalog());
  EXPECT_EQ(compared.refusal, "method.rnak: unknown key (did you mean \"rank\"?)");
  EXPECT_EQ(compared.predicted, std::nullopt);
  EXPECT_EQ(compared.interval_class, "");
}

TEST(Validation, classes_follow_method_spread_and_packing) {
  const auto facts = [](const std::string& source, const std::string& id) {
    return compare(project_catalog().measured.at(source), measured_row(source, id),
                   project_catalog())
        .facts;
  };
  const IntervalFacts row = facts("fsdp-qlora", "fsdpqlora-005");
  EXPECT_EQ(row.spread, "data");
  EXPECT_EQ(row.kind, "qlora");
  EXPECT_EQ(row.stack, "fsdp-qlora");
  EXPECT_TRUE(row.packed);
  EXPECT_FALSE(row.routed);
  EXPECT_EQ(facts("megatron-lm", "mcore-mixtral-8x7b").spread, "model");
  EXPECT_TRUE(facts("megatron-lm", "mcore-mixtral-8x7b").routed);
  EXPECT_FALSE(facts("ms-swift-benchmark", "swift-bench-013").packed);
  EXPECT_EQ(facts("litgpt", "litgpt-res-001").spread, "one");
}

TEST(Validation, parts_add_up_to_the_whole) {
  const Accuracy& accuracy = validated().accuracy;
  EXPECT_EQ(accuracy.tuned.errors->n + accuracy.held_out.errors->n, accuracy.all.errors->n);
  EXPECT_EQ(accuracy.tuned.confusion.ran() + accuracy.held_out.confusion.ran(),
            accuracy.all.confusion.ran());
  EXPECT_EQ(accuracy.tuned.refused + accuracy.held_out.refused, accuracy.all.refused);
  EXPECT_EQ(accuracy.tuned.sources + accuracy.held_out.sources, accuracy.all.sources);
  EXPECT_EQ(accuracy.coverage.n, accuracy.held_out.errors->n);
}

TEST(Validation, no_run_out_of_memory_is_called_fits) {
  EXPECT_EQ(validated().accuracy.all.confusion.oom_fits, 0);
  EXPECT_GT(validated().accuracy.all.confusion.oom(), 0);
}

TEST(Validation, jobs_do_not_matter) {
  const Accuracy alone = validate(project_catalog(), 1).accuracy;
  ASSERT_EQ(alone.rows.size(), validated().accuracy.rows.size());
  for (std::size_t i = 0; i < alone.rows.size(); ++i) {
    EXPECT_EQ(alone.rows[i].id, validated().accuracy.rows[i].id);
    EXPECT_EQ(alone.rows[i].predicted, validated().accuracy.rows[i].predicted);
  }
}

TEST(Validation, committed_intervals_are_those_of_the_residuals) {
  expect_same_intervals(project_catalog().intervals, validated().intervals);
}

}  // namespace
}  // namespace sizesheet
