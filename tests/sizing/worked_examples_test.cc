// SPDX-License-Identifier: Apache-2.0
// Worked examples of what stands beside a method: modules trained whole, uneven pipelines, layers
// recomputed in part, DeepSeek's sub-groups and hooks, soft-capped logits.
#include <gtest/gtest.h>

#include "sizing/memory/pieces.h"
#include "sizing/sized.h"
#include "sizing/time/clocks.h"

namespace sizesheet {
namespace {

Job job_asked(const std::string& request) { return ask(request).plan.chosen.job; }

Pieces<double> pieces_asked(const std::string& request) {
  const Job job = job_asked(request);
  return memory_pieces<double>(job, stages_of(job).back());
}

std::vector<std::int64_t> layers_of_stages(const Job& job) {
  std::vector<std::int64_t> layers;
  for (std::int64_t chunk = 0; chunk < job.layout.pp; ++chunk) {
    layers.push_back(chunk_range(job, chunk).count);
  }
  return layers;
}

/// Of an example that the engine works out otherwise; the file says why.
void expect_deviation(const std::string& example, double ours) {
  const Json deviation = oracle("engine_deviations.json").at("worked").at(example);
  EXPECT_NEAR(ours, deviation.at("engine").get<double>(), 1e-9 * ours) << example;
  EXPECT_NE(deviation.at("engine"), deviation.at("reference")) << example;
}

TEST(WorkedExamples, PairsOfAListArePaddedAsTheyWouldBeInAnyOrder) {
  // Two batches of two pairs; the example takes the one order that its list has.
  const std::vector<double> lengths{100, 120, 260, 300, 400, 420, 700, 900};
  expect_deviation("1.10, padded pairs", 2 * 4 * expected_longest(lengths, 4));
}

TEST(WorkedExamples, LogitsOfCompletionsAreThoseOfPromptsToo) {
  const Job job = job_asked(R"({"model": "llama-3.1-8b", "gpu": "h200-sxm", "layout": {"gpus": 1},
      "method": {"kind": "lora", "rank": 8}, "kernels": {"loss": "hf-amp"},
      "workload": {"micro_batch": 8},
      "grpo": {"prompt_length": 256, "completion_length": 1024, "memory_fraction": 0.2}})");
  expect_deviation("2.3, logits of GRPO",
                   memory_pieces<double>(job, stages_of(job).back()).loss_backward);
}

TEST(WorkedExamples, ShardedWeightsAreLoadedAsShards) {
  const Job job = job_asked(R"({"model": "llama-2-70b", "gpu": "h200-sxm",
      "method": {"kind": "full"}, "state": "deepspeed",
      "layout": {"gpus": 8, "tp": 1, "shard": "zero3"}})");
  expect_deviation("8.5, load peak with zero.Init",
                   memory_pieces<double>(job, stages_of(job).back()).weights);
}

TEST(WorkedExamples, EmbeddingAndHeadTrainedWholeKeepTheirFrozenSelves) {
  const auto with = [](const std::string& saved) {
    return pieces_asked(R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "layout": {"gpus": 1},
        "state": "peft-fp32", "method": {"kind": "lora", "rank": 8, "modules_to_save": )" +
                        saved + "}}");
  };
  const Pieces<double> saved = with(R"(["lm_head", "embed_tokens"])");
  const Pieces<double> none = with("[]");
  const double copies = saved.adapters - none.adapters + saved.gradients - none.gradients +
                        saved.moments - none.moments;
  // 16 bytes of each trained copy; the frozen matrices stay with 2: 18,912,116,736 together.
  const double rows = 2.0 * 128256 * 4096;
  EXPECT_EQ(saved.weights, none.weights);
  EXPECT_EQ(copies + 2 * rows, 18912116736.0);
}

TEST(WorkedExamples, PipelinesWhoseLastStageDiffers) {
  const std::vector<std::int64_t> deepseek = layers_of_stages(job_asked(
      R"({"model": "deepseek-v3", "method": {"kind": "full"}, "state": "megatron",
          "workload": {"grad_accum": 16},
          "layout": {"gpus": 128, "tp": 1, "ep": 8, "pp": 16, "last_layers": 1}})"));
  std::vector<std::int64_t> expected(16, 4);
  expected.back() = 1;
  EXPECT_EQ(deepseek, expected);
  const std::vector<std::int64_t> qwen = layers_of_stages(job_asked(
      R"({"model": "qwen3-235b-a22b", "method": {"kind": "full"}, "state": "megatron",
          "workload": {"grad_accum": 8},
          "layout": {"gpus": 64, "tp": 1, "ep": 8, "pp": 8, "last_layers": 10}})"));
  EXPECT_EQ(qwen, (std::vector<std::int64_t>{12, 12, 12, 12, 12, 12, 12, 10}));
}

TEST(WorkedExamples, PipelinesThatCountEmbeddingAndLossAsLayers) {
  // Megatron's account_for_embedding_in_pipeline_split and its like for the loss: 128 over 16.
  const std::vector<std::int64_t> stages = layers_of_stages(job_asked(
      R"({"model": "llama-3.1-405b", "method": {"kind": "full"}, "state": "megatron",
          "workload": {"grad_accum": 16},
          "layout": {"gpus": 128, "tp": 8, "pp": 16, "first_layers": 7, "last_layers": 7}})"));
  std::vector<std::int64_t> expected(16, 8);
  expected.front() = expected.back() = 7;
  EXPECT_EQ(stages, expected);
}

TEST(WorkedExamples, LayersRecomputedInPartKeepTheRestWhole) {
  // Of 32 layers 8 keep their input alone, 24 everything.
  const auto kept = [](const std::string& kernels) {
    return pieces_asked(R"({"model": "llama-3.1-8b", "gpu": "h200-sxm", "layout": {"gpus": 1},
        "method": {"kind": "lora", "rank": 8}, "kernels": {)" +
                        kernels + "}}")
        .kept;
  };
  const double all = kept(R"("recompute": "none")");
  const double inputs = kept(R"("recompute": "full")");
  const double part = kept(R"("recompute": "full", "recompute_layers": 8)");
  EXPECT_NEAR(part, all - 8.0 / 32 * (all - inputs), 1);
}

TEST(WorkedExamples, DeepSpeedStepsASubGroupAtATime) {
  // A billion gradients in fp32, on 4 GPUs as on 8.
  for (const char* gpus : {"4", "8"}) {
    const Pieces<double> pieces = pieces_asked(
        R"({"model": "llama-3.1-8b", "gpu": "h200-sxm", "method": {"kind": "full"},
            "state": "deepspeed", "layout": {"tp": 1, "shard": "zero3", "gpus": )" +
        std::string(gpus) + "}}");
    EXPECT_EQ(pieces.step_transient, 4e9) << gpus;
  }
}

TEST(WorkedExamples, DeepSpeedStopsAtEveryModuleWithParameters) {
  const auto hooked = [](const std::string& method) {
    return step_work(job_asked(R"({"model": "llama-3.1-8b", "gpu": "h200-sxm", "method": )" +
                               method +
                               R"(, "state": "deepspeed", "kernels": {"recompute": "full"},
            "layout": {"gpus": 8, "tp": 1, "shard": "zero3"}})"))
        .hooked_modules;
  };
  const double passes = 3;
  EXPECT_EQ(hooked(R"({"kind": "full"})"), passes * 291);
  const double each = project_catalog().engine.current.value("throughput.zero3_module_us") * 1e-6;
  expect_deviation("8.1, host seconds of ZeRO 3", 8 * hooked(R"({"kind": "full"})") * each);
  EXPECT_EQ(hooked(R"({"kind": "lora", "rank": 8})"), passes * 739);
}

TEST(WorkedExamples, RowsOfTheEmbeddingTrainAlone) {
  const auto with = [](const std::string& more) {
    return pieces_asked(R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "layout": {"gpus": 1},
        "state": "peft-fp32", "method": {"kind": "lora", "rank": 8)" +
                        more + "}}");
  };
  const Pieces<double> rows = with(R"(, "token_indices": 5)");
  const Pieces<double> none = with("");
  EXPECT_EQ(
      rows.adapters - none.adapters + rows.gradients - none.gradients + rows.moments - none.moments,
      327680);
  EXPECT_EQ(rows.kept, none.kept);
}

TEST(WorkedExamples, AVocabularyIsRoundedUp) {
  const auto rows = [](const std::string& more) {
    return job_asked(R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "layout": {"gpus": 1},
        "method": {"kind": "lora", "rank": 8})" +
                     more + "}")
        .model->vocab;
  };
  EXPECT_EQ(rows(R"(, "added_tokens": 5, "vocab_multiple": 64)"), 128320);
  EXPECT_EQ(rows(R"(, "added_tokens": 5)"), 128261);
  EXPECT_EQ(rows(R"(, "vocab_multiple": 64)"), 128256);
}

TEST(WorkedExamples, Fp8WeightsStandInThePlaceOfBf16) {
  // Of a weight: 4 bytes by one scale a tensor on Hopper, 2 without the bf16 one; 2.0625 of MXFP8.
  const auto bytes = [](const std::string& gpu, const std::string& kernels) {
    const Job job = job_asked(R"({"model": "size-7b", "method": {"kind": "full"},
        "state": "megatron", "layout": {"dp": 8, "tp": 1}, "gpu": ")" +
                              gpu + R"(", "kernels": {"precision": "fp8", )" + kernels + "}}");
    const std::vector<Stage> stages = stages_of(job);
    const Pieces<double> pieces = memory_pieces<double>(job, stages.front());
    const double others = stages.front().replicated + stages.front().root;
    return (pieces.weights + pieces.autocast_cache - 2 * others) / stages.front().matrix;
  };
  EXPECT_DOUBLE_EQ(bytes("h200-sxm", R"("fp8_recipe": "delayed")"), 4);
  EXPECT_DOUBLE_EQ(bytes("h200-sxm", R"("fp8_recipe": "delayed", "fp8_params": true)"), 2);
  EXPECT_DOUBLE_EQ(bytes("b200", R"("fp8_recipe": "mxfp8", "fp8_params": true)"), 2.0625);
}

TEST(WorkedExamples, SoftCappedLogitsKeepTheirTanh) {
  const auto forward = [](const std::string& model) {
    const Job job = job_asked(R"({"model": ")" + model + R"(", "gpu": "h200-sxm",
        "method": {"kind": "full"}, "state": "pure-bf16", "layout": {"gpus": 1},
        "kernels": {"recompute": "full", "loss": "hf"}, "workload": {"seq_len": 4096}})");
    return memory_pieces<double>(job, stages_of(job).back()).loss_forward /
           as_double(job.model->vocab);
  };
  // 2 bytes a logit beside the 10 of the loss: 2,097,152,000 of 256,000 words.
  EXPECT_EQ((forward("gemma-2-9b") - 10 * 4096) * 256000, 2097152000.0);
  EXPECT_EQ(forward("llama-3.1-8b"), 10 * 4096);
}

}  // namespace
}  // namespace sizesheet
