// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sizing/memory/parameters.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

AdapterSpec spec_of(const Json& row, const Architecture& model) {
  AdapterSpec spec;
  spec.rank = row.at("rank");
  spec.experts = row.value("experts", "none");
  spec.fused = row.value("layout", "none");
  const Json& targets = row.at("targets");
  if (targets.is_string()) {
    spec.targets = preset_targets(model, targets);
  } else {
    for (const std::string name : targets) spec.targets.insert(projection_named(name).value());
  }
  return spec;
}

void expect_counts(const Json& rows, std::size_t at_least) {
  std::size_t checked = 0;
  for (const Json& row : rows) {
    // One framework fuses the experts' gate and up but nothing else; no request can say so.
    if (row.value("layout", "none") == "experts-fused") continue;
    const std::string id = row.at("model");
    const Architecture& model = project_catalog().model(id).architecture;
    EXPECT_EQ(count_adapters(model, spec_of(row, model)).total(), row.at("count")) << row;
    ++checked;
  }
  EXPECT_GE(checked, at_least);
}

TEST(Adapters, EveryCountOfTheOracle) {
  expect_counts(oracle("lora_counts.json").at("counts"), 1000);
}

TEST(Adapters, EveryPublishedCount) {
  expect_counts(oracle("lora_counts.json").at("published"), 30);
}

TEST(Adapters, AllLinearLeavesRouterAndHeadAlone) {
  const Projections targets =
      preset_targets(project_catalog().model("qwen3-30b-a3b").architecture, "all-linear");
  EXPECT_FALSE(targets.contains(Projection::kRouter));
  EXPECT_FALSE(targets.contains(Projection::kHead));
  EXPECT_TRUE(targets.contains(Projection::kQuery));
}

TEST(Adapters, QvOfLatentAttentionAdaptsTheDecompressions) {
  const Projections expected{Projection::kQueryUp, Projection::kKvUp};
  EXPECT_EQ(preset_targets(project_catalog().model("deepseek-v3").architecture, "qv"), expected);
}

}  // namespace
}  // namespace sizesheet
