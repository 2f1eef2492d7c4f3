// SPDX-License-Identifier: Apache-2.0
// GRPO as a workload: the cache by hand, both phases of the card, every refusal in full.
#include <gtest/gtest.h>

#include "sizing/estimate.h"
#include "sizing/memory/generation.h"
#include "sizing/sized.h"
#include "support/formula_evaluator.h"

namespace sizesheet {
namespace {

/// LoRA on Llama 3.1 8B, one H100, with these keys of `grpo` and of `workload`.
std::string lora_8b(const std::string& grpo, const std::string& workload = "") {
  return R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "layout": {"gpus": 1},
             "method": {"kind": "lora", "rank": 16, "targets": "all-linear"},
             "kernels": {"recompute": "full"}, "workload": {)" +
         workload + R"(}, "grpo": {)" + grpo + "}}";
}

/// Full fine-tuning of Qwen3 0.6B over two sharded cards.
std::string full_06b(const std::string& grpo) {
  return R"({"model": "qwen3-0.6b", "gpu": "h100-sxm", "state": "pure-bf16",
             "layout": {"gpus": 2, "tp": 1, "shard": "zero3"},
             "method": {"kind": "full"}, "grpo": {)" +
         grpo + "}}";
}

GrpoBill card(const std::string& request) { return ask(request).plan.chosen.grpo.value(); }

const Job& job_of(const Sizing& sizing) { return sizing.plan.chosen.job; }

// ---- the cache
// -----------------------------------------------------------------------------------

TEST(Grpo, CacheOfLlamaByHand) {
  // 2 (key, value) * 32 layers * 8 heads * 128 * 2 bytes = 131,072 bytes a token; 1,536 tokens.
  EXPECT_EQ(card(lora_8b("")).generation.kv_cache_per_sequence, 131072 * 1536);
  EXPECT_EQ(card(lora_8b(R"("kv_dtype": "fp8")")).generation.kv_cache_per_sequence, 65536 * 1536);
}

TEST(Grpo, CacheComesInBlocksOfSixteenTokens) {
  const GrpoBill bill = card(lora_8b(R"("prompt_length": 100, "completion_length": 101)"));
  EXPECT_EQ(bill.generation.kv_cache_per_sequence, 131072 * 208);
}

TEST(Grpo, TensorParallelismDividesHeadsUntilOneIsLeft) {
  const auto at = [](const std::string& tp) {
    return card(R"({"model": "qwen2.5-0.5b", "gpu": "h100-sxm", "method": {"kind": "full"},
                    "layout": {"gpus": 1}, "grpo": {"generation": "server", "generation_gpus": 2,
                    "generation_tp": )" +
                tp + "}}")
        .generation.kv_cache_per_sequence;
  };
  // 24 layers, 2 key-value heads of 64.
  EXPECT_EQ(at("1"), 2 * 24 * 2 * 64 * 2 * 1536);
  EXPECT_EQ(at("2"), 2 * 24 * 1 * 64 * 2 * 1536);
}

TEST(Grpo, MoreRanksThanHeadsRepeatThem) {
  // Nemotron 3 Nano: 2 key-value heads of 128 on 6 attention layers, and 23 Mamba layers.
  const auto at = [](const std::string& tp) {
    return card(R"({"model": "nemotron-3-nano-30b-a3b", "gpu": "h200-sxm",
                    "method": {"kind": "lora", "rank": 8, "targets": "all-linear"},
                    "kernels": {"recompute": "full"},
                    "layout": {"gpus": 8, "tp": 1, "ep": 8}, "grpo": {"memory_fraction": 0.6,
                    "generation_tp": )" +
                tp + "}}")
        .generation.kv_cache_per_sequence;
  };
  const std::int64_t convolution = (4096 + 2 * 8 * 128) * 3 * 2;
  const std::int64_t scan = 64 * 64 * 128 * 4;
  const auto cache = [](std::int64_t heads) { return 2 * 6 * heads * 128 * 2 * 1536; };
  EXPECT_EQ(at("1"), cache(2) + 23 * (convolution + scan));
  EXPECT_EQ(at("2"), cache(1) + 23 * (convolution + scan) / 2);
  EXPECT_EQ(at("4"), cache(1) + 23 * (convolution + scan) / 4);
}

TEST(Grpo, LatentAttentionCachesOneVectorWholeOnEveryRank) {
  Job job = job_of(ask(R"({"model": "deepseek-v3", "gpu": "b300",
      "method": {"kind": "lora", "rank": 8, "targets": "all-linear"},
      "kernels": {"recompute": "full"}, "layout": {"gpus": 64, "tp": 8, "ep": 64},
      "grpo": {"generation": "server", "generation_gpus": 8, "generation_tp": 8}})"));
  const std::int64_t cache = 61 * (512 + 64) * 2 * 1536;
  EXPECT_EQ(sequence_cache_term(job).bytes, cache);
  job.grpo->generation_tp = 1;
  EXPECT_EQ(sequence_cache_term(job).bytes, cache);
  job.grpo->kv_bytes = 1;
  EXPECT_EQ(sequence_cache_term(job).bytes, cache / 2);
}

// ---- the engine
// ----------------------------------------------------------------------------------

TEST(Grpo, EngineFillsItsFraction) {
  const Sizing sizing = ask(lora_8b(""));
  const GenerationBill& bill = sizing.plan.chosen.grpo->generation;
  EXPECT_EQ(bill.weights, 2 * 8030261248);
  EXPECT_NEAR(static_cast<double>(bill.device),
              0.3 * static_cast<double>(sizing.plan.chosen.bill.capacity), 1);
  EXPECT_EQ(bill.weights + bill.workspace + bill.cuda_graphs + bill.overhead + bill.kv_cache,
            bill.device);
  EXPECT_EQ(bill.sequences_that_fit, bill.kv_cache / (131072 * 1536));
}

TEST(Grpo, WorkspaceIsAChunkOrTheSampledLogits) {
  // A chunk of 4,096 tokens: two residual streams of 4,096 and three MLP rows of 14,336, 2 bytes.
  EXPECT_EQ(card(lora_8b("")).generation.workspace, 4096 * 2 * (2 * 4096 + 3 * 14336));
  // 256 sequences over 128,256 entries at 39 bytes, and the chunk's hidden states.
  EXPECT_EQ(card(lora_8b(R"("max_concurrent": 256)")).generation.workspace,
            4096 * 2 * 4096 + 256LL * 128256 * 39);
}

TEST(Grpo, ProfileOfLlama3On8192TokensIsMet) {
  // vLLM reports 1.26 GiB for a server with 256 sequences and 8,192 tokens a step.
  const GrpoBill bill = card(R"({"model": "llama-3-8b", "gpu": "h100-sxm", "layout": {"gpus": 1},
      "method": {"kind": "lora", "rank": 16, "targets": "all-linear"},
      "grpo": {"generation": "server", "generation_gpus": 1, "max_concurrent": 256}})");
  EXPECT_NEAR(static_cast<double>(bill.generation.workspace) / 1073741824.0, 1.26, 0.01);
}

TEST(Grpo, Nf4EngineKeepsEmbeddingAndHeadWide) {
  const std::string request = R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "layout": {"gpus": 1},
      "method": {"kind": "qlora", "rank": 16, "targets": "all-linear"},
      "grpo": {"weight_dtype": "nf4"}})";
  const std::int64_t root = 2LL * 128256 * 4096;
  const std::int64_t norms = 65 * 4096;
  const double matrices = static_cast<double>(8030261248 - root - norms);
  EXPECT_EQ(card(request).generation.weights,
            static_cast<std::int64_t>(matrices * 0.5625) + 2 * (root + norms));
}

TEST(Grpo, EveryTermEvaluatesToItsBytes) {
  for (const std::string grpo :
       {R"("memory_fraction": 0.5)", R"("generation": "server", "generation_gpus": 4,
          "generation_tp": 4, "kv_dtype": "fp8")"}) {
    const Sizing sizing = ask(lora_8b(grpo));
    std::vector<MemoryTerm> terms =
        generation_terms(job_of(sizing), sizing.plan.chosen.bill.capacity);
    std::int64_t sum = 0;
    for (const MemoryTerm& term : terms) sum += term.bytes;
    EXPECT_EQ(sum, sizing.plan.chosen.grpo->generation.device);
    terms.push_back(sequence_cache_term(job_of(sizing)));
    for (const MemoryTerm& term : terms) {
      EXPECT_NEAR(evaluate(term.formula), static_cast<double>(term.bytes), 0.5) << term.name;
    }
  }
}

// ---- the card
// ------------------------------------------------------------------------------------

TEST(Grpo, AsleepTheEngineLeavesGraphsAndLibraries) {
  const GrpoBill asleep = card(lora_8b(""));
  EXPECT_EQ(asleep.training_phase,
            asleep.trainer_device + asleep.generation.cuda_graphs + asleep.generation.overhead);
  const GrpoBill awake = card(lora_8b(R"("sleep": false)"));
  EXPECT_EQ(awake.training_phase, awake.trainer_device + awake.generation.device);
  EXPECT_EQ(awake.generation_phase, asleep.generation_phase);
  EXPECT_EQ(awake.device, awake.training_phase);
  EXPECT_GT(awake.device, asleep.device);
}

TEST(Grpo, VerdictIsOfTheWholeCard) {
  const Sizing sizing = ask(lora_8b(R"("memory_fraction": 0.85, "sleep": false)"));
  EXPECT_EQ(sizing.plan.chosen.verdict, Verdict::kNo);
  const Json line = to_json(sizing);
  EXPECT_EQ(line.at("memory").at("verdict"), "no");
  EXPECT_EQ(line.at("grpo").at("together").at("verdict"), "no");
  EXPECT_EQ(line.at("memory").at("device"), line.at("grpo").at("trainer_device"));
  EXPECT_LT(line.at("memory").at("device"), line.at("memory").at("capacity"));
}

TEST(Grpo, SearchCountsTheWholeCard) {
  const auto least = [](const std::string& grpo) {
    return ask(R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "state": "pure-bf16",
                   "method": {"kind": "full"}, "kernels": {"recompute": "full"}, "grpo": {)" +
               grpo + "}}")
        .plan.rentable.value();
  };
  EXPECT_EQ(least(R"("generation": "server", "generation_gpus": 1)"), 1);
  EXPECT_EQ(least(R"("memory_fraction": 0.5)"), 2);
}

TEST(Grpo, WhatBindsIsTheEngineWhereItGeneratesAtThePeak) {
  const Sizing sizing = ask(R"({"model": "llama-3.1-70b", "gpu": "h100-sxm", "layout": {"gpus": 1},
      "method": {"kind": "qlora", "rank": 16, "targets": "all-linear"},
      "kernels": {"recompute": "full", "loss": "chunked"},
      "grpo": {"weight_dtype": "nf4", "memory_fraction": 0.6}})");
  EXPECT_EQ(sizing.binding,
            "Does not fit on 1 × H100: 88.0 GiB of 79.2 usable, over by 8.8, in generation. "
            "Largest: generation engine 47.5 GiB; more GPUs help; a smaller "
            "grpo.memory_fraction, or generation on a server, leaves more of the card.");
  EXPECT_EQ(sizing.plan.fingerprint, "generation");
}

TEST(Grpo, ReferenceIsShardedAsTheWeightsAre) {
  const GrpoBill none = card(full_06b(""));
  const GrpoBill copy = card(full_06b(R"("reference": "copy")"));
  EXPECT_EQ(none.reference_weights, 0);
  const double shard = 596049920.0 * 2 / 2;
  EXPECT_NEAR(static_cast<double>(copy.reference_weights), shard * 1.02, 1);
  EXPECT_EQ(copy.device, none.device + copy.reference_weights);
}

TEST(Grpo, AdaptersSwitchedOffNeedNoCopy) {
  EXPECT_EQ(card(lora_8b(R"("reference": "adapter-off")")).device, card(lora_8b("")).device);
  EXPECT_GT(card(lora_8b(R"("reference": "copy")")).device, card(lora_8b("")).device);
}

TEST(Grpo, TrainerRunsOverPromptAndCompletion) {
  const Sizing sizing = ask(lora_8b(R"("prompt_length": 1024, "completion_length": 3072)"));
  EXPECT_EQ(job_of(sizing).seq_len, 4096);
  EXPECT_FALSE(job_of(sizing).packed);
  EXPECT_EQ(job_of(ask(lora_8b("", R"("seq_len": 2048)"))).seq_len, 2048);
}

TEST(Grpo, StacksFineTuningLossAndLengthDoNotCarryOver) {
  const std::string request = R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "stack": "hf-trl",
      "method": "lora-r16", "layout": {"gpus": 1}, "grpo": {}})";
  EXPECT_EQ(job_of(ask(request)).loss, "hf-amp");
  EXPECT_EQ(job_of(ask(request)).seq_len, 1536);
}

TEST(Grpo, LongerAndMoreNeverNeedLess) {
  std::int64_t device = 0;
  std::int64_t fit = 1LL << 40;
  for (const char* length : {"256", "512", "1000", "2048", "8192"}) {
    const GrpoBill bill = card(lora_8b(std::string(R"("completion_length": )") + length));
    EXPECT_GE(bill.device, device);
    EXPECT_LE(bill.generation.sequences_that_fit, fit);
    device = bill.device;
    fit = bill.generation.sequences_that_fit;
  }
  std::int64_t workspace = 0;
  std::int64_t groups = 1LL << 40;
  for (const char* size : {"2", "8", "64", "256"}) {
    const Json line = to_json(ask(lora_8b(std::string(R"("group_size": )") + size)));
    const Json& generation = line.at("grpo").at("generation");
    EXPECT_EQ(generation.at("max_concurrent"), std::stoll(size));
    EXPECT_GE(generation.at("workspace").get<std::int64_t>(), workspace);
    EXPECT_LE(generation.at("groups_that_fit").get<std::int64_t>(), groups);
    workspace = generation.at("workspace").get<std::int64_t>();
    groups = generation.at("groups_that_fit").get<std::int64_t>();
  }
}

TEST(Grpo, AnswerWithoutGrpoIsUnchanged) {
  const Json line = to_json(ask(R"({"model": "llama-3.1-8b", "gpu": "h100-sxm",
      "layout": {"gpus": 1}, "method": {"kind": "lora", "rank": 16, "targets": "all-linear"}})"));
  EXPECT_FALSE(line.contains("grpo"));
  EXPECT_FALSE(line.at("throughput").is_null());
}

TEST(Grpo, WarningsSayWhatIsCounted) {
  const Sizing sizing = ask(lora_8b(R"("max_concurrent": 100)"));
  EXPECT_EQ(sizing.warnings,
            (std::vector<std::string>{
                "grpo: memory.device is the trainer's; memory.verdict and minimum are of the whole "
                "card, which holds grpo.together.device",
                "grpo: throughput and hours need grpo.prompts_per_step, the prompts of a step",
                "grpo: the loss is counted as kernels.loss \"hf\" over prompt and completion",
                "grpo.max_concurrent: the cache holds 40 of 100 sequences at full length; the "
                "others wait"}));
  EXPECT_FALSE(sizing.speed);
  const Sizing server = ask(lora_8b(R"("generation": "server", "generation_gpus": 2)"));
  EXPECT_EQ(server.warnings.front(),
            "grpo: memory.device, layout and minimum are the trainer's; memory.verdict counts the "
            "reference weights, and generation takes 2 GPUs more");
  EXPECT_EQ(to_json(server).at("grpo").at("together").at("gpus"), 3);
}

// ---- refusals
// ------------------------------------------------------------------------------------

TEST(Grpo, UnknownKeysAndValues) {
  EXPECT_EQ(refusal(lora_8b(R"("group_sise": 8)")),
            "grpo.group_sise: unknown key (did you mean \"group_size\"?)");
  EXPECT_EQ(refusal(lora_8b(R"("generation": "colocate")")),
            "grpo.generation: expected one of colocated, server; got \"colocate\" (did you mean "
            "\"colocated\"?)");
  EXPECT_EQ(refusal(lora_8b(R"("group_size": 1)")),
            "grpo.group_size: expected an integer from 2 to 100000, got 1");
}

TEST(Grpo, NeedsACard) {
  EXPECT_EQ(refusal(R"({"model": "llama-3.1-8b", "layout": {"gpus": 1},
                        "method": {"kind": "full"}, "grpo": {}})"),
            "grpo: needs a gpu: generation takes a fraction of its memory");
}

TEST(Grpo, WorkloadThatContradicts) {
  EXPECT_EQ(refusal(lora_8b("", R"("seq_len": 1024)")),
            "grpo.completion_length: prompt and completion are 512 + 1024 = 1536 tokens, and "
            "workload.seq_len is 1024; leave it out or give at least that");
  EXPECT_EQ(refusal(lora_8b("", R"("tokens": 1000000)")),
            "workload.tokens: a run with grpo is as long as its prompts: give examples, their "
            "number, and epochs; got 1000000");
  EXPECT_EQ(refusal(lora_8b("", R"("examples": 1000, "mean_length": 900)")),
            "workload.mean_length: a run with grpo is as long as its prompts: give examples, their "
            "number, and epochs; got 900; grpo.prompts_per_step: workload.examples is the length "
            "of the run, and its hours need the prompts of a step; expected an integer, got "
            "nothing");
  EXPECT_EQ(refusal(lora_8b("", R"("epochs": 2)")),
            "workload.examples: examples and epochs go together");
}

TEST(Grpo, KeysOfTheOtherPlace) {
  EXPECT_EQ(refusal(lora_8b(R"("generation_gpus": 4)")),
            "grpo.generation_gpus: needs generation \"server\"; colocated engines stand on the "
            "trainer's GPUs");
  EXPECT_EQ(refusal(lora_8b(R"("generation": "server", "generation_gpus": 4, "sleep": true)")),
            "grpo.sleep: true needs generation \"colocated\": a server has its cards to itself");
  EXPECT_EQ(refusal(lora_8b(R"("generation": "server")")),
            "grpo.generation_gpus: expected an integer, got nothing");
  EXPECT_EQ(refusal(lora_8b(R"("generation": "server", "generation_gpus": 3,
                               "generation_tp": 2)")),
            "grpo.generation_gpus: 3 is not divisible by generation_tp 2");
}

TEST(Grpo, WeightsThatTheTrainerDoesNotHave) {
  EXPECT_EQ(refusal(full_06b(R"("reference": "adapter-off")")),
            "grpo.reference: \"adapter-off\" needs adapters to switch off, and method.kind is "
            "\"full\"; ask for \"copy\"");
  EXPECT_EQ(refusal(lora_8b(R"("weight_dtype": "nf4")")),
            "grpo.weight_dtype: \"nf4\" needs a trainer on the same base, method.kind \"qlora\"");
}

TEST(Grpo, SplitsThatTheModelDoesNotAllow) {
  EXPECT_EQ(refusal(lora_8b(R"("generation_tp": 3)")),
            "grpo.generation_tp: 32 attention heads are not divisible by 3 (nearest: 2, 4)");
  EXPECT_EQ(refusal(lora_8b(R"("generation_tp": 16)")),
            "grpo.generation_tp: an engine stays inside a node of 8 GPUs, got 16");
  EXPECT_EQ(refusal(lora_8b(R"("generation_tp": 2)")),
            "layout.gpus: colocated engines take grpo.generation_tp = 2 GPUs each, and 1 is not a "
            "multiple of that");
  EXPECT_EQ(refusal(R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "layout": {"gpus": 6},
                        "method": {"kind": "full"}, "grpo": {"generation_tp": 4}})"),
            "layout.gpus: colocated engines take grpo.generation_tp = 4 GPUs each, and 6 is not a "
            "multiple of that");
}

TEST(Grpo, EngineThatDoesNotStart) {
  EXPECT_EQ(refusal(lora_8b(R"("memory_fraction": 0.1)")),
            "grpo.memory_fraction: the engine does not start: 0.10 of 79.2 GiB is too little for "
            "weights of 15.0 GiB, a workspace of 0.4 GiB, graphs and libraries of 0.7 GiB and one "
            "sequence's cache of 0.19 GiB; at least 0.21 or generation_tp 4");
  EXPECT_EQ(refusal(lora_8b(R"("generation": "server", "generation_gpus": 1,
                               "memory_fraction": 1)")),
            "grpo.memory_fraction: 1.00 of 79.2 GiB leaves no room for the server's CUDA context "
            "of 0.55 GiB");
}

}  // namespace
}  // namespace sizesheet
