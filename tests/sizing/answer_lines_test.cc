// SPDX-License-Identifier: Apache-2.0
// Lines of `estimate` as programs outside the project use them: the request that its contract
// prints, every key of the answer with its type, and the refusals of tests/oracles/refusals.json.
#include <gtest/gtest.h>

#include <sstream>

#include "calculator/request_line.h"
#include "cli/json_lines.h"
#include "sizing/answer/estimate.h"
#include "sizing/sized.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

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

std::vector<Json> answers_to(const std::string& lines, int expected_code) {
  std::istringstream in(lines);
  std::ostringstream out;
  const int code = for_each_json_line(
      in, out, 1, [](const Json& request, std::int64_t) { return to_json(sized(request)); });
  EXPECT_EQ(code, expected_code) << lines;
  std::vector<Json> answers;
  std::istringstream each(out.str());
  for (std::string line; std::getline(each, line);) answers.push_back(parse_json(line, "answer"));
  return answers;
}

Json answer_line(const std::string& line) { return answers_to(line, 0).at(0); }

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
  EXPECT_EQ(
      keys_of(answer),
      (std::set<std::string>{"id",         "ok",        "model_id", "gpu_id",      "method_id",
                             "method",     "stack",     "provider", "micro_batch", "optimizer",
                             "grad_accum", "recompute", "loss",     "layout",      "parameters",
                             "memory",     "minimum",   "binding",  "fingerprint", "interval",
                             "throughput", "hours",     "files",    "defaults",    "warnings"}));
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

TEST(ContractExample, WithoutAGpuWhatRestsOnOneIsNull) {
  const Json answer = answer_line(
      R"({"model":"size-7b","method":"full","state":"pure-bf16","layout":{"dp":8,"tp":1}})");
  for (const char* key : {"id", "memory.capacity", "memory.verdict", "minimum", "binding",
                          "fingerprint", "throughput", "hours"}) {
    EXPECT_TRUE(at_dotted(answer, key).is_null()) << key;
  }
  EXPECT_TRUE(answer.contains("throughput"));
  EXPECT_TRUE(answer.at("memory").contains("capacity"));
  EXPECT_GT(answer.at("memory").at("device"), 0);
}

/// The line is refused under its id, with the place and the reason, and the next one is read.
void expect_refused(const std::string& line, const Json& id, const Json& error) {
  const std::string good =
      R"({"id":"next","model":"size-7b","method":"full","layout":{"dp":1,"tp":1}})";
  const std::vector<Json> answers = answers_to(line + "\n" + good, 1);
  ASSERT_EQ(answers.size(), 2U) << line;
  EXPECT_EQ(answers[0], (Json{{"id", id}, {"ok", false}, {"error", error}})) << line;
  EXPECT_EQ(answers[1].at("ok"), true) << line;
  EXPECT_EQ(answers[1].at("id"), "next");
}

TEST(Refusals, OfLinesNameThePlaceAndTheReason) {
  const Json rows = oracle("refusals.json").at("lines");
  for (const Json& row : rows) expect_refused(row.at(0), row.at(1), row.at(2));
}

TEST(Refusals, OfRequestsNameTheKeyAndTheReason) {
  const Json file = oracle("refusals.json");
  for (const Json& row : file.at("requests")) {
    Json request = file.at("bases").at(row.at(0).get<std::string>());
    request.merge_patch(row.at(1));
    request["id"] = "x";
    if (row.at(2) == "no refusal") {
      EXPECT_EQ(refusal(request.dump()), "no refusal");
    } else {
      expect_refused(request.dump(), "x", row.at(2));
    }
  }
}

}  // namespace
}  // namespace sizesheet
