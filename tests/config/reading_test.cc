// SPDX-License-Identifier: Apache-2.0
// Each small config gives the request, the sentences or the refusal that its case expects.
#include <gtest/gtest.h>

#include "config/config_cases.h"
#include "config/text/command_tree.h"
#include "config/text/yaml_tree.h"
#include "config/text/yaml_values.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::vector<std::string> texts(const std::vector<ConfigRemark>& remarks) {
  return each_of(remarks, &ConfigRemark::text);
}

TEST(ConfigReading, IsAsExpected) {
  for (const Json& one : config_cases()) {
    const auto name = one.at("name").get<std::string>();
    if (one.contains("error")) {
      try {
        read_case(one);
        ADD_FAILURE() << name << ": no refusal";
      } catch (const InputError& error) {
        EXPECT_EQ(error.what(), one.at("error").get<std::string>()) << name;
      }
      continue;
    }
    const ConfigReading reading = read_case(one);
    EXPECT_EQ(reading.format, one.at("format_id").get<std::string>()) << name;
    EXPECT_EQ(reading.model, one.value("names_model", "")) << name;
    EXPECT_EQ(reading.stack, one.value("stack", "")) << name;
    EXPECT_EQ(reading.request, one.at("request")) << name;
    EXPECT_EQ(reading.waiting, one.value("waiting", Json::object())) << name;
    EXPECT_EQ(Json(texts(reading.told)), one.value("told", Json::array())) << name;
    EXPECT_EQ(Json(texts(reading.refused)), one.value("refused", Json::array())) << name;
    EXPECT_EQ(Json(texts(reading.asked)), one.value("asked", Json::array())) << name;
  }
}

TEST(ConfigReading, HasACaseOfEveryFormat) {
  std::set<std::string> seen;
  for (const Json& one : config_cases()) {
    seen.insert(one.value("format_id", ""));
    const Json& files = one.at("files");
    for (std::size_t i = 1; i < files.size(); ++i) {  // beside the run: a launch, a ZeRO file …
      std::string text;
      for (const Json& line : files[i].at("lines")) text += line.get<std::string>() + "\n";
      seen.insert(recognised_format(tree_of_case(files[i], text).keys, shipped_formats()));
    }
  }
  for (const auto& [id, format] : shipped_formats()) {
    if (format.order == 0) continue;
    EXPECT_TRUE(seen.contains(id)) << id;
  }
}

TEST(YamlTree, HasTheValuesOfYaml11) {
  const std::vector<std::pair<const char*, Json>> cases = {
      {"NO", false},    {"no", false},   {"Off", false},     {"yes", true},     {"on", true},
      {"true", true},   {"yEs", "yEs"},  {"~", nullptr},     {"", nullptr},     {"2e-4", "2e-4"},
      {"1.0e-5", 1e-5}, {"1_000", 1000}, {"1.0e5", "1.0e5"}, {"-1", -1},        {"0755", 493},
      {"0x10", 16},     {"0b10", 2},     {"08", "08"},       {"-010", -8},      {"0x", "0x"},
      {"3.0", 3.0},     {".5", 0.5},     {"nan", "nan"},     {"1.2.3", "1.2.3"}};
  for (const auto& [text, value] : cases) EXPECT_EQ(plain_yaml_value(text), value) << text;
}

TEST(YamlTree, TellsWhatItDoesNotRead) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a: !include other.yaml",
       "f.yaml:1: the tag \"!include\": no file, variable or object behind a tag is read; write "
       "the "
       "value itself"},
      {"a: &x [*x]", "f.yaml:1: an alias refers to a value that contains it"},
      {"- a\n- b", "f.yaml: expected a mapping of keys and values"},
      {"? [a]\n: b", "f.yaml:1: expected a word as a key, got a list"},
      {"a: 1\n---\na: 2", "f.yaml:2: expected one document, got another one behind ---"},
      {"a: [1, 2", "f.yaml:1:1: expected YAML or JSON: end of sequence flow not found"}};
  for (const auto& [text, words] : cases) {
    try {
      yaml_tree(text, "f.yaml");
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), words) << text;
    }
  }
}

TEST(YamlTree, KeepsLinesMergesAndTheLastOfTwo) {
  const ConfigTree tree =
      yaml_tree("base: &b {x: 1, y: 2}\nrun:\n  <<: *b\n  y: 3\nz: 4\nz: 5\n", "f");
  EXPECT_EQ(tree.keys.at("run"), Json({{"x", 1}, {"y", 3}}));
  EXPECT_EQ(tree.keys.at("z"), 5);
  EXPECT_EQ(yaml_tree("<<: {a: 1, b: 1}\n<<: {a: 2}\n", "f").keys, Json({{"a", 2}, {"b", 1}}));
  EXPECT_EQ(tree.lines.at("run.y"), 4);
  EXPECT_EQ(tree.remarks,
            std::vector<std::string>{"f:6: z is also said in line 5; the last one counts"});
}

/// What ten aliases of ten aliases … write out.
std::string alias_bomb(int levels) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < levels; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 0; j < 9; ++j) text += ", " + before;
    text += "]\n";
  }
  return text;
}

TEST(YamlTree, IsBounded) {
  EXPECT_THROW(yaml_tree(alias_bomb(12), "f"), InputError);
  EXPECT_THROW(yaml_tree("a: " + std::string(10000, '['), "f"), InputError);
  EXPECT_THROW(yaml_tree("a: " + std::string(100, '[') + std::string(100, ']'), "f"), InputError);
  EXPECT_THROW(yaml_tree(std::string(kMostConfigBytes + 1, 'a'), "f"), InputError);
  std::string deep;
  for (int i = 0; i < 2000; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "k:\n";
  EXPECT_THROW(yaml_tree(deep.substr(0, kMostConfigBytes), "f"), InputError);
}

TEST(CommandTree, ReadsOptionsOverridesAndVariables) {
  const ConfigTree tree = command_tree(
      "#!/bin/bash\nMODEL=Qwen/Qwen3-8B\nCUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node=2 \\\n"
      "  -m verl.trainer.main_ppo a.b=$MODEL '+c.d=[x, y]' --rate 1e-4 # end\n",
      "run.sh");
  EXPECT_EQ(tree.keys.at("_command"), "torchrun -m verl.trainer.main_ppo");
  EXPECT_EQ(tree.keys.at("launch"), Json({{"nproc_per_node", 2}}));
  EXPECT_EQ(tree.keys.at("a").at("b"), "Qwen/Qwen3-8B");
  EXPECT_EQ(tree.keys.at("c").at("d"), Json({"x", "y"}));
  EXPECT_EQ(tree.keys.at("rate"), "1e-4");
  EXPECT_EQ(tree.lines.at("rate"), 4);
}

}  // namespace
}  // namespace sizesheet
