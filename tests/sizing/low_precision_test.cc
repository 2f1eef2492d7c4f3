// SPDX-License-Identifier: Apache-2.0
// Formats of four and eight bits: what weights and saved inputs take in them, against examples
// worked apart.
#include <gtest/gtest.h>

#include "catalog/facts/engine_constants.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/pieces.h"
#include "sizing/model/parameters.h"
#include "sizing/sized.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kClose = 1e-9;
// Llama 3.1 8B: 32 layers of 218,103,808 parameters in projections.
constexpr double kMatrices = 32 * 218103808.0;

Sizing trained_in(const std::string& patch) {
  Json request = parse_json(R"({"model":"llama-3.1-8b","gpu":"b200","method":{"kind":"full"},
      "state":"pure-bf16","kernels":{"recompute":"none","loss":"vocab-parallel","ops":"fused"},
      "workload":{"seq_len":4096},"layout":{"gpus":1,"dp":1,"tp":1}})",
                            "request");
  request.merge_patch(parse_json(patch, "patch"));
  return sized(request);
}

Sizing with_recipe(const Json& row) {
  return trained_in(Json{{"gpu", row.at("gpu")},
                         {"kernels",
                          {{"precision", "fp8"},
                           {"fp8_recipe", row.at("recipe")},
                           {"fp8_library", row.value("library", "te")}}}}
                        .dump());
}

TEST(LowPrecision, FormatsTakeWhatTheirScalesAdd) {
  const Json formats = oracle("low_precision.json").at("formats");
  const EngineConstants& constants = project_catalog().engine.current;
  const double mx = constants.value("mx.block");
  const double edge = constants.value("fp8.block");
  EXPECT_EQ(scaled_bytes(1, 4, edge * edge), formats.at("fp8_block").get<double>());
  EXPECT_EQ(scaled_bytes(1, 1, mx), formats.at("mxfp8").get<double>());
  EXPECT_EQ(scaled_bytes(0.5, 1, mx), formats.at("mxfp4").get<double>());
  EXPECT_EQ(scaled_bytes(0.5, 1, constants.value("nvfp4.block")),
            formats.at("nvfp4").get<double>());
}

/// What is not in 4 bits is cast to fp32: the experts, and a little beside them.
TEST(LowPrecision, PreparedExpertsTakeFourBytes) {
  const auto with = [](bool prepared) {
    return sized(
        {{"model", "mixtral-8x7b"},
         {"method",
          {{"kind", "qlora"}, {"rank", 8}, {"quantize_experts", false}, {"kbit_prep", prepared}}},
         {"layout", {{"gpus", 1}, {"dp", 1}, {"tp", 1}}}});
  };
  const Sizing prepared = with(true);
  const auto weights = [](const Sizing& sizing) {
    return static_cast<double>(sizing.plan.chosen.bill.of(Term::kWeights));
  };
  const double more = weights(prepared) - weights(with(false));
  const double experts =
      static_cast<double>(count_parameters(*prepared.plan.chosen.job.model).experts);
  EXPECT_GT(more, 2 * experts);
  EXPECT_LT(more, 2.02 * experts);
}

TEST(LowPrecision, ExpertsOfGptOssAloneArePacked) {
  const Json file = oracle("low_precision.json");
  const double within = file.at("deviations").at(0).at("within");
  for (const Json& row : file.at("gpt_oss")) {
    for (const char* base : {"mxfp4", "bf16"}) {
      const Sizing sizing = sized({{"model", row.at("model")},
                                   {"method", {{"kind", "lora"}, {"rank", 8}, {"base", base}}},
                                   {"layout", {{"gpus", 1}, {"dp", 1}, {"tp", 1}}}});
      const double gib = static_cast<double>(sizing.plan.chosen.bill.of(Term::kWeights)) / kGiB;
      EXPECT_NEAR(gib, row.at(base), within * row.at(base).get<double>()) << row << base;
    }
  }
}

TEST(LowPrecision, RecipesKeepTheirCopiesOfWeights) {
  const Json rows = oracle("low_precision.json").at("weight_bytes");
  for (const Json& row : rows) {
    const Sizing sizing = with_recipe(row);
    EXPECT_EQ(2 + sizing.plan.chosen.job.fp8_copy_bytes, row.at("bytes").get<double>()) << row;
    const Candidate& chosen = sizing.plan.chosen;
    EXPECT_NEAR(memory_pieces<double>(chosen.job, chosen.worst_stage()).autocast_cache,
                kMatrices * (row.at("bytes").get<double>() - 2), 1)
        << row;
  }
}

TEST(LowPrecision, RecipesKeepOneCopyOfAnInput) {
  const Json file = oracle("low_precision.json");
  constexpr double kInputs = 26624;  // 4,096 three times and 14,336
  const double ours = file.at("deviations").at(1).at("values");
  const double bf16 = static_cast<double>(trained_in("{}").plan.chosen.bill.of(Term::kActivations));
  for (const Json& row : file.at("input_bytes")) {
    const Sizing sizing = with_recipe(row);
    const double each = row.at("bytes").get<double>() / kInputs;
    EXPECT_NEAR(sizing.plan.chosen.job.fp8_input_bytes, each, kClose) << row;
    const double kept = static_cast<double>(sizing.plan.chosen.bill.of(Term::kActivations));
    EXPECT_NEAR(bf16 - kept, 4096 * 32 * ours * (2 - each), 1) << row;
  }
}

}  // namespace
}  // namespace sizesheet
