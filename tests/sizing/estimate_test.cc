// SPDX-License-Identifier: Apache-2.0
// `estimate` as programs outside the project use it: answers, refusals, whole messages.
#include "sizing/estimate.h"

#include <gtest/gtest.h>

#include "sizing/memory/memory.h"
#include "sizing/sized.h"
#include "support/formula_evaluator.h"

namespace sizesheet {
namespace {

constexpr const char* kWorkload =
    R"("workload": {"seq_len": 4096, "micro_batch": 1, "grad_accum": 1, "packed": true})";

std::string sheet_request(const std::string& model, const std::string& method,
                          const std::string& gpu, const std::string& stack) {
  return R"({"model": ")" + model + R"(", "method": ")" + method + R"(", "gpu": ")" + gpu +
         R"(", "stack": ")" + stack + R"(", )" + kWorkload + "}";
}

TEST(Estimate, LoraOnLlama31) {
  const Sizing sizing = ask(R"({"model":"llama-3.1-8b","gpu":"h100-sxm","stack":"hf-trl",
              "method":{"kind":"lora","rank":16,"targets":"all-linear"}})");
  EXPECT_EQ(sizing.parameters.total(), 8030261248);
  EXPECT_EQ(sizing.trainable, 41943040);
  const MemoryBill& bill = sizing.plan.chosen.bill;
  EXPECT_EQ(bill.terms.sum(), bill.allocated);
  EXPECT_LE(bill.allocated, bill.reserved);
  EXPECT_LE(bill.reserved, bill.device);
  EXPECT_EQ(sizing.plan.chosen.verdict, Verdict::kFits);
}

TEST(Estimate, FullFineTuning70bDoesNotFitEightCards) {
  const Sizing sizing =
      ask(R"({"model":"size-70b","gpu":"h100-sxm","stack":"hf-trl","method":"full",
      "layout":{"gpus":8}, "workload":{"seq_len":4096,"micro_batch":1,"packed":true}})");
  EXPECT_EQ(sizing.plan.chosen.verdict, Verdict::kNo);
  EXPECT_EQ(sizing.plan.rentable, std::nullopt);
  EXPECT_GT(sizing.plan.chosen.bill.device, 130 * 1073741824LL);
  EXPECT_EQ(sizing.plan.fingerprint, "optimizer_step of step 1");
}

TEST(Estimate, QLora100bFitsOneH200) {
  const Sizing sizing = ask(sheet_request("size-100b", "qlora-r16", "h200-sxm", "hf-trl"));
  EXPECT_EQ(sizing.plan.rentable, 1);
  EXPECT_EQ(sizing.plan.chosen.job.loss, "fused-linear");
}

TEST(Estimate, StateRecipeDecidesFull7bOnOneCard) {
  EXPECT_EQ(ask(sheet_request("size-7b", "full", "h100-sxm", "hf-trl")).plan.rentable, 2);
  EXPECT_EQ(ask(sheet_request("size-7b", "full", "h100-sxm", "torchtune")).plan.rentable, 1);
}

TEST(Estimate, NothingFitsIsAnAnswer) {
  const Sizing sizing = ask(sheet_request("size-400b", "full", "gb10", "hf-trl"));
  EXPECT_EQ(sizing.plan.chosen.verdict, Verdict::kNo);
  const Json json = to_json(sizing);
  EXPECT_TRUE(json.at("ok"));
  EXPECT_TRUE(json.at("minimum").at("rentable").is_null());
  EXPECT_EQ(json.at("binding").get<std::string>().substr(0, 15), "Does not fit on");
}

TEST(Estimate, WithoutGpuCapacityVerdictAndThroughputAreNull) {
  const Json json = to_json(ask(R"({"model":"size-7b","method":"full","state":"pure-bf16",
      "layout":{"gpus":8,"dp":8,"tp":1,"shard":"zero3"}})"));
  EXPECT_TRUE(json.at("memory").at("capacity").is_null());
  EXPECT_TRUE(json.at("memory").at("verdict").is_null());
  EXPECT_TRUE(json.at("throughput").is_null());
  EXPECT_TRUE(json.at("minimum").is_null());
  EXPECT_GT(json.at("memory").at("device").get<std::int64_t>(), 0);
}

TEST(Estimate, ExamplesTimesLengthTimesEpochsAreTokens) {
  const std::string head =
      R"({"model":"size-7b","gpu":"h200-sxm","stack":"torchtune","method":"full",)";
  const Sizing by_tokens =
      ask(head + R"("workload":{"seq_len":4096,"micro_batch":1,"tokens":30000000}})");
  const Sizing by_examples = ask(head + R"("workload":{"seq_len":4096,"micro_batch":1,
      "examples":10000,"mean_length":1000,"epochs":3}})");
  ASSERT_TRUE(by_tokens.hours);
  EXPECT_EQ(by_tokens.hours->mid, by_examples.hours->mid);
  EXPECT_LT(by_tokens.hours->low, by_tokens.hours->mid);
  EXPECT_GT(by_tokens.hours->high, by_tokens.hours->mid);
}

TEST(Estimate, TheStacksTrapIsNamedWithItsBytes) {
  const Sizing sizing = ask(sheet_request("llama-3.1-8b", "lora-r16", "h100-sxm", "hf-trl"));
  bool found = false;
  for (const std::string& warning : sizing.warnings) {
    found = found ||
            (warning.starts_with("method.base: ") && warning.ends_with("(+15.0 GiB per GPU here)"));
  }
  EXPECT_TRUE(found);
}

struct Refused {
  const char* request;
  const char* message;
};

class Refusals : public testing::TestWithParam<Refused> {};

TEST_P(Refusals, NameTheKeyAndTheReason) {
  EXPECT_EQ(refusal(GetParam().request), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Estimate, Refusals,
    testing::Values(
        Refused{
            R"({"model":"qwen3-30b-a3b","gpu":"h100-sxm","method":{"kind":"lora","rank":16},"layout":{"ep":6}})",
            "layout.ep: 128 experts are not divisible by 6 (nearest: 4, 8)"},
        Refused{
            R"({"model":"qwen3-30b-a3b","gpu":"h100-sxm","method":{"kind":"lora","rank":16},"layout":{"gpus":8,"dp":8,"ep":16}})",
            "layout.ep: ep * etp = 16 does not divide dp * cp * tp = 8 (nearest: 8)"},
        Refused{
            R"({"model":"llama-3.1-8bb","gpu":"h100-sxm","method":"full"})",
            "model: no model \"llama-3.1-8bb\" in the catalog (did you mean \"llama-3.1-8b\"?)"},
        Refused{R"({"model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"tp":3}})",
                "layout.tp: 32 attention heads are not divisible by 3 (nearest: 2, 4)"},
        Refused{
            R"({"model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"gpus":8,"dp":2,"tp":2}})",
            "layout.gpus: 8 is not dp * tp * pp * cp = 2 * 2 * 1 * 1"},
        Refused{R"({"model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"pp":5}})",
                "layout.pp: 32 layers are not divisible by 5 (nearest: 4, 8)"},
        Refused{R"({"model":"size-7b","gpu":"h100-sxm","method":{"kind":"full","rank":8}})",
                "method.rank: applies to adapters only, not to method.kind \"full\", got 8"},
        Refused{
            R"({"model":"size-7b","gpu":"h100-sxm","method":{"kind":"lora","rank":8,"kbit_prep":true}})",
            "method.kbit_prep: applies to an nf4 or int8 base only, not to method.kind \"lora\" on "
            "bf16, got true"},
        Refused{
            R"({"model":"size-7b","gpu":"h100-sxm","method":{"kind":"pissa","rank":8}})",
            "method.kind: PiSSA starts a LoRA from the base's leading singular vectors: its "
            "memory in training is that of method.kind \"lora\" at the same rank; ask for that"},
        Refused{R"({"model":"size-7b","gpu":"h100-sxm","method":"full","optimizer":"adamw8bit"})",
                "optimizer: expected one of adafactor, adam-mini, adamw, adamw-8bit, lion, "
                "lion-8bit, muon, "
                "paged-adamw, paged-adamw-8bit, sgd, sgd-momentum; got \"adamw8bit\" (did you mean "
                "\"adamw-8bit\"?)"},
        Refused{
            R"({"model":"size-7b","gpu":"h100-sxm","method":"full","optimizer":"lion","optimizer_foreach":true})",
            "optimizer_foreach: true needs optimizer \"adamw\", got \"lion\""},
        Refused{
            R"({"model":"size-7b","gpu":"a100-80-sxm","method":"full","kernels":{"precision":"fp8"}})",
            "kernels.precision: fp8 is not known to run on gpu \"a100-80-sxm\""},
        Refused{
            R"({"model":"size-7b","gpu":"v100-32","method":"full","state":"pure-bf16","kernels":{"precision":"fp16"}})",
            "kernels.precision: fp16 trains under loss scaling, which needs fp32 weights or a "
            "master copy; state \"pure-bf16\" has neither"},
        Refused{R"({"model":"size-7b","gpu":"gaudi3","method":"full"})",
                "gpu: gaudi3: its usable memory is not known, so nothing can be sized on it"},
        Refused{R"({"model":"size-7b","method":"full"})",
                "layout: without a gpu the layout must be given (gpus and tp, or dp and tp)"},
        Refused{
            R"({"model":"size-7b","gpu":"h100-sxm","method":"qlora-r16","stack":"megatron-bridge"})",
            "stack: megatron-bridge refuses method.kind \"qlora\": no 4-bit path anywhere in the "
            "package"},
        Refused{
            R"({"model":"size-7b","gpu":"h100-sxm","method":{"kind":"dpo"},"stack":"hf-trl"})",
            "method.kind: \"dpo\" is what is trained for, which objective.kind says; this is what "
            "trains: full, lora, dora or qlora"},
        Refused{
            R"({"model":"size-7b","gpu":"h100-sxm","method":"qlora-r16","stack":"hf-trl","layout":{"tp":2}})",
            "layout.tp: hf-trl refuses it: NF4 weights have no tensor-parallel path in this "
            "framework"},
        Refused{
            R"({"model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"seq_len":4096.5}})",
            "workload.seq_len: expected an integer, got 4096.5"},
        Refused{
            R"({"model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"seqlen":4096}})",
            "workload.seqlen: unknown key (did you mean \"seq_len\"?)"},
        Refused{
            R"({"model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"offload":"params","shard":"zero2"}})",
            "layout.offload: offloading parameters needs layout.shard \"zero3\", got \"zero2\""}));

TEST(Estimate, NeutralValuesAreAlwaysAccepted) {
  EXPECT_EQ(refusal(R"({"model":"size-7b","gpu":"h200-sxm","state":"pure-bf16",
      "method":{"kind":"full","experts":"none","dropout":0,"double_quant":true,"kbit_prep":false,
                "quantize_experts":true,"fused_projections":"none","modules_to_save":[]},
      "layout":{"pp":1,"cp":1,"ep":1,"etp":1,"vpp":1,"sequence_parallel":true,"shard_group":0,
                "offload":"none","expert_imbalance":1.0}})"),
            "no refusal");
  for (const std::string nothing : {"false", "0", "true"}) {
    EXPECT_EQ(refusal(R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":{"kind":"full"},
        "layout":{"gpus":8,"tp":1,"shard":"zero1","root_unsharded":)" +
                      nothing + "}}"),
              "no refusal");
  }
}

/// Every term's printed formula gives the term, for a spread of jobs.
TEST(Estimate, PrintedFormulasGiveThePrintedBytes) {
  const std::vector<std::string> requests{
      sheet_request("size-70b", "full", "h100-sxm", "hf-trl"),
      sheet_request("size-70b", "qlora-r16", "h100-sxm", "hf-trl"),
      sheet_request("qwen2.5-14b", "lora-r16", "l40s", "hf-trl"),
      sheet_request("size-7b", "full", "h100-sxm", "torchtune"),
      sheet_request("llama-3.3-nemotron-super-49b", "lora-r16", "h200-sxm", "nemo-automodel"),
      sheet_request("llama-3.1-8b", "full", "h100-sxm", "deepspeed"),
      sheet_request("gemma-2-9b", "lora-r16", "h100-sxm", "megatron-bridge"),
      R"({"model":"size-7b","gpu":"h100-sxm","method":"full","state":"pure-bf16","optimizer":"adafactor",
          "kernels":{"recompute":"selective","attention":"eager","loss":"legacy"},
          "workload":{"seq_len":1024,"grad_accum":4,"packed":false}})"};
  for (const std::string& request : requests) {
    const Candidate chosen = ask(request).plan.chosen;
    std::int64_t sum = 0;
    for (const MemoryTerm& term : memory_terms(chosen.job, chosen.worst_stage(), chosen.bill)) {
      EXPECT_NEAR(evaluate(term.formula), static_cast<double>(term.bytes), 0.5)
          << request << term.name;
      sum += term.bytes;
    }
    EXPECT_EQ(sum, chosen.bill.device) << request;
  }
}

}  // namespace
}  // namespace sizesheet
