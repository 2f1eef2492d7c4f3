// SPDX-License-Identifier: Apache-2.0
// Every model of the catalog, component by component, and every published total to the digit.

#include "sizing/model/parameters.h"

#include <gtest/gtest.h>

#include "catalog/models/architecture.h"
#include "catalog/models/model.h"
#include "sizing/model/adapters.h"
#include "sizing/model/projections.h"
#include "sizing/model/tower_counts.h"
#include "support/json.h"
#include "support/named.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

TEST(Parameters, EveryComponentEqualsTheOracle) {
  const Json models = oracle("parameters.json").at("models");
  ASSERT_EQ(models.size(), 114U);
  for (const Json& expected : models) {
    const std::string id = expected.at("id");
    const ComponentCounts counts = count_parameters(project_catalog().model(id).architecture);
    EXPECT_EQ(counts.embedding, expected.at("embedding")) << id;
    EXPECT_EQ(counts.lm_head, expected.at("lm_head")) << id;
    EXPECT_EQ(counts.attention, expected.at("attention")) << id;
    EXPECT_EQ(counts.mlp, expected.at("mlp")) << id;
    EXPECT_EQ(counts.experts, expected.at("experts")) << id;
    EXPECT_EQ(counts.shared, expected.at("shared")) << id;
    EXPECT_EQ(counts.router, expected.at("router")) << id;
    EXPECT_EQ(counts.latent, expected.at("latent")) << id;
    EXPECT_EQ(counts.mamba, expected.at("mamba")) << id;
    EXPECT_EQ(counts.indexer, expected.value("indexer", std::int64_t{0})) << id;
    EXPECT_EQ(counts.delta, expected.value("delta", std::int64_t{0})) << id;
    EXPECT_EQ(counts.convolution, expected.value("convolution", std::int64_t{0})) << id;
    EXPECT_EQ(counts.per_layer, expected.value("per_layer", std::int64_t{0})) << id;
    EXPECT_EQ(counts.norms, expected.at("norms")) << id;
    EXPECT_EQ(counts.total(), expected.at("total")) << id;
    EXPECT_EQ(counts.active(), expected.at("active")) << id;
  }
}

TEST(Parameters, TotalsOfTheTextAloneAreThoseCountedElsewhere) {
  const Json totals = oracle("parameters.json").at("totals");
  EXPECT_EQ(totals.size(), 17U);
  for (const auto& [id, total] : totals.items()) {
    EXPECT_EQ(count_parameters(project_catalog().model(id).architecture).total(), total) << id;
  }
}

TEST(Parameters, PublishedTotalsAreTextPlusNamedExtras) {
  int models_with_a_total = 0;
  for (const auto& [id, model] : project_catalog().models) {
    models_with_a_total += !model.published.empty() && !id.starts_with("size-") ? 1 : 0;
    for (const PublishedCount& published : model.published) {
      std::int64_t sum = count_parameters(model.architecture).total();
      for (const std::string& part : published.covers) {
        for (const ExtraCount& extra : model.extras) sum += extra.name == part ? extra.value : 0;
        if (part == "mtp" && model.architecture.further_predictions > 0) {
          sum += prediction_parameters(model.architecture);
        }
        if (part == "vision") sum += count_tower(*model.architecture.tower).total();
      }
      EXPECT_EQ(sum, published.value) << id << ", " << published.source;
    }
  }
  EXPECT_EQ(models_with_a_total, 114);
}

TEST(Parameters, SplitCountsCoverEveryParameterOnce) {
  for (const auto& [id, model] : project_catalog().models) {
    const Architecture& shape = model.architecture;
    const ComponentCounts counts = count_parameters(shape);
    std::int64_t sum =
        embedding_parameters(shape) + head_parameters(shape) + final_norm_parameters(shape);
    for (const BlockRun& run : shape.runs) {
      const SplitCounts split = split_parameters(shape, run.block);
      sum += run.count * (split.matrix + split.replicated + split.expert);
    }
    EXPECT_EQ(sum, counts.total()) << id;
  }
}

AdapterSpec spec_of(const Json& row, const Architecture& model) {
  AdapterSpec spec;
  spec.rank = row.at("rank");
  spec.experts = row.value("experts", "none");
  spec.fused = *value_of(kFusedModules, row.value("layout", "none"));
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
