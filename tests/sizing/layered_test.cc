// SPDX-License-Identifier: Apache-2.0
// Bytes and limits of linear attention, indexers, per-layer embeddings and short convolutions,
// worked by hand; vision towers: counts, and tokens of an image.
#include <gtest/gtest.h>

#include "catalog/models/architecture.h"
#include "catalog/models/tower.h"
#include "sizing/job/job.h"
#include "sizing/memory/sublayers.h"
#include "sizing/model/adapters.h"
#include "sizing/model/parameters.h"
#include "sizing/model/tower_counts.h"
#include "sizing/request/layout_rules.h"
#include "sizing/sized.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

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

Job job_of(const std::string& model) {
  return ask(R"({"model":")" + model + R"(","gpu":"b200","method":{"kind":"lora","rank":16},
      "state":"pure-bf16","kernels":{"recompute":"none","loss":"fused-linear","ops":"fused"},
      "workload":{"seq_len":8192,"micro_batch":1},"layout":{"gpus":1,"dp":1,"tp":1}})")
      .plan.chosen.job;
}

double saved(const Job& job, const Block& block) {
  return block_activations<double>(job, block, 0).saved;
}

TEST(LayeredSizing, a_delta_net_keeps_what_its_kernels_save) {
  Job job = job_of("qwen3.5-27b");
  job.adapters.targets = {};
  const Block& block = job.model->runs[0].block;
  // Two norms of 2 x 5,120 + 4; keys 16 x 128 four times in 2 bytes, values 48 x 128 five times,
  // 142 bytes a value head; gate and up of 17,408 in 2 bytes.
  EXPECT_EQ(saved(job, block), 2 * 10244 + 8 * 2048 + 10 * 6144 + 142 * 48 + 4 * 17408);
  Block plain = job.model->runs[1].block;
  const double gated = saved(job, plain);
  plain.attention->gate = 0;
  EXPECT_EQ(gated - saved(job, plain), 2 * 6144 + 2 * 6144);
}

TEST(LayeredSizing, shared_keys_are_kept_once_and_per_layer_embeddings_through_the_step) {
  Job job = job_of("gemma-4-e4b");
  job.adapters.targets = {};
  Block own = job.model->runs.front().block;
  Block sharing = own;
  sharing.attention->shares_kv = true;
  // Keys and values of 2 heads of 256, and the keys before their norm.
  EXPECT_EQ(saved(job, own) - saved(job, sharing), 3 * 2 * 512);
  Block bare = own;
  bare.per_layer_width = 0;
  bare.norms = own.norms - 1;
  EXPECT_EQ(saved(job, own) - saved(job, bare), 6 * 256 + 2 * 2560 + 4);
}

TEST(LayeredSizing, adapters_take_the_projections_that_a_model_has) {
  const Projections qwen = projections_of(project_catalog().model("qwen3.5-2b").architecture);
  EXPECT_TRUE(qwen.contains(Projection::kDeltaInput));
  EXPECT_FALSE(qwen.contains(Projection::kDeltaInputGate));
  const Architecture& next = project_catalog().model("qwen3-next-80b-a3b").architecture;
  EXPECT_TRUE(projections_of(next).contains(Projection::kDeltaInputGate));
  EXPECT_TRUE(preset_targets(next, "all-linear").contains(Projection::kMixerOut));
  const Architecture& granite = project_catalog().model("granite-4.0-h-1b").architecture;
  EXPECT_FALSE(preset_targets(granite, "all-linear").contains(Projection::kMixerOut));
}

TEST(LayeredSizing, what_no_trainer_divides_is_not_divided) {
  const auto split = [](const std::string& model, std::int64_t tp) {
    return tensor_split_fault(project_catalog().model(model).architecture, tp);
  };
  EXPECT_EQ(split("lfm2-1.2b", 2),
            "no documented trainer divides the model's short convolutions over ranks");
  EXPECT_EQ(split("lfm2-1.2b", 1), "");
  EXPECT_EQ(split("qwen3.5-27b", 32),
            "16 key heads of linear attention are not divisible by 32 (nearest: 16)");
}

}  // namespace
}  // namespace sizesheet
