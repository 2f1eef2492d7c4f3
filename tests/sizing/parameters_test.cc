// SPDX-License-Identifier: Apache-2.0
// Every model of the catalog, component by component, and every published total to the digit.
#include "sizing/memory/parameters.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(models_with_a_total, 105);
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

}  // namespace
}  // namespace sizesheet
