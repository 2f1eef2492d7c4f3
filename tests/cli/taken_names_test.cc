// SPDX-License-Identifier: Apache-2.0
// Every command says in its answer which model, GPU and method it took, and what a name was taken
// for.
#include <gtest/gtest.h>

#include "cli/program.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/temp_dir.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Outcome outcome_of(const Words& words, const std::string& input = "") {
  return program(with(words, {"--catalog", kCatalog}), input);
}

Json json_of(const Words& words, const std::string& input = "") {
  const Outcome outcome = outcome_of(words, input);
  EXPECT_LE(outcome.code, 1) << outcome.err;
  return parse_json(outcome.out, "answer");
}

Json ids_in(const Json& json) {
  return Json::array({json.at("model_id"), json.at("gpu_id"), json.at("method_id")});
}

Json expected_ids() { return Json::array({"qwen2.5-7b", "h100-sxm", "lora-r16"}); }
constexpr const char* kQwen2 =
    "model \"Qwen/Qwen2-7B-Instruct\" is sized as qwen2.5-7b: same layers, heads and vocabulary";

TEST(TakenNames, ask) {
  const Words words = {"ask", "Qwen/Qwen2-7B-Instruct", "--method", "lora", "--gpu", "H100"};
  const Json json = json_of(with(words, {"--json"}));
  EXPECT_EQ(ids_in(json), expected_ids());
  EXPECT_EQ(json.at("taken"),
            Json::array({kQwen2, "method \"lora\" is lora-r16", "GPU \"H100\" is h100-sxm"}));
  const std::vector<std::string> lines = split(outcome_of(words).out, '\n');
  EXPECT_TRUE(lines.at(0).starts_with("Qwen2.5 7B, lora-r16, h100-sxm, Hugging Face TRL"))
      << lines.at(0);
  EXPECT_EQ(lines.at(1), kQwen2);
  const Json of_all = json_of({"ask", "qwen2.5-7b", "--json"});
  EXPECT_EQ(ids_in(of_all), Json::array({"qwen2.5-7b", nullptr, nullptr}));
  EXPECT_EQ(of_all.at("taken"), Json::array());
}

TEST(TakenNames, estimate) {
  const Json json = json_of(
      {"estimate"}, R"({"model": "Qwen/Qwen2-7B-Instruct", "gpu": "H100", "method": "LoRA r16"})");
  EXPECT_EQ(ids_in(json), expected_ids());
  EXPECT_EQ(json.at("warnings").at(0), "GPU \"H100\" is h100-sxm");
  EXPECT_EQ(json.at("warnings").at(1), "method \"LoRA r16\" is lora-r16");
  EXPECT_EQ(json.at("warnings").at(2), kQwen2);
  const Json spelled_out = json_of(
      {"estimate"}, R"({"model": "8b", "method": {"kind": "full"}, "layout": {"gpus": 1}})");
  EXPECT_EQ(ids_in(spelled_out), Json::array({"llama-3.1-8b", nullptr, nullptr}));
}

TEST(TakenNames, estimate_refuses_by_name) {
  const auto error = [](const std::string& request) {
    return json_of({"estimate"}, request).at("error").get<std::string>();
  };
  EXPECT_EQ(error(R"({"model": "zai-org/GLM-4.7", "gpu": "h100-sxm", "method": "lora-r16"})"),
            "model: no model \"zai-org/GLM-4.7\" in the catalog; nearest are glm-4.7-flash, glm-5, "
            "glm-5.1");
  EXPECT_EQ(error(R"({"model": "unsloth/Qwen3-8B-bnb-4bit", "gpu": "h100-sxm", "method": "full"})"),
            "model \"unsloth/Qwen3-8B-bnb-4bit\": its weights are stored in NF4, which full "
            "fine-tuning cannot train; say qwen3-8b for its 16-bit weights, or a QLoRA method");
}

TEST(TakenNames, estimate_reads_every_model_of_a_request) {
  const Json request = {
      {"model", "llama-3.2-1b"},
      {"method", {{"kind", "full"}}},
      {"objective", {{"kind", "distillation"}, {"teacher", "meta-llama/Llama-3.1-8B-Instruct"}}},
      {"layout", {{"gpus", 1}}}};
  const Json json = json_of({"estimate"}, request.dump());
  EXPECT_EQ(json.at("ok"), true) << json;
  EXPECT_EQ(json.at("warnings").at(0),
            "model \"meta-llama/Llama-3.1-8B-Instruct\" is llama-3.1-8b");
}

TEST(TakenNames, explain_and_fits_and_cost) {
  const Words words = {"--model", "Qwen/Qwen2-7B-Instruct", "--method", "lora-r16", "--gpu",
                       "H100"};
  const Json explained = json_of(with({"explain", "--json"}, words));
  EXPECT_EQ(ids_in(explained), expected_ids());
  EXPECT_EQ(explained.at("warnings").at(0), kQwen2);
  EXPECT_NE(outcome_of(with({"explain"}, words)).out.find(std::string("note: ") + kQwen2),
            std::string::npos);
  const Json fitting = json_of(with({"fits", "--json"}, words));
  EXPECT_EQ(ids_in(fitting), expected_ids());
  EXPECT_EQ(fitting.at("warnings"), Json::array({kQwen2, "GPU \"H100\" is h100-sxm"}));
  EXPECT_NE(outcome_of(with({"fits"}, words)).out.find(std::string("\n") + kQwen2 + "\n"),
            std::string::npos);
  const Json cost = json_of({"cost", "--gpu", "H100", "--json"});
  EXPECT_EQ(ids_in(cost), Json::array({nullptr, "h100-sxm", nullptr}));
  EXPECT_EQ(cost.at("warnings"), Json::array({"GPU \"H100\" is h100-sxm"}));
  EXPECT_TRUE(outcome_of({"cost", "--gpu", "H100"}).out.starts_with("8 × h100-sxm, used "));
}

TEST(TakenNames, a_method_that_stored_weights_rule_out_is_left_out_and_told) {
  const char* name = "unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit";
  const Json json = json_of({"ask", name, "--gpu", "h100-sxm", "--json"});
  EXPECT_EQ(json.at("answers").size(), 2U);
  const std::string quoted = std::string("\"") + name + "\"";
  EXPECT_EQ(json.at("taken"),
            Json::array(
                {"model " + quoted + " is llama-3.1-8b",
                 "full is left out: model " + quoted +
                     ": its weights are stored in NF4, which full fine-tuning cannot train; say "
                     "llama-3.1-8b for its 16-bit weights, or a QLoRA method",
                 "lora-r16: " + quoted +
                     " stores its weights in NF4: LoRA on them is QLoRA (method qlora); this "
                     "answer has the base in 16 bits",
                 "qlora-r16: " + quoted + " stores its weights in NF4, as this answer has them"}));
  for (const Words& words : {Words{"ask", name, "--method", "full"},
                             {"explain", "--model", name, "--method", "full"},
                             {"fits", "--gpu", "h100", "--model", name, "--method", "full"},
                             {"sweep", "--models", name, "--methods", "full"}}) {
    const Outcome refused = outcome_of(words);
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("which full fine-tuning cannot train"), std::string::npos)
        << refused.err;
  }
}

TEST(TakenNames, a_maker_names_no_card_and_6000_names_several) {
  EXPECT_EQ(outcome_of({"ask", "phi-4", "--gpu", "nvidia"}).err,
            "sizesheet: no GPU \"nvidia\" in the catalog\n");
  EXPECT_EQ(outcome_of({"ask", "phi-4", "--gpu", "rtx 6000"}).err,
            "sizesheet: GPU \"rtx 6000\": several fit, say one of quadro-rtx-6000, "
            "rtx-6000-ada, rtx-pro-6000\n");
  for (const char* name : {"aws", "ada", "nvl", "80gb", "h/1/0/0", "h1-00", "a10080gb", "tesla",
                           "geforce", "nvidia tesla", "amd instinct", "NVIDIA A100-PCIE-40GB"}) {
    EXPECT_EQ(outcome_of({"cost", "--gpu", name}).code, 2) << name;
  }
  for (const auto& [name, id] : {std::pair{"A100 80GB", "a100-80-sxm"},
                                 {"dgx spark", "gb10"},
                                 {"h100_sxm5", "h100-sxm"},
                                 {"RTX PRO 6000", "rtx-pro-6000"},
                                 {"6000 ada", "rtx-6000-ada"},
                                 {"a100 pcie", "a100-80-pcie"},
                                 {"Tesla T4", "t4"},
                                 {"NVIDIA H100", "h100-sxm"},
                                 {"NVIDIA GeForce RTX 4090", "rtx-4090"},
                                 {"NVIDIA A100-SXM4-80GB", "a100-80-sxm"},
                                 {"NVIDIA H100 80GB HBM3", "h100-sxm"},
                                 {"Tesla V100-SXM2-32GB", "v100-32"},
                                 {"AMD Instinct MI300X", "mi300x"},
                                 {"h100 80gb", "h100-sxm"},
                                 {"NVIDIA H200 NVL", "h200-nvl"}}) {
    EXPECT_EQ(
        json_of({"estimate"},
                std::string(R"({"model": "phi-4", "method": "lora-r16", "gpu": ")") + name + "\"}")
            .at("gpu_id"),
        id)
        << name;
  }
}

TEST(TakenNames, a_method_that_no_row_can_be_trained_by_ends_in_2) {
  const TempDir dir;
  const Json config = {{"model_type", "llama"},
                       {"hidden_size", 2048},
                       {"intermediate_size", 8192},
                       {"num_hidden_layers", 16},
                       {"num_attention_heads", 32},
                       {"num_key_value_heads", 8},
                       {"vocab_size", 128256},
                       {"max_position_embeddings", 131072},
                       {"tie_word_embeddings", true},
                       {"quantization_config",
                        {{"quant_method", "bitsandbytes"},
                         {"load_in_4bit", true},
                         {"bnb_4bit_compute_dtype", "bfloat16"}}}};
  dir.write("config.json", config.dump());
  const std::string file = (dir.path() / "config.json").string();
  for (const auto& [method, code] : {std::pair{"full", 2}, {"lora", 2}, {"qlora", 0}}) {
    const Words words = {"ask", "--config", file, "--method", method, "--gpu", "h100"};
    const Outcome outcome = outcome_of(words);
    EXPECT_EQ(outcome.code, code) << method;
    EXPECT_EQ(outcome_of(with(words, {"--json"})).code, code) << method;
    EXPECT_EQ(
        outcome.err.find("the checkpoint holds NF4 weights (quantization_config of "
                         "bitsandbytes), which train as a frozen base only") != std::string::npos,
        code == 2)
        << outcome.err;
  }
}

}  // namespace
}  // namespace sizesheet
