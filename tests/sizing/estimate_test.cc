// SPDX-License-Identifier: Apache-2.0
// Formulas that `estimate` prints, worked out again, and a job by two names.

#include "sizing/answer/estimate.h"

#include <gtest/gtest.h>

#include "catalog/prices/purchase.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/memory.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/sized.h"
#include "sizing/time/throughput.h"
#include "support/formula_evaluator.h"
#include "support/json.h"

namespace sizesheet {
namespace {

constexpr const char* kWorkload =
    R"("workload": {"seq_len": 4096, "micro_batch": 1, "grad_accum": 1, "packed": true})";

std::string sheet_request(const std::string& model, const std::string& method,
                          const std::string& gpu, const std::string& stack) {
  return R"({"model": ")" + model + R"(", "method": ")" + method + R"(", "gpu": ")" + gpu +
         R"(", "stack": ")" + stack + R"(", )" + kWorkload + "}";
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

TEST(Estimate, PrintedFormulasOfFilesGiveThePrintedBytes) {
  const Sizing sizing = ask(
      R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16",
          "layout":{"gpus":8,"dp":8,"shard":"zero3","offload":"optimizer"}})");
  const Candidate& chosen = sizing.plan.chosen;
  const std::vector<MemoryTerm> terms = run_file_terms(chosen.job, chosen.bill.host, 8);
  const RunFiles& files = *sizing.files;
  const std::vector<std::int64_t> bytes = {files.adapter, files.checkpoint, files.host_memory,
                                           files.disk};
  ASSERT_EQ(terms.size(), bytes.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    EXPECT_EQ(terms[i].bytes, bytes[i]) << terms[i].name;
    EXPECT_NEAR(evaluate(terms[i].formula), static_cast<double>(bytes[i]), 0.5) << terms[i].name;
  }
}

TEST(Objective, SupervisedFineTuningByNameIsTheNeutralJob) {
  const std::string plain = R"({"model": "llama-3.1-8b", "gpu": "h100-sxm",
      "method": {"kind": "lora", "rank": 16}, "workload": {"tokens": 50000000})";
  const Json named = to_json(ask(plain + R"(, "objective": {"kind": "sft"}})"));
  EXPECT_EQ(named, to_json(ask(plain + "}")));
  const Json fastest = to_json(ask(plain + R"(, "objective": {"kind": "sft", "search": "time"}})"));
  EXPECT_EQ(fastest, to_json(ask(plain + R"(, "objective": "time"})")));
}

}  // namespace
}  // namespace sizesheet
