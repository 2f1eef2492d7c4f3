// SPDX-License-Identifier: Apache-2.0
// `ask --write`: what is written is the run of the answer, in the words of the framework.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "catalog/catalog.h"
#include "catalog/configs/config_format.h"
#include "catalog/configs/config_writer.h"
#include "catalog/files/loader.h"
#include "cli/program.h"
#include "support/error.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const Words kDay = {"--catalog", kCatalog, "--as-of", "2026-11-20"};

class WrittenConfig : public InFolder {
 protected:
  Outcome write(const std::string& line, const std::string& folder) const {
    return told(with(with(split(line, ' '), {"--write", at(folder)}), kDay));
  }
  std::string text(const std::string& file) const { return read_file(at(file)); }
};

const std::vector<std::string> kFrameworks = {"trl", "axolotl", "llama-factory", "torchtune",
                                              "nemo-automodel"};

/// What the answer picks, as far as a config says it.
Json settings_of(const Json& answer) {
  const Json& one = answer.at("answers").at(0);
  Json settings = {{"gpus", one.at("rent").at("gpus")}};
  for (const char* key :
       {"micro_batch", "grad_accum", "recompute", "loss", "optimizer", "lora_rank", "stack"}) {
    settings[key] = one.value(key, Json());
  }
  const Json& layout = one.at("rent").at("layout");
  for (const char* key : {"tp", "cp", "pp", "ep", "offload"}) settings[key] = layout.at(key);
  if (layout.at("dp") != 1) settings["shard"] = layout.at("shard");
  // The files say FSDP 2; a stack may be sized with the buffers of FSDP 1.
  if (layout.at("gpus") == 1) settings["device_bytes"] = one.at("rent").at("device_high_bytes");
  return settings;
}

TEST_F(WrittenConfig, gives_the_same_answer_when_it_is_asked_again) {
  const std::vector<std::string> questions = {"llama-3.1-8b lora h100",
                                              "llama-3.1-8b qlora h100",
                                              "llama-3.1-8b full h100 --gpus 8",
                                              "llama-3.1-70b lora h100 --gpus 16",
                                              "qwen3-8b lora h100 --micro-batch 2",
                                              "qwen2.5-7b qlora a100 --seq 8192"};
  int compared = 0;
  for (const std::string& framework : kFrameworks) {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const std::string folder = framework + std::to_string(i);
      const std::string question = questions[i] + " --framework " + framework;
      const Outcome first = write("ask " + question + " --json", folder);
      if (first.code != 0) {
        EXPECT_FALSE(std::filesystem::exists(at(folder))) << question;
        continue;
      }
      const Json answer = parse_json(first.out, "ask");
      Words again = {"ask", "--gpu", "h100", "--json"};
      if (question.find("a100") != std::string::npos) again[2] = "a100";
      for (const auto& file : answer.at("written").at("files")) {
        again = with(again, {"--config", at(file.get<std::string>())});
      }
      const Json settings = settings_of(answer);
      again = with(again, {"--gpus", settings.at("gpus").dump(), "--tokens", "50M"});
      if (framework == "trl") again = with(again, {"--framework", "trl sft"});
      const Outcome second = told(with(again, kDay));
      EXPECT_LE(second.code, 1) << question << second.err;
      if (second.code != 0) continue;
      EXPECT_EQ(settings_of(parse_json(second.out, "ask")), settings) << question;
      ++compared;
    }
  }
  EXPECT_GE(compared, 24);
}

TEST_F(WrittenConfig, has_a_comment_for_each_figure) {
  const std::pair<const char*, const char*> cases[] = {
      {"trl", "ask llama-3.1-8b full 8xh100 --framework trl"},
      {"axolotl", "ask llama-3.1-70b qlora 4xh100 --framework axolotl"},
      {"llama-factory", "ask qwen3-8b lora h100 --framework llama-factory"},
      {"torchtune", "ask llama-3.1-8b lora h100 --framework torchtune"},
      {"nemo-automodel", "ask llama-3.1-8b lora h100 --framework nemo"}};
  for (const auto& [framework, line] : cases) {
    const Outcome asked = write(line, framework);
    ASSERT_EQ(asked.code, 0) << asked.err;
    std::string all;
    const std::size_t written = asked.out.find("Written: ");
    ASSERT_NE(written, std::string::npos) << asked.out;
    all += asked.out.substr(asked.out.find("Run it there: "));
    for (const char* file : {"train.yaml", "launch.yaml"}) {
      const std::string path = std::string(framework) + "/" + file;
      if (!std::filesystem::exists(at(path))) continue;
      all += std::string("== ") + file + "\n" + text(path);
    }
    expect_golden(std::string("written/") + framework + ".txt", all);
  }
}

TEST_F(WrittenConfig, is_refused_by_name) {
  const std::pair<std::string, std::string> cases[] = {
      {"ask llama-3.1-8b lora h100 --framework unsloth",
       "sizesheet: --write: no config of unsloth can be written; expected --framework with one of "
       "axolotl, llama-factory, nemo-automodel, torchtune, trl\n"},
      {"ask llama-3.1-8b h100 --framework trl",
       "sizesheet: --write: is for one method, and the question has "},
      {"ask qwen3-8b dpo h100 --framework torchtune",
       "sizesheet: --write: objective.kind: a config of torchtune for dpo is not written yet\n"},
      {"ask gemma-3-12b lora h100 --framework torchtune",
       "sizesheet: --write: model: no builder of torchtune for gemma-3-12b is known here\n"}};
  for (const auto& [line, words] : cases) {
    const Outcome asked = write(line, "run");
    EXPECT_EQ(asked.code, 2) << line;
    EXPECT_NE(asked.err.find(words), std::string::npos) << line << '\n' << asked.err;
    EXPECT_FALSE(std::filesystem::exists(at("run"))) << line;
  }
}

TEST_F(WrittenConfig, is_not_written_by_a_line_that_is_only_tried) {
  // The corrected line of "try:" is run before it is offered.
  for (const char* line : {"ask lama-3.1-8b lora h100 --framework trl",
                           "llama-3.1-8b lroa h100 --framework axolotl"}) {
    const Outcome asked = whole_program(with(with(split(line, ' '), {"--write", at("run")}), kDay));
    EXPECT_EQ(asked.code, 2) << line;
    EXPECT_NE(asked.err.find("llama-3.1-8b lora h100 --framework"), std::string::npos) << asked.err;
    EXPECT_NE(asked.err.find("try: sizesheet "), std::string::npos) << asked.err;
    EXPECT_FALSE(std::filesystem::exists(at("run"))) << line;
  }
}

TEST_F(WrittenConfig, overwrites_nothing_of_others) {
  const std::string line = "ask llama-3.1-8b lora h100 --framework axolotl";
  ASSERT_EQ(write(line, "run").code, 0);
  const std::string before = text("run/train.yaml");
  EXPECT_EQ(write(line, "run").code, 0) << "the same text may be written again";
  std::ofstream(at("run/train.yaml"), std::ios::app) << "# mine\n";
  const Outcome again = write(line, "run");
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("train.yaml is there already and says something else; name another "
                           "folder\n"),
            std::string::npos)
      << again.err;
  EXPECT_EQ(text("run/train.yaml"), before + "# mine\n");
}

TEST_F(WrittenConfig, is_nothing_where_nothing_fits) {
  const Outcome asked = write("ask llama-3.1-70b full h100 --gpus 1 --framework trl --json", "run");
  EXPECT_EQ(asked.code, 1);
  EXPECT_EQ(parse_json(asked.out, "ask").at("written"), nullptr);
  EXPECT_FALSE(std::filesystem::exists(at("run")));
}

TEST(ConfigWriters, write_what_the_catalog_knows) {
  Faults faults;
  const CatalogLayers layers = std::filesystem::path(kCatalog);
  const auto writers = load_config_writers(layers, faults);
  const auto formats = load_config_formats(layers, faults);
  const Catalog catalog = load_catalog(layers, faults);
  ASSERT_TRUE(faults.empty());
  EXPECT_EQ(keys_of(writers), (std::vector<std::string>{"axolotl", "llama-factory",
                                                        "nemo-automodel", "torchtune", "trl"}));
  for (const auto& [id, stack] : catalog.stacks) {
    EXPECT_TRUE(stack.writer.empty() || writers.contains(stack.writer)) << id;
  }
  for (const auto& [id, writer] : writers) {
    EXPECT_TRUE(formats.contains(writer.format)) << id;
    EXPECT_TRUE(writer.commands.back().when.empty()) << id << " has a command for the rest";
  }
}

}  // namespace
}  // namespace sizesheet
