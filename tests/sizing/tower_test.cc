// SPDX-License-Identifier: Apache-2.0
// Vision towers: counts, and tokens of an image.
#include <gtest/gtest.h>

#include "sizing/memory/memory.h"
#include "sizing/sized.h"

namespace sizesheet {
namespace {

/// A language model of a few layers with the tower of LLaVA 1.5.
const std::string kLlava = R"({"model_type": "llava", "text_config": {"model_type": "llama",
    "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 2,
    "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 32064,
    "max_position_embeddings": 8192, "tie_word_embeddings": false}, "vision_config":
    {"model_type": "clip_vision_model", "hidden_size": 1024, "intermediate_size": 4096,
    "num_hidden_layers": 24, "num_attention_heads": 16, "patch_size": 14, "image_size": 336}})";

Tower tower_of(const std::string& config) {
  const Json json = parse_json(config, "config");
  Faults faults;
  ObjectReader reader(json, "config", "", faults);
  const Architecture model = read_architecture(reader);
  EXPECT_EQ(texts_of(faults), std::vector<std::string>{});
  return model.tower.value_or(Tower{});
}

TEST(Tower, CountsEqualThePublishedOnes) {
  const Tower clip = tower_of(kLlava);
  EXPECT_EQ(count_tower(clip).tower, 303507456);
  EXPECT_EQ(count_tower(clip).projector, 1024 * 4096 + 4096 + 4096 * 4096 + 4096);
  const Catalog& catalog = project_catalog();
  EXPECT_EQ(count_tower(*catalog.model("gemma-3-27b").architecture.tower).tower, 416866032);
  // SigLIP as it is published alone has a head that pools, which no language model takes over.
  Tower siglip = *catalog.model("gemma-3-27b").architecture.tower;
  const std::int64_t w = siglip.hidden_size;
  const std::int64_t m = siglip.intermediate_size;
  const std::int64_t pooling = w + 4 * w * w + 4 * w + 2 * w + 2 * w * m + m + w;
  siglip.position_rows = 729;
  EXPECT_EQ(count_tower(siglip).tower + pooling, 428225600);
  siglip.position_rows = 256;
  EXPECT_EQ(count_tower(siglip).tower + pooling, 427680704);
}

TEST(Tower, AConfigThatLeavesSizesToItsClassIsSizedWithoutIts) {
  Json config = parse_json(kLlava, "config");
  config["model_type"] = "llama4";
  config["vision_config"] = {{"hidden_size", 1408}, {"num_hidden_layers", 34}};
  EXPECT_EQ(tower_of(config.dump()), Tower{});
}

TEST(Tower, AnImageIsRoundedToWholeTokens) {
  const Tower qwen = tower_of(
      R"({"model_type": "qwen2_vl", "hidden_size": 64, "intermediate_size": 128,
      "num_hidden_layers": 1, "num_attention_heads": 1, "num_key_value_heads": 1,
      "vocab_size": 32, "max_position_embeddings": 32, "vision_config": {}})");
  const auto size = [](const Tower& tower, std::int64_t height, std::int64_t width) {
    const ImageSize found = image_size(tower, height, width);
    return std::pair{found.patches, found.tokens};
  };
  EXPECT_EQ(size(qwen, 1080, 1920), std::pair(10764L, 2691L));
  EXPECT_EQ(size(qwen, 448, 448), std::pair(1024L, 256L));
  EXPECT_EQ(size(qwen, 20, 20), std::pair(16L, 4L));             // enlarged to 56 x 56
  EXPECT_EQ(size(qwen, 8000, 8000), std::pair(65536L, 16384L));  // shrunk to 3,584 x 3,584
  EXPECT_EQ(size(tower_of(kLlava), 0, 0), std::pair(577L, 576L));
  EXPECT_EQ(size(*project_catalog().model("gemma-3-4b").architecture.tower, 0, 0),
            std::pair(4096L, 256L));
}

}  // namespace
}  // namespace sizesheet
