// SPDX-License-Identifier: Apache-2.0
// The request that the contract of `estimate` prints, and every key of its answer with its type:
// programs outside the project read these names.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/command_parts.h"
#include "sizing/request/question.h"
#include "sizing/sized.h"

namespace sizesheet {
namespace {

constexpr const char* kRequest =
    R"({"id": "any string, echoed", "model": "llama-3.1-8b", "gpu": "h100-sxm", "stack": "hf-trl", )"
    R"("method": {"kind": "qlora", "rank": 16, "targets": "all-linear", "experts": "none", )"
    R"("adapter_dtype": "fp32-autocast", "dropout": 0.05, "double_quant": true, )"
    R"("kbit_prep": false, "quantize_experts": true, "fused_projections": "none"}, )"
    R"("state": "peft-fp32", "optimizer": "adamw", "headroom": 0.10, )"
    R"("workload": {"seq_len": 4096, "micro_batch": 1, "grad_accum": 1, "tokens": 50000000}, )"
    R"("kernels": {"recompute": "full", "attention": "flash", "loss": "hf-amp", "ops": "eager"}, )"
    R"("layout": {"gpus": 8, "dp": 8, "tp": 1, "pp": 1, "cp": 1, "ep": 1, "etp": 1, "vpp": 1, )"
    R"("sequence_parallel": true, "shard": "zero3", "offload": "none"}})";

Json answer_line(const std::string& line) {
  std::istringstream in(line);
  std::ostringstream out;
  for_each_json_line(in, out, 1,
                     [](const Json& request, std::int64_t) { return to_json(sized(request)); });
  return parse_json(out.str(), "answer");
}

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, unused] : object.items()) keys.insert(key);
  return keys;
}

void expect_integers(const Json& object, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    ASSERT_TRUE(object.contains(key)) << key;
    EXPECT_TRUE(object.at(key).is_number_integer()) << key << " " << object.at(key);
    EXPECT_GE(object.at(key), 0) << key;
  }
}

TEST(ContractExample, TopLevelKeysAreThose) {
  const Json answer = answer_line(kRequest);
  EXPECT_EQ(keys_of(answer),
            (std::set<std::string>{"id", "ok", "defaults", "parameters", "memory", "layout",
                                   "minimum", "binding", "fingerprint", "interval", "throughput",
                                   "hours", "files", "warnings"}));
  EXPECT_EQ(answer.at("id"), "any string, echoed");
  EXPECT_EQ(answer.at("ok"), true);
  EXPECT_TRUE(answer.at("binding").is_string());
  EXPECT_TRUE(answer.at("warnings").is_array());
  for (const Json& warning : answer.at("warnings")) EXPECT_TRUE(warning.is_string());
}

TEST(ContractExample, ParametersAndLayoutAreCounts) {
  const Json answer = answer_line(kRequest);
  EXPECT_EQ(answer.at("parameters"),
            (Json{{"total", 8030261248}, {"active", 8030261248}, {"trainable", 41943040}}));
  expect_integers(answer.at("layout"),
                  {"gpus", "dp", "tp", "pp", "cp", "ep", "etp", "vpp", "shard_group"});
  EXPECT_EQ(answer.at("layout").at("gpus"), 8);
  EXPECT_EQ(answer.at("layout").at("dp"), 8);
  EXPECT_EQ(answer.at("layout").at("shard"), "zero3");
  EXPECT_EQ(answer.at("layout").at("offload"), "none");
  EXPECT_EQ(answer.at("layout").at("sequence_parallel"), true);
  EXPECT_EQ(answer.at("minimum"), (Json{{"by_memory", 8}, {"tight", 8}, {"rentable", 8}}));
}

TEST(ContractExample, MemoryIsBytesThatAddUp) {
  const Json memory = answer_line(kRequest).at("memory");
  const std::vector<std::string> terms{"weights",     "adapters",  "gradients", "optimizer",
                                       "activations", "recompute", "logits",    "working_set"};
  expect_integers(memory, terms);
  expect_integers(memory,
                  {"allocated", "reserved", "overhead", "device", "capacity", "host", "stage"});
  std::int64_t sum = 0;
  for (const std::string& term : terms) sum += memory.at(term).get<std::int64_t>();
  EXPECT_EQ(memory.at("allocated"), sum);
  EXPECT_EQ(memory.at("device").get<std::int64_t>(),
            memory.at("reserved").get<std::int64_t>() + memory.at("overhead").get<std::int64_t>());
  EXPECT_EQ(memory.at("verdict"), "fits");
  const std::vector<std::string> phases{"forward",        "loss",         "loss_backward",
                                        "block_backward", "end_backward", "optimizer_step"};
  for (const char* timeline : {"phases", "phases_step1"}) {
    EXPECT_EQ(keys_of(memory.at(timeline)), std::set<std::string>(phases.begin(), phases.end()));
    expect_integers(memory.at(timeline), phases);
  }
  EXPECT_EQ(memory.at("phases").at(memory.at("peak_phase").get<std::string>()),
            memory.at("allocated"));
}

TEST(ContractExample, SpeedHoursAndIntervalAreNumbers) {
  const Json answer = answer_line(kRequest);
  for (const char* key :
       {"throughput.tokens_per_second_per_gpu", "throughput.tokens_per_second_per_gpu_low",
        "throughput.tokens_per_second_per_gpu_high", "throughput.mfu", "throughput.flops_per_token",
        "hours.low", "hours.mid", "hours.high", "interval.coverage"}) {
    EXPECT_TRUE(at_dotted(answer, key).is_number()) << key;
    EXPECT_GT(at_dotted(answer, key), 0) << key;
  }
  EXPECT_EQ(answer.at("interval").at("coverage"), 0.9);
  expect_integers(answer.at("interval"), {"device_low", "device_high"});
  EXPECT_LT(answer.at("interval").at("device_low"), answer.at("memory").at("device"));
  EXPECT_GT(answer.at("interval").at("device_high"), answer.at("memory").at("device"));
  EXPECT_LE(answer.at("hours").at("low"), answer.at("hours").at("mid"));
  EXPECT_LE(answer.at("hours").at("mid"), answer.at("hours").at("high"));
}

TEST(ContractExample, ARefusalIsAnIdAndAnError) {
  EXPECT_EQ(answer_line(R"({"id":"x","model":"qwen3-30b-a3b","gpu":"h100-sxm",)"
                        R"("method":{"kind":"lora","rank":16},"layout":{"ep":6}})"),
            (Json{{"id", "x"},
                  {"ok", false},
                  {"error", "layout.ep: 128 experts are not divisible by 6 (nearest: 4, 8)"}}));
}

TEST(ContractExample, WithoutAGpuWhatRestsOnOneIsNull) {
  const Json answer = answer_line(
      R"({"model":"size-7b","method":"full","state":"pure-bf16","layout":{"dp":8,"tp":1}})");
  for (const char* key : {"id", "memory.capacity", "memory.verdict", "minimum", "binding",
                          "fingerprint", "throughput", "hours"}) {
    EXPECT_TRUE(at_dotted(answer, key).is_null()) << key;
  }
  EXPECT_TRUE(answer.contains("throughput"));
  EXPECT_TRUE(answer.at("memory").contains("capacity"));
}

}  // namespace
}  // namespace sizesheet
