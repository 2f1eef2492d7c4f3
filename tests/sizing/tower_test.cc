// SPDX-License-Identifier: Apache-2.0
// Vision towers: counts, tokens of an image, and what they add to the bill and to the hours of a
// run.
#include <gtest/gtest.h>

#include "sizing/memory/memory.h"
#include "sizing/sized.h"
#include "sizing/time/clocks.h"

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

Sizing with_images(const std::string& more, const std::string& method = R"({"kind": "full"})",
                   const std::string& kernels = R"({"recompute": "none"})") {
  return ask(R"({"gpu": "h200-sxm", "layout": {"dp": 1, "tp": 1}, "state": "pure-bf16",
      "model": )" +
             kLlava + R"(, "method": )" + method + R"(, "kernels": )" + kernels +
             R"(, "workload": {"seq_len": 8192)" + more + "}}");
}

Pieces<double> pieces_of(const Sizing& sizing) {
  const Job& job = sizing.plan.chosen.job;
  return memory_pieces<double>(job, stages_of(job).front());
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

TEST(Tower, ConfigsThatAreNotInTheCatalogMeetTheirTotals) {
  const std::string text = R"("hidden_size": 3584, "intermediate_size": 18944,
      "num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4,
      "vocab_size": 152064, "max_position_embeddings": 32768, "tie_word_embeddings": false)";
  const auto total = [&](const std::string& type, const std::string& vision) {
    const Json json = parse_json(
        R"({"model_type": ")" + type + "\", " + text + R"(, "vision_config": )" + vision + "}",
        "c");
    Faults faults;
    ObjectReader reader(json, "c", "", faults);
    const Architecture model = read_architecture(reader);
    return count_parameters(model).total() + count_tower(*model.tower).total();
  };
  // The Hub's totals of Qwen2-VL-7B-Instruct and Qwen2.5-VL-7B-Instruct.
  EXPECT_EQ(total("qwen2_vl", R"({"depth": 32, "embed_dim": 1280, "hidden_size": 3584,
      "mlp_ratio": 4, "num_heads": 16, "patch_size": 14, "spatial_merge_size": 2,
      "temporal_patch_size": 2})"),
            8291375616);
  EXPECT_EQ(total("qwen2_5_vl", R"({"depth": 32, "hidden_size": 1280, "intermediate_size": 3420,
      "num_heads": 16, "out_hidden_size": 3584, "patch_size": 14, "spatial_merge_size": 2})"),
            8292166656);
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

TEST(Tower, KeepsWhatItsTrainingNeeds) {
  const Pieces<double> without = pieces_of(with_images(""));
  const auto kept = [&](const char* vision, const char* recompute = "none") {
    const std::string kernels = R"({"recompute": ")" + std::string(recompute) + "\"}";
    const Pieces<double> with = pieces_of(
        with_images(R"(, "images": 8)",
                    R"({"kind": "full", "vision": ")" + std::string(vision) + "\"}", kernels));
    return with.kept - pieces_of(with_images("", R"({"kind": "full"})", kernels)).kept;
  };
  const double patches = 8.0 * 577;
  const double projector = 6 * 1024 * patches;  // its input, and its middle twice
  EXPECT_EQ(kept("frozen"), 9453568);
  EXPECT_EQ(kept("projector"), projector);
  EXPECT_EQ(kept("trained") - projector, 3639032832);
  EXPECT_EQ(kept("trained", "full") - projector, 226885632);
  EXPECT_GT(without.kept, 0);
}

TEST(Tower, AddsItsStateToTheBill) {
  const Pieces<double> without = pieces_of(with_images(""));
  const auto added = [&](const char* vision) {
    const Pieces<double> with = pieces_of(with_images(
        R"(, "images": 1)", R"({"kind": "full", "vision": ")" + std::string(vision) + "\"}"));
    return std::vector<double>{with.weights - without.weights, with.gradients - without.gradients,
                               with.moments - without.moments};
  };
  const double all = 303507456 + 20979712;
  EXPECT_EQ(added("frozen"), (std::vector<double>{2 * all, 0, 0}));
  EXPECT_EQ(added("projector"), (std::vector<double>{2 * all, 2.0 * 20979712, 4.0 * 20979712}));
  EXPECT_EQ(added("trained"), (std::vector<double>{2 * all, 2 * all, 4 * all}));
}

TEST(Tower, BesideAdaptersWhatTrainsIsACopy) {
  const std::string lora = R"({"kind": "lora", "rank": 8)";
  const auto asked = [&](const std::string& more, const std::string& images) {
    return with_images(images, lora + more + "}");
  };
  const Sizing none = asked("", "");
  const Sizing projector = asked(R"(, "vision": "projector")", R"(, "images": 1)");
  EXPECT_EQ(projector.trainable - none.trainable, 20979712);
  EXPECT_EQ(pieces_of(projector).weights - pieces_of(none).weights, 2.0 * (303507456 + 20979712));
  EXPECT_EQ(pieces_of(projector).adapters - pieces_of(none).adapters, 2.0 * 20979712);
}

TEST(Tower, TakesForwardOrThreePasses) {
  const auto work = [](const std::string& vision) {
    return step_work(
        with_images(R"(, "images": 4)", R"({"kind": "full", "vision": ")" + vision + "\"}")
            .plan.chosen.job);
  };
  const StepWork none = step_work(with_images("").plan.chosen.job);
  const double patches = 4 * 577;
  const double layers = 24.0 * (4 * 1024 * 1024 + 4 * 1024 + 2 * 1024 * 4096 + 4096 + 1024);
  const double embedding = 588 * 1024;
  const double projector = 20979712;
  EXPECT_NEAR(work("frozen").matmul_flops - none.matmul_flops,
              2 * patches * (layers + embedding + projector), 1e3);
  EXPECT_NEAR(work("projector").matmul_flops - none.matmul_flops,
              2 * patches * (layers + embedding + 3 * projector), 1e3);
  EXPECT_NEAR(work("trained").matmul_flops - none.matmul_flops,
              2 * patches * (3 * layers + 2 * embedding + 3 * projector), 1e3);
  // Scores and values of every patch with every other of its image.
  EXPECT_NEAR(work("frozen").attention_flops - none.attention_flops, patches * 24 * 4 * 577 * 1024,
              1e3);
}

TEST(Tower, IsToldWhereItIsLeftOut) {
  const auto model_warning = [](const std::string& workload) {
    const Sizing sizing = ask(R"({"model": "gemma-4-e4b", "gpu": "h200-sxm", "layout": {"gpus": 1},
        "method": {"kind": "lora", "rank": 8}, "workload": {)" +
                              workload + "}}");
    for (const std::string& warning : sizing.warnings) {
      if (warning.starts_with("model: ") && warning.find("without") != std::string::npos) {
        return warning;
      }
    }
    return std::string();
  };
  EXPECT_EQ(model_warning(""),
            "model: the language model alone is sized, without its vision tower (169,330,688 "
            "parameters) and its audio tower (308,756,768 parameters)");
  EXPECT_EQ(model_warning(R"("images": 1, "image_height": 672, "image_width": 960)"),
            "model: it is sized, without its audio tower (308,756,768 parameters)");
}

}  // namespace
}  // namespace sizesheet
