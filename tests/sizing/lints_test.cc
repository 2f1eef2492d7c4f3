// SPDX-License-Identifier: Apache-2.0
// Every lint: fires with its bytes, and keeps still on the same job without its cause.
#include <gtest/gtest.h>

#include <algorithm>

#include "sizing/estimate.h"
#include "sizing/search/remarks.h"
#include "sizing/sized.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The words of this lint, "" if it does not fire.
std::string words_of(const std::string& id, const std::string& request) {
  const Question question = question_of(request);
  const Sizing sizing = answer(question);
  for (const Lint& lint : lints(question, sizing.plan.chosen, sizing.speed)) {
    if (lint.id == id) return lint.words;
  }
  return "";
}

struct Case {
  const char* id;
  const char* fires;
  const char* words;
  const char* silent;
};

class Lints : public testing::TestWithParam<Case> {};

TEST_P(Lints, FiresWithItsBytes) {
  EXPECT_EQ(words_of(GetParam().id, GetParam().fires), GetParam().words);
}

TEST_P(Lints, KeepsStillWithoutItsCause) {
  EXPECT_EQ(words_of(GetParam().id, GetParam().silent), "");
}

TEST_P(Lints, IsAWarningOfTheAnswer) {
  const Sizing sizing = answer(question_of(GetParam().fires));
  const std::string warning = std::string(GetParam().id) + ": " + GetParam().words;
  EXPECT_EQ(std::count(sizing.warnings.begin(), sizing.warnings.end(), warning), 1);
}

INSTANTIATE_TEST_SUITE_P(
    SetUp, Lints,
    testing::Values(
        Case{"wide-adapters",
             R"({"model":"nemotron-3-nano-30b-a3b","gpu":"h100-sxm",
                 "method":{"kind":"lora","rank":256,"experts":"per-expert","targets":["q_proj"]}})",
             "the adapters have 6.9 bn parameters, 21.7 % of the model, each with gradient and "
             "optimizer state; 6.8 bn of them stand on routed experts (method.experts shared or "
             "none)",
             R"({"model":"nemotron-3-nano-30b-a3b","gpu":"h100-sxm",
                 "method":{"kind":"lora","rank":32,"experts":"per-expert","targets":["q_proj"]}})"},
        Case{"slow-link",
             R"({"model":"llama-3.1-8b","gpu":"l40s","stack":"deepspeed","method":"full",
                 "workload":{"seq_len":512,"micro_batch":1},"layout":{"gpus":8}})",
             "86 % of each step is exchange between GPUs that computing does not hide; link of "
             "L40S: "
             "PCIe 4",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm","stack":"deepspeed","method":"full",
                 "workload":{"seq_len":4096,"micro_batch":1},"layout":{"gpus":8}})"},
        Case{
            "odd-count",
            R"({"model":"llama-3.1-70b","gpu":"h100-sxm","method":"full","layout":{"gpus":11}})",
            "11 × H100 are not on offer: 8 or 16 are",
            R"({"model":"llama-3.1-70b","gpu":"h100-sxm","method":"full","layout":{"gpus":16}})"}));

INSTANTIATE_TEST_SUITE_P(
    All, Lints,
    testing::Values(
        Case{"paged-optimizer",
             R"({"model":"llama-3.1-8b","gpu":"rtx-4090","method":"full","state":"pure-bf16",
                 "optimizer":"paged-adamw-8bit","layout":{"gpus":1}})",
             "15.2 GiB of optimizer states wait in host memory: each step moves 30.4 GiB over PCIe",
             R"({"model":"llama-3.1-8b","gpu":"h200-sxm","method":"full",
                 "state":"pure-bf16","optimizer":"paged-adamw-8bit","layout":{"gpus":1}})"},
        Case{"offloaded-optimizer",
             R"({"model":"size-7b","gpu":"rtx-4090","method":"full","state":"pure-bf16",
                 "layout":{"gpus":2,"tp":1,"shard":"zero2","offload":"optimizer"}})",
             "the optimizer steps on the host, with 37.7 GiB there per GPU: each step moves 12.6 "
             "GiB of gradients and weights over PCIe",
             R"({"model":"size-7b","gpu":"rtx-4090","method":"full","state":"pure-bf16",
                 "layout":{"gpus":2,"tp":1,"shard":"zero2"}})"},
        Case{"inert-recompute",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16",
                 "kernels":{"recompute":["core_attn"]}})",
             "kernels.recompute [core_attn] drops nothing here: all 22.6 GiB of activations stay",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16",
                 "kernels":{"recompute":["core_attn","mlp"]}})"},
        Case{"idle-adapter",
             R"({"model":"nemotron-h-4b","gpu":"h100-sxm",
                 "method":{"kind":"lora","rank":16,"targets":["in_proj","out_proj"]}})",
             "the fused Mamba-2 kernel never calls an adapter on out_proj: its gradient stays zero "
             "and 0.06 GiB of it train nothing; leave out_proj out of method.targets",
             R"({"model":"nemotron-h-4b","gpu":"h100-sxm",
                 "method":{"kind":"lora","rank":16,"targets":["in_proj"]}})"},
        Case{"kbit-upcast",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm",
                 "method":{"kind":"qlora","rank":16,"kbit_prep":true}})",
             "k-bit preparation casts norms, embedding and head to fp32, and with them what the "
             "blocks pass on: 16.3 GiB of this",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm",
                 "method":{"kind":"qlora","rank":16}})"},
        Case{"unsharded-root",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"full",
                 "layout":{"gpus":8,"tp":1,"shard":"zero3"},"kernels":{"recompute":"full"}})",
             "embedding and head stay gathered on every GPU through the step: 2.9 GiB that "
             "sharding does not divide",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"full",
                 "layout":{"gpus":8,"tp":1,"shard":"zero3","root_unsharded":false},
                 "kernels":{"recompute":"full"}})"},
        Case{"no-bf16",
             R"({"model":"size-7b","gpu":"t4","method":"qlora-r16","state":"pure-bf16"})",
             "T4 has no bf16 arithmetic: it is emulated in fp32 and slow, and no hours "
             "are given; use kernels.precision fp16 with fp32 or master weights",
             R"({"model":"size-7b","gpu":"t4","method":"qlora-r16"})"},
        Case{"eager-attention",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16",
                 "kernels":{"attention":"eager","recompute":"full"},"workload":{"seq_len":8192}})",
             "eager attention writes out scores of length x length: 19.7 GiB at 8,192 tokens, and "
             "four times that at twice the length",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16",
                 "kernels":{"attention":"eager","recompute":"full"},"workload":{"seq_len":128}})"},
        Case{"repeated-kv",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16",
                 "kernels":{"attention":"flash-repeat-kv"},"workload":{"seq_len":8192}})",
             "keys and values are repeated for every query head: 2.0 GiB",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16",
                 "workload":{"seq_len":8192}})"},
        Case{"unquantised-experts",
             R"({"model":"qwen3-30b-a3b","gpu":"h100-sxm","layout":{"gpus":1},
                 "kernels":{"recompute":"full"},
                 "method":{"kind":"qlora","rank":16,"quantize_experts":false}})",
             "the routed experts stay in 16 bits under this base, for the quantiser skips their "
             "stacked tensors: 40.9 GiB more than with method.quantize_experts",
             R"({"model":"qwen3-30b-a3b","gpu":"h100-sxm","layout":{"gpus":1},
                 "kernels":{"recompute":"full"},"method":{"kind":"qlora","rank":16}})"},
        Case{"bare-experts", R"({"model":"qwen3-30b-a3b","gpu":"h100-sxm","method":"lora-r16"})",
             "all-linear leaves the routed experts without adapters: 54.0 GiB of base, 95 % of the "
             "parameters, train nothing (method.experts shared or per-expert)",
             R"({"model":"qwen3-30b-a3b","gpu":"h100-sxm",
                 "method":{"kind":"lora","rank":16,"experts":"shared"}})"},
        Case{"saved-modules",
             R"({"model":"llama-3.2-1b","gpu":"h100-sxm",
                 "method":{"kind":"lora","rank":16,"modules_to_save":["lm_head"]}})",
             "method.modules_to_save trains 263 M parameters of embedding and head in full, beside "
             "the frozen ones: 3.9 GiB of copies, gradients and states before sharding; the model "
             "ties both, and the saved copy unties them",
             R"({"model":"llama-3.2-1b","gpu":"h100-sxm",
                 "method":{"kind":"lora","rank":16,"modules_to_save":["norm"]}})"},
        Case{"fp32-base",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm","layout":{"gpus":1},
                 "method":{"kind":"lora","rank":16,"base":"fp32"}})",
             "the frozen base is held in fp32 and cast for every use: 29.6 GiB more than in bf16",
             R"({"model":"llama-3.1-8b","gpu":"h100-sxm","layout":{"gpus":1},
                 "method":{"kind":"lora","rank":16}})"},
        Case{"unified-memory",
             R"({"model":"size-70b","gpu":"gb10","method":"lora-r16","layout":{"gpus":1}})",
             "Spark shares its memory with the system: at 267.3 GiB of 117.7 GiB it swaps and "
             "slows down before it fails",
             R"({"model":"size-70b","gpu":"h100-sxm","method":"lora-r16","layout":{"gpus":1}})"}),
    [](const testing::TestParamInfo<Case>& one) {
      std::string name = one.param.id;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(LintBytes, AreThoseTheRequestSaves) {
  const std::string head = R"({"model":"qwen3-30b-a3b","gpu":"h200-sxm","layout":{"gpus":1},
      "kernels":{"recompute":"full"},"method":{"kind":"qlora","rank":16)";
  const auto device = [&](const std::string& tail) {
    return plan(question_of(head + tail)).chosen.bill.device;
  };
  const std::int64_t more = device(R"(,"quantize_experts":false}})") - device("}}");
  const std::string words =
      words_of("unquantised-experts", head + R"(,"quantize_experts":false}})");
  EXPECT_NE(words.find(": " + format_gib(more, 1) + " GiB more"), std::string::npos) << words;
}

TEST(LintRefusals, PeftStacksRefuseAdaptersThatNeverRun) {
  for (const std::string stack : {"hf-trl", "deepspeed", "unsloth"}) {
    const std::string request = R"({"model":"nemotron-h-4b","gpu":"h100-sxm","stack":")" + stack +
                                R"(","method":{"kind":"lora","rank":16,"targets":["out_proj"]}})";
    EXPECT_EQ(refusal_of([&] { question_of(request); }),
              "method.targets: " + stack +
                  " refuses an adapter on \"out_proj\": PEFT rejects it "
                  "(_check_lora_target_modules_mamba): the fused Mamba-2 kernel takes the bare "
                  "weight and never calls the module, so an adapter there gets no gradient");
  }
}

}  // namespace
}  // namespace sizesheet
