// SPDX-License-Identifier: Apache-2.0
// `ask`, `explain` and `estimate` with a training config.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/program.h"
#include "support/json.h"
#include "support/json_parse.h"

namespace sizesheet {
namespace {

class TrainingConfig : public InFolder {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(at(name)) << text;
  }
  Outcome ask(const Words& words) const {
    return told(with(with({"ask", "--config", at("train.yaml")}, words),
                     {"--catalog", kCatalog, "--as-of", "2026-11-20"}));
  }
};

constexpr const char* kLora =
    "base_model: meta-llama/Llama-3.1-8B\nadapter: lora\nlora_r: 16\nlora_target_linear: true\n"
    "sequence_len: 2048\nsample_packing: true\nflash_attention: true\nmicro_batch_size: 1\n"
    "gradient_checkpointing: true\n";

TEST_F(TrainingConfig, fits_on_the_cards_that_are_named) {
  write("train.yaml", kLora);
  const Outcome asked = ask({"--gpu", "h100", "--gpus", "2", "--tokens", "10M", "--json"});
  EXPECT_EQ(asked.code, 0);
  const Json answer = parse_json(asked.out, "ask");
  const Json& config = answer.at("config");
  EXPECT_EQ(config.at("format"), "axolotl");
  EXPECT_EQ(config.at("used").at("method.rank"),
            Json({{"key", "lora_r"}, {"place", "train.yaml:3"}}));
  const Json& request = config.at("request");
  EXPECT_EQ(request.at("layout"),
            Json({{"cp", 1}, {"ep", 1}, {"gpus", 2}, {"pp", 1}, {"shard", "none"}, {"tp", 1}}));
  EXPECT_EQ(request.at("workload").at("seq_len"), 2048);
  EXPECT_EQ(request.at("method").at("kind"), "lora");
  EXPECT_EQ(answer.at("answers").at(0).at("rent").at("gpus"), 2);
  // The request is one of `estimate`, which finds the same memory.
  const Outcome estimated = program({"estimate", "--catalog", kCatalog}, request.dump() + "\n");
  EXPECT_EQ(estimated.code, 0) << estimated.out;
}

/// 100 steps of 2 × 3 sequences of 2,048 tokens on two GPUs.
TEST_F(TrainingConfig, runs_as_long_as_its_limit_of_steps) {
  const std::string text = std::string(kLora) + "gradient_accumulation_steps: 3\nmax_steps: 100\n";
  write("train.yaml", text);
  const auto tokens_of = [](const Outcome& outcome) {
    const Json answer = parse_json(outcome.out, "ask");
    return answer.at("config").at("request").at("workload").at("tokens");
  };
  constexpr std::int64_t kTokens = std::int64_t{100} * 2 * 3 * 2048;
  const Words cards = {"--gpu", "h100", "--gpus", "2", "--json"};
  EXPECT_EQ(tokens_of(ask(cards)), kTokens);
  EXPECT_EQ(tokens_of(ask(with(cards, {"--examples", "20k"}))), kTokens);
  EXPECT_EQ(tokens_of(ask(with(cards, {"--tokens", "10M"}))), 10000000);
  const Json request = {{"config", text}, {"gpu", "h100-sxm"}, {"layout", {{"gpus", 2}}}};
  const Outcome line = program({"estimate", "--catalog", kCatalog}, request.dump() + "\n");
  EXPECT_EQ(line.code, 0) << line.out;
  Json longer = request;
  longer["workload"]["tokens"] = 2 * kTokens;
  const Outcome twice = program({"estimate", "--catalog", kCatalog}, longer.dump() + "\n");
  const auto hours = [](const Outcome& outcome) {
    return parse_json(outcome.out, "estimate").at("hours").at("mid").get<double>();
  };
  EXPECT_NEAR(hours(twice) / hours(line), 2, 0.01);
}

/// No count of a config ends the program, as a division by zero would.
TEST_F(TrainingConfig, with_odd_counts_beside_a_limit_of_steps_is_refused) {
  for (const char* odd : {"tensor_parallel_size: 0\n", "context_parallel_size: 0\n",
                          "gradient_accumulation_steps: 900000000000000\n"}) {
    write("train.yaml", std::string(kLora) + "max_steps: 900000000000\n" + odd);
    const Outcome outcome = ask({"--gpu", "h100", "--gpus", "2"});
    EXPECT_EQ(outcome.code, 2) << odd << outcome.out;
    EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << outcome.err;
  }
}

TEST_F(TrainingConfig, does_not_fit) {
  write("train.yaml", "base_model: meta-llama/Llama-3.1-70B\nmicro_batch_size: 1\n");
  EXPECT_EQ(ask({"--gpu", "h100", "--gpus", "1", "--json"}).code, 1);
}

TEST_F(TrainingConfig, is_refused_by_place) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"base_model: meta-llama/Llama-3.1-8B\ndatasets: []\ntiled_mlp: true\nlisa_n_layers: 2\n",
       "sizesheet: train.yaml:4: lisa_n_layers: LISA is not modelled\n"
       "train.yaml:3: tiled_mlp: the MLP in tiles is not modelled\n"},
      {"base_model: meta-llama/Llama-3.1-8B\nmicro_batch_size: 1\ndeepspeed: ours.json\n",
       "sizesheet: train.yaml:3: deepspeed: this file has the sharding: add it with a "
       "second --config\n"},
      {"base_model: ours/none\nmicro_batch_size: 1\n",
       "sizesheet: train.yaml:1: base_model: no model \"ours/none\" in the catalog; --model takes "
       "one of the same shape\n"}};
  for (const auto& [text, words] : cases) {
    write("train.yaml", text);
    const Outcome asked = ask({"--gpu", "h100"});
    EXPECT_EQ(asked.code, 2);
    EXPECT_TRUE(asked.err.ends_with(words)) << asked.err;
  }
}

TEST_F(TrainingConfig, needs_no_option) {
  write("train.yaml", kLora);
  const std::vector<std::string> lines = {"h100", "2xh100"};
  for (const std::string& cards : lines) {
    const Outcome said = told({"ask", at("train.yaml"), cards, "--catalog", kCatalog});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(said.out, told({at("train.yaml"), cards, "--catalog", kCatalog}).out);
    EXPECT_NE(said.out.find("LoRA r16 of train.yaml: fits on"), std::string::npos) << said.out;
  }
}

TEST_F(TrainingConfig, that_is_missing_is_not_left_out_of_the_question) {
  const Outcome said = told({at("absent.yaml"), "h100", "--catalog", kCatalog});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err, "sizesheet: absent.yaml: cannot read: No such file or directory\n");
}

TEST_F(TrainingConfig, is_not_split_further_than_it_says) {
  write("train.yaml",
        "base_model: meta-llama/Llama-3.1-8B\nsequence_len: 65536\nsample_packing: true\n"
        "micro_batch_size: 2\nflash_attention: true\ngradient_checkpointing: true\nbf16: true\n"
        "optimizer: adamw_torch_fused\nfsdp_version: 2\nfsdp_config:\n"
        "  auto_wrap_policy: TRANSFORMER_BASED_WRAP\n");
  EXPECT_EQ(ask({"--gpu", "h100", "--gpus", "8", "--tokens", "50M", "--json"}).code, 1);
}

TEST_F(TrainingConfig, counts_padding_by_the_mean_length) {
  write("train.yaml",
        "model_name_or_path: meta-llama/Llama-3.1-8B\nper_device_train_batch_size: 2\n"
        "use_peft: true\nlora_target_modules: all-linear\nbf16: true\nmax_length: "
        "2048\nnum_train_epochs: 2\n");
  const Outcome asked = ask({"--framework", "trl sft", "--gpu", "h100", "--gpus", "1", "--examples",
                             "20k", "--mean-length", "600", "--json"});
  EXPECT_EQ(asked.code, 0) << asked.err;
  const Json workload = parse_json(asked.out, "ask").at("config").at("request").at("workload");
  EXPECT_EQ(workload.at("batching"), "padded");
  EXPECT_EQ(workload.at("mean_length"), 600);
  EXPECT_EQ(workload.at("tokens"), 24000000);
  EXPECT_EQ(asked.err.find("workload.epochs"), std::string::npos) << asked.err;
}

TEST_F(TrainingConfig, leaves_out_targets_that_the_model_does_not_have) {
  write("train.yaml",
        "base_model: zai-org/GLM-4.7-Flash\nadapter: lora\nlora_r: 16\nmicro_batch_size: 1\n"
        "lora_target_modules: [q_proj, v_proj, o_proj]\nflash_attention: true\n");
  const Outcome asked = ask({"--gpu", "h100", "--gpus", "8", "--json"});
  const Json config = parse_json(asked.out, "ask").at("config");
  EXPECT_EQ(config.at("request").at("method").at("targets"), Json({"o_proj"}));
  EXPECT_EQ(config.at("notes").at(0),
            "train.yaml:5: lora_target_modules: the model has no q_proj, v_proj; the framework "
            "skips such names, so only o_proj gets adapters");
}

TEST_F(TrainingConfig, names_a_teacher_as_its_hub_does) {
  write("train.yaml",
        "recipe: KnowledgeDistillationRecipeForNextTokenPrediction\nmodel:\n"
        "  pretrained_model_name_or_path: meta-llama/Llama-3.2-1B\nteacher_model:\n"
        "  pretrained_model_name_or_path: meta-llama/Llama-3.2-3B\nstep_scheduler:\n"
        "  global_batch_size: 32\n  local_batch_size: 1\n");
  const Outcome asked = ask({"--gpu", "h100", "--gpus", "8", "--seq", "2048", "--json"});
  ASSERT_EQ(asked.code, 0) << asked.err;
  EXPECT_EQ(parse_json(asked.out, "ask").at("config").at("request").at("objective").at("teacher"),
            "llama-3.2-3b");
}

TEST_F(TrainingConfig, has_a_second_file) {
  write("train.yaml",
        "base_model: meta-llama/Llama-3.1-8B\nmicro_batch_size: 1\ndeepspeed: z.json\n");
  write("z.json", "{\"zero_optimization\": {\"stage\": 3}}");
  const Outcome asked = ask({"--config", at("z.json"), "--gpu", "h100", "--gpus", "8", "--json"});
  const Json request = parse_json(asked.out, "ask").at("config").at("request");
  EXPECT_EQ(request.at("layout").at("shard"), "zero3");
  EXPECT_EQ(request.at("stack"), "axolotl");
  // The run gives its name to the answer, whichever file comes first.
  const Outcome turned = told({"ask", "--config", at("z.json"), "--config", at("train.yaml"),
                               "--gpu", "h100", "--gpus", "8", "--catalog", kCatalog});
  EXPECT_NE(turned.out.find("train.yaml is read as axolotl"), std::string::npos) << turned.out;
}

TEST_F(TrainingConfig, names_a_limit_of_samples) {
  write("train.yaml",
        "model_name_or_path: meta-llama/Llama-3.1-8B\nstage: sft\nfinetuning_type: lora\n"
        "lora_target: all\ntemplate: llama3\nmax_samples: 1000\n");
  const Outcome asked = ask({"--gpu", "h100", "--gpus", "1"});
  const std::string words =
      "train.yaml:6: max_samples: limits the examples that are read; --examples says how "
      "many there are then\n";
  EXPECT_NE(asked.out.find(words), std::string::npos) << asked.out << asked.err;
}

/// The servers of a config of GRPO, and its longest prompt, come from options where it has neither.
TEST_F(TrainingConfig, takes_the_gpus_of_its_servers_from_an_option) {
  write("train.yaml",
        "model_name_or_path: Qwen/Qwen2.5-7B\nuse_vllm: true\nvllm_mode: server\n"
        "num_generations: 8\nper_device_train_batch_size: 4\n");
  const Words grpo = {"--framework", "trl grpo", "--gpu", "h100", "--gpus", "4"};
  const Outcome asked = ask(grpo);
  EXPECT_EQ(asked.code, 2);
  EXPECT_NE(asked.err.find("train.yaml: max_prompt_length: TRL does not cut prompts: say "
                           "--prompt-length, the length of the longest one\n"),
            std::string::npos)
      << asked.err;
  EXPECT_NE(asked.err.find("train.yaml:3: vllm_mode: another command starts the vLLM server, on "
                           "GPUs of its own: say --generation-gpus\n"),
            std::string::npos)
      << asked.err;
  const Words said = {"--prompt-length", "700", "--generation-gpus", "2", "--examples", "10000"};
  const Outcome explained = told(with(with({"explain", "--config", at("train.yaml")}, grpo),
                                      with(said, {"--catalog", kCatalog})));
  EXPECT_EQ(explained.code, 1) << explained.err;  // full weights do not fit
  for (const char* words :
       {"prompts of at most 700 tokens", "  generation\n", " h for the run ("}) {
    EXPECT_NE(explained.out.find(words), std::string::npos) << words << explained.out;
  }
  const Outcome priced = ask(with(grpo, said));
  EXPECT_EQ(priced.code, 2);
  EXPECT_NE(priced.err.find("sizesheet: ask: grpo: dollars are counted for the trainer's GPUs, and "
                            "2 more generate or score; explain shows the memory and the time; for "
                            "dollars, let all of it share the trainer's GPUs "
                            "(generation \"colocated\", reward_gpus 0)\n"),
            std::string::npos)
      << priced.err;
}

TEST_F(TrainingConfig, stands_in_a_request) {
  const Outcome answered = program(
      {"estimate", "--catalog", kCatalog},
      "{\"config\": {\"base_model\": \"meta-llama/Llama-3.1-8B\", \"micro_batch_size\": 2}, "
      "\"gpu\": \"h100-sxm\", \"workload\": {\"seq_len\": 1024}}\n"
      "{\"config\": {\"base_model\": \"meta-llama/Llama-3.1-8B\", \"micro_batch_size\": 2, "
      "\"tiled_mlp\": true}}\n{\"config\": 3}\n");
  EXPECT_EQ(answered.code, 1);
  const std::size_t end = answered.out.find('\n');
  const Json first = parse_json(answered.out.substr(0, end), "estimate");
  EXPECT_EQ(first.at("micro_batch"), 2);
  EXPECT_EQ(first.at("config").at("request").at("workload").at("seq_len"), 1024);
  EXPECT_EQ(
      answered.out.substr(end + 1),
      "{\"error\":\"config: tiled_mlp: the MLP in tiles is not modelled\",\"id\":null,"
      "\"ok\":false}\n{\"error\":\"config: expected the keys of a training config or the text of "
      "one, got 3\",\"id\":null,\"ok\":false}\n");
}

TEST_F(TrainingConfig, is_asked_about_where_fits_or_check_has_it) {
  write("train.yaml", kLora);
  const Words cards = {"--gpu", "h100", "--gpus", "1", "--catalog", kCatalog};
  const Outcome asked = told(with({"ask", "--config", at("train.yaml")}, cards));
  for (const char* verb : {"fits", "check", "validate"}) {
    const Outcome said = told(with({verb, "--config", at("train.yaml")}, cards));
    EXPECT_EQ(said.code, asked.code) << verb;
    EXPECT_EQ(said.out, asked.out) << verb;
    EXPECT_TRUE(said.err.starts_with("\"" + std::string(verb) + "\" is answered by ask\n"))
        << said.err;
  }
}

}  // namespace
}  // namespace sizesheet
