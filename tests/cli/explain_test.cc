// SPDX-License-Identifier: Apache-2.0
// The explain command: it asks what `estimate` would be asked, says what it took for granted, and
// ends with 1 where the answer is no.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/program.h"
#include "support/json.h"

namespace sizesheet {
namespace {

Outcome explained_by(const Words& more) {
  return program(with({"explain", "--catalog", kCatalog}, more));
}

std::string first_line(const Outcome& outcome) {
  return outcome.out.substr(0, outcome.out.find('\n'));
}

/// One job in the words of the command line.
struct Asked {
  std::string model;
  std::string method;
  std::string gpu;
  std::string stack;

  std::string line() const {
    Json request = {{"model", model}, {"method", method}, {"gpu", gpu}, {"limits", true}};
    if (stack != "none") request["stack"] = stack;
    return request.dump() + "\n";
  }
  Outcome explanation() const {
    return explained_by(
        {"--model", model, "--method", method, "--gpu", gpu, "--stack", stack, "--format", "json"});
  }
};

std::vector<Asked> all_asked() {
  std::vector<Asked> all;
  for (const char* stack : {"none", "deepspeed", "hf-trl", "litgpt", "megatron-bridge",
                            "nemo-automodel", "torchtune", "unsloth"}) {
    all.push_back({"llama-3.1-8b", "qlora-r16", "h100-sxm", stack});
    all.push_back({"size-13b", "full", "a100-80-sxm", stack});
    all.push_back({"qwen3-30b-a3b", "lora-r16", "b200", stack});
    all.push_back({"size-70b", "full", "rtx-4090", stack});
  }
  return all;
}

TEST(Explain, IsTheAnswerOfEstimateToTheSameWords) {
  const std::vector<Asked> all = all_asked();
  std::string lines;
  for (const Asked& asked : all) lines += asked.line();
  std::istringstream answers(program({"estimate", "--catalog", kCatalog}, lines).out);
  std::string text;
  int refused = 0;
  for (const Asked& asked : all) {
    ASSERT_TRUE(std::getline(answers, text));
    const Json answer = parse_json(text, "answer");
    const Outcome outcome = asked.explanation();
    if (!answer.at("ok").get<bool>()) {
      ++refused;
      EXPECT_EQ(outcome.code, 2) << asked.line();
      EXPECT_EQ(outcome.err, "sizesheet: " + answer.at("error").get<std::string>() + "\n");
      continue;
    }
    Json explanation = parse_json(outcome.out, "explanation");
    for (const char* proof : {"terms", "file_terms", "time_terms", "diagnosis"}) {
      explanation.erase(proof);
    }
    EXPECT_EQ(explanation, answer) << asked.line();
    EXPECT_EQ(outcome.code, answer.at("memory").at("verdict") == "no" ? 1 : 0) << asked.line();
    EXPECT_EQ(answer.at("defaults").at("stack"),
              asked.stack == "none" ? Json() : Json(asked.stack));
  }
  EXPECT_LT(refused, 16);
}

TEST(Explain, EndsWithOneWhereNothingFits) {
  const std::vector<std::string> no = {"--model", "size-70b", "--method", "full",
                                       "--gpu",   "h100-sxm", "--gpus",   "8"};
  EXPECT_EQ(explained_by(no).code, 1);
  EXPECT_EQ(explained_by(with(no, {"--format", "json"})).code, 1);
  EXPECT_EQ(explained_by({"--model", "size-7b", "--method", "qlora-r16", "--gpu", "h100-sxm"}).code,
            0);
  EXPECT_EQ(explained_by({"--model", "size-7b", "--method", "full", "--gpus", "8"}).code, 0);
  EXPECT_NE(program({"explain", "--help"})
                .out.find("Exit codes: 0 it fits, or no GPU is named; 1 nothing fits; 2 could not "
                          "tell."),
            std::string::npos);
}

TEST(Explain, NamesWhatTheStatesAreShardedOver) {
  const auto header = [](const std::string& layout, const std::string& gpus) {
    return first_line(
        explained_by({"--model", "size-7b", "--method", "full", "--gpu", "b200", "--gpus", gpus,
                      "--stack", "none", "--seq", "16384", "--request",
                      R"({"state": "pure-bf16", "layout": )" + layout + "}"}));
  };
  EXPECT_EQ(header(R"({"tp": 1, "cp": 2, "shard": "zero3"})", "2"),
            "size-7b, full, 2 GPUs b200 (dp 1, tp 1, cp 2, zero3 over dp x cp), no stack, "
            "sequence 16384");
  EXPECT_EQ(header(R"({"tp": 2, "shard": "zero3"})", "4"),
            "size-7b, full, 4 GPUs b200 (dp 2, tp 2, zero3), no stack, sequence 16384");
  EXPECT_EQ(header(R"({"tp": 2})", "2"),
            "size-7b, full, 2 GPUs b200 (dp 1, tp 2, unsharded), no stack, sequence 16384");
}

TEST(Explain, SaysWhatItTookForWhatWasLeftOpen) {
  const auto line = [](const Words& more) {
    const std::string text =
        explained_by(
            with({"--model", "llama-3.1-8b", "--method", "qlora-r16", "--gpu", "h100-sxm"}, more))
            .out;
    const std::size_t start = text.find("left open and taken from ");
    return text.substr(start, text.find('\n', start) - start);
  };
  EXPECT_EQ(line({"--stack", "none", "--seq", "2048"}),
            "left open and taken from the neutral values: kernels.loss hf, kernels.recompute none, "
            "state hf-amp, workload.grad_accum 1, workload.micro_batch 1, workload.packed true");
  const std::string trl = line({});
  EXPECT_EQ(trl.substr(0, 33), "left open and taken from hf-trl: ");
  EXPECT_NE(trl.find(", workload.grad_accum 1, workload.micro_batch 8, workload.packed false, "
                     "workload.seq_len 1024"),
            std::string::npos)
      << trl;
}

}  // namespace
}  // namespace sizesheet
