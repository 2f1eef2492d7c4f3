// SPDX-License-Identifier: Apache-2.0
// One vocabulary: every option of a question under every name and in every unit, in every command
// that takes it; a question without the names of options; and what the program says instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "catalog/catalog.h"
#include "catalog/prices/provider.h"
#include "cli/examples.h"
#include "cli/program.h"
#include "cli/question_table.h"
#include "support/due.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const Words kOver = {"--catalog", kCatalog};

/// What a command answers beside the option in question.
Words plain_words(const std::string& command, const std::string& option, const std::string& file) {
  const auto unless = [&](const std::string& name, const std::string& value) {
    return option == name ? Words{} : Words{name, value};
  };
  if (command == "init") return {"init", file};
  if (command == "list") return {"list", "prices"};
  if (command == "cost") return with({"cost"}, unless("--gpu", "h100-sxm"));
  Words words = {command};
  if (command == "record") words = with(words, {"--dry-run"});
  if (command == "record" && option == "--tokens") words = with(words, {"--hours", "4"});
  if (command == "record" && option == "--hours") words = with(words, {"--tokens", "2B"});
  if (command == "record" && option != "--tokens" && option != "--hours") {
    words = with(words, {"--tokens-per-second", "3000"});
  }
  const bool run = command == "record" || command == "measure-script";
  if (run && option != "--micro-batch") words = with(words, {"--micro-batch", "1"});
  if (run && option != "--gpus") words = with(words, {"--gpus", "1"});
  if (option != "--config") words = with(words, unless("--model", "phi-4"));
  words = with(words, option == "--failed" ? Words{"--runs", "20"} : Words{});
  words = with(words, option == "--mean-length" ? Words{"--examples", "20000"} : Words{});
  words = with(words, option == "--epochs" ? Words{"--tokens", "20M"} : Words{});
  if (command == "sweep" && option != "--seq") words = with(words, {"--seq", "2k"});
  if (option != "--vram") words = with(words, unless("--gpu", "h100-sxm"));
  const bool generates = contains(
      {"--group-size", "--prompt-length", "--completion-length", "--generation-gpus"}, option);
  return with(words, unless("--method", generates ? "grpo-lora-r16" : "lora-r16"));
}

/// Whether the value of the option's example is one that the command cannot run: the script is of
/// one GPU, of one stack, and of a model on the Hub.
bool is_refused_there(const std::string& command, const QuestionWord& word) {
  if (word.name == std::string_view("--generation-gpus")) return true;  // of a config alone
  return command == "measure-script" && contains({"--gpus", "--stack", "--config"}, word.name);
}

/// Every spelling of one value of each unit, and the value of each option that has no unit.
const std::map<std::string, Words> kSpellings = {
    {"COUNT", {"8", " 8", "8 "}},
    {"LENGTH", {"2048", "2k", "2K", "2,048"}},
    {"TOKENS", {"50000000", "50M", "50m", "5e7", "50,000,000", "0.05B"}},
    {"HOURS", {"72", "72h", "3d", "3 days", "72 hours", "4320m"}},
    {"DOLLARS", {"1500", "$1,500", "1.5k", "1500 USD", "1500$"}},
    {"RATE", {"2.49", "$2.49", "$2.49/h", "2.49 USD"}},
    {"SHARE", {"10%", "0.1", "10 %"}},
    {"MEMORY", {"24GB", "24 GiB", "24gb", "24"}},
    {"PER-KWH", {"0.12", "$0.12", "$0.12/kWh", "0.12 per kWh"}},
    {"YEARS", {"3", "3y", "3 years", "36 months"}},
    {"NUMBER", {"3", "3.0"}}};

class Vocabulary : public InFolder {
 protected:
  Vocabulary() { dir_.write("config.json", project_catalog().model("phi-4").raw.dump()); }

  std::string value_of(const QuestionWord& word) const {
    return word.name == std::string("--config") ? at("config.json") : word.example;
  }

  Outcome asked(const std::string& command, const QuestionWord& word, const std::string& name,
                const std::string& value) {
    const std::string file = at("made" + std::to_string(made_++) + ".json");
    return program(with(with(plain_words(command, word.name, file), {name, value}), kOver));
  }

 private:
  int made_ = 0;
};

TEST_F(Vocabulary, EveryNameOfEveryOptionWorksInEveryCommandThatTakesIt) {
  std::size_t number = 0;
  for (const QuestionWord& word : question_words()) {
    for (const std::string command : word.commands) {
      if (!is_due(number++, 1) || is_refused_there(command, word)) continue;
      std::vector<std::string> names(word.other.begin(), word.other.end());
      names.insert(names.begin(), word.name);
      for (const std::string& name : names) {
        const Outcome outcome = asked(command, word, name, value_of(word));
        EXPECT_LT(outcome.code, 2) << command << ' ' << name << ": " << outcome.err;
      }
    }
  }
}

TEST_F(Vocabulary, EverySpellingOfAUnitIsTakenByEveryCommand) {
  std::size_t number = 0;
  for (const QuestionWord& word : question_words()) {
    if (word.kind == nullptr) continue;
    for (const std::string command : word.commands) {
      if (!is_due(number++, 1) || is_refused_there(command, word)) continue;
      std::set<std::string> refused;
      for (const std::string& form : kSpellings.at(word.kind()->id)) {
        // A comma of a list parts its lengths.
        const bool listed = command == "compare" || command == "sweep";
        if (listed && form == "2,048" && word.name == std::string("--seq")) continue;
        const Outcome outcome = asked(command, word, word.name, form);
        if (outcome.code == 2) refused.insert(form + ": " + outcome.err);
      }
      EXPECT_TRUE(refused.empty()) << command << ' ' << word.name << ' ' << *refused.begin();
    }
  }
}

/// What has no meaning in a command says which command takes it.
TEST_F(Vocabulary, WhatACommandDoesNotTakeNamesTheOneThatDoes) {
  for (const QuestionWord& word : question_words()) {
    for (const std::string command :
         {"ask", "compare", "cost", "explain", "fits", "list", "plan", "sweep"}) {
      if (contains(Words(word.commands.begin(), word.commands.end()), command)) continue;
      // A plan of one model is a question, which ask answers.
      if (command == "plan" && contains({"--model", "--config"}, word.name)) continue;
      const Outcome outcome =
          whole_program({command, std::string(word.name) + "=" + value_of(word)});
      EXPECT_EQ(outcome.code, 2) << command << ' ' << word.name;
      EXPECT_NE(outcome.err.find(": " + std::string(word.name) + " has no meaning here; "),
                std::string::npos)
          << outcome.err;
      const bool cured = outcome.err.find("\ntry: sizesheet ") != std::string::npos;
      const bool shown = outcome.err.find("\nan example: sizesheet ") != std::string::npos;
      EXPECT_TRUE(cured || shown) << outcome.err;
    }
  }
}

/// The first line of words in each group is the question in options.
TEST(PositionalForms, MeanWhatTheOptionsMean) {
  const std::vector<std::vector<Words>> groups = {
      {{"ask", "--model", "llama-3.1-8b", "--method", "lora", "--gpu", "h100"},
       {"llama-3.1-8b", "lora", "h100"},
       {"ask", "llama-3.1-8b", "lora", "h100"},
       {"lora", "llama-3.1-8b", "on", "h100"},
       {"--model", "llama-3.1-8b", "--method", "lora", "--gpu", "h100"},
       {"--gpu=h100", "--method=lora", "--model=llama-3.1-8b"},
       {"ask", "h100", "lora", "llama-3.1-8b"}},
      {{"explain", "--model", "llama-3.1-8b", "--method", "lora", "--gpu", "h100", "--gpus", "2"},
       {"explain", "llama-3.1-8b", "lora", "2xh100"},
       {"explain", "llama-3.1-8b", "lora", "--gpu", "2xh100"},
       {"explain", "llama-3.1-8b", "lora", "2", "h100"},
       {"explain", "llama-3.1-8b", "lora", "h100x2"},
       {"explain", "llama-3.1-8b", "lora", "h100", "x2"},
       {"explain", "llama-3.1-8b", "with", "lora", "on", "2", "x", "h100"}},
      {{"fits", "--gpu", "4090", "--gpus", "2", "--method", "qlora"},
       {"fits", "2x4090", "qlora"},
       {"fits", "4090", "2", "qlora"},
       {"fits", "qlora", "on", "2", "4090"}},
      {{"fits", "--vram", "24GB", "--model", "phi-4"}, {"fits", "24GB", "phi-4"}},
      {{"ask", "--model", "mistral-7b-v0.3", "--method", "dpo", "--gpu", "h100", "--gpus", "4"},
       {"mistral-7b-v0.3", "dpo", "4xh100"}},
      {{"cost", "--gpu", "h100", "--gpus", "8"},
       {"cost", "8xh100"},
       {"cost", "--gpu", "8xh100"},
       {"cost", "8", "h100"}},
      {{"ask", "--model", "llama-3.1-8b", "--method", "lora", "--gpu", "A100 80GB", "--gpus", "4",
        "--deadline", "24h", "--budget", "500", "--tokens", "20M"},
       {"llama-3.1-8b", "lora", "4", "A100", "80GB", "within", "24h", "under", "$500", "20M",
        "tokens"}}};
  for (const auto& group : groups) {
    const Outcome plain = program(with(group.front(), with({"--json"}, kOver)));
    EXPECT_LT(plain.code, 2) << plain.err;
    for (const Words& words : group) {
      EXPECT_EQ(program(with(words, with({"--json"}, kOver))).out, plain.out) << join(words, " ");
    }
  }
}

TEST(CloudMachines, AreAGpuTypeAndACountAndTheAnswerSaysSo) {
  for (const auto& [name, is] : std::vector<std::pair<std::string, std::string>>{
           {"p5.48xlarge", "8 × h100-sxm"},
           {"Standard_ND96isr_H100_v5", "8 × h100-sxm"},
           {"ND96isr_H100_v5", "8 × h100-sxm"},
           {"A3-HighGPU-8g", "8 × h100-sxm"},
           {"BM.GPU.A10.4", "4 × a10"}}) {
    for (const Words& words :
         {Words{"explain", "phi-4", "qlora", name}, {"explain", "phi-4", "qlora", "--gpu", name}}) {
      const Outcome outcome = program(with(words, kOver));
      EXPECT_LT(outcome.code, 2) << outcome.err;
      EXPECT_NE(outcome.err.find("\"" + name + "\" is " + is + "\n"), std::string::npos)
          << outcome.err;
    }
  }
  const Outcome cost = program(with({"cost", "p5.48xlarge"}, kOver));
  EXPECT_NE(cost.out.find("8 × h100-sxm, used "), std::string::npos) << cost.out << cost.err;
  EXPECT_EQ(program(with({"ask", "phi-4", "lora", "p9.48xlarge"}, kOver)).code, 2);
  for (const Provider& provider : project_catalog().providers) {
    const auto machines = provider.raw.find("machines");
    if (machines == provider.raw.end()) continue;
    for (const auto& [name, facts] : machines->items()) {
      EXPECT_TRUE(project_catalog().gpus.contains(facts.at("gpu").get<std::string>())) << name;
    }
  }
}

TEST(PositionalForms, SayWhatTheyCannotMean) {
  for (const auto& [words, refusal] : std::vector<std::pair<Words, std::string>>{
           {{"ask", "phi-4", "lora", "colours"},
            "sizesheet: ask: expected a model, a method or cards such as 2xh100, got "
            "\"colours\"\n"},
           {{"ask", "phi-4", "2xh100", "--gpus", "4"},
            "sizesheet: ask: \"2xh100\": --gpus is said already; say one\n"},
           {{"ask", "h100"},
            "sizesheet: ask: expected a model, or --config with the config.json of one\n"},
           {{"cost", "phi-4", "h100"},
            "sizesheet: cost: expected cards alone, such as 8xh100; what a run of a model costs, "
            "ask says\n"}}) {
    EXPECT_EQ(program(with(words, kOver)), (Outcome{2, "", refusal})) << join(words, " ");
  }
}

TEST(Methods, ARankIsSaidInAnyWay) {
  const auto method = [](const Words& words) {
    return parse_json(program(with(words, with({"--json"}, kOver))).out, "answer")
        .at("method_id")
        .get<std::string>();
  };
  for (const char* command : {"ask", "explain", "fits"}) {
    EXPECT_EQ(method({command, "phi-4", "lora", "1xh100"}), "lora-r16") << command;
    EXPECT_EQ(method({command, "phi-4", "lora", "1xh100", "--rank", "64"}), "lora-r64") << command;
    EXPECT_EQ(method({command, "phi-4", "lora-r32", "1xh100"}), "lora-r32") << command;
    EXPECT_EQ(method({command, "phi-4", "--method", "LoRA rank 32", "--gpu", "h100"}), "lora-r32");
  }
  EXPECT_EQ(program(with({"ask", "phi-4", "full", "--rank", "8"}, kOver)).err,
            "sizesheet: --rank: full trains every weight and has no rank; say --method lora\n");
}

/// Runs that are asked for with a share of failed ones: the project and the machine are of those.
TEST(FailedRuns, AreStartedToo) {
  const Words words = {"ask", "llama-3.1-8b", "lora", "h100", "--runs", "30"};
  const auto answer = [&](const Words& more) {
    return parse_json(program(with(with(words, more), with({"--json"}, kOver))).out, "ask");
  };
  const Json plain = answer({});
  const Json failed = answer({"--failed", "10%"});
  EXPECT_FALSE(plain.at("answers").at(0).contains("project"));
  EXPECT_EQ(failed.at("demand").at("runs_per_month"), 30);
  EXPECT_EQ(failed.at("demand").at("failed_share"), 0.1);
  EXPECT_NEAR(failed.at("demand").at("runs_started_per_month").get<double>(), 30 / 0.9, 1e-9);
  const Json& project = failed.at("answers").at(0).at("project");
  EXPECT_EQ(project.at("runs"), 30);
  EXPECT_EQ(project.at("failed_share"), 0.1);
  const double usd = project.at("usd_per_run");
  EXPECT_NEAR(project.at("runs_usd").get<double>(), usd * 30 / 0.9, 0.001);
  EXPECT_EQ(project.at("total_usd"), project.at("runs_usd")) << "the sheet asks for nothing else";
  const auto hours = [](const Json& one) {
    return one.at("answers").at(0).at("pick").at("own").at("advice_at_hours").get<double>();
  };
  EXPECT_NEAR(hours(failed), hours(plain) / 0.9, 0.1);
  const Outcome text = program(with(with(words, {"--failed", "10%"}), kOver));
  EXPECT_NE(text.out.find("30 runs, 10\u00a0% of those started lost"), std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("30 runs per month (33.3 started)"), std::string::npos) << text.out;
  EXPECT_EQ(program(with({"ask", "phi-4", "--failed", "10%"}, kOver)).err,
            "sizesheet: --failed: is the lost share of the runs of a month, and needs --runs\n");
}

TEST(Errors, EndWithACommandThatWorksAndAreJsonToo) {
  const Outcome told = whole_program({"ask", "phi-4", "--colour", "8", "--json"});
  EXPECT_EQ(told.code, 2);
  EXPECT_EQ(told.err,
            "sizesheet: ask: no option \"--colour\"; sizesheet help ask lists them\n"
            "try: sizesheet ask phi-4 --json\n"
            "left out: --colour 8\n");
  const Json json = parse_json(told.out, "error");
  EXPECT_EQ(json.at("ok"), false);
  EXPECT_EQ(json.at("try"), "sizesheet ask phi-4 --json");
  EXPECT_EQ(json.at("error"), "ask: no option \"--colour\"; sizesheet help ask lists them");
  for (const std::string command :
       {"", "ask", "compare", "cost", "explain", "fits", "gpus", "list", "models", "prices",
        "providers", "completion", "version", "sweep", "build", "verify"}) {
    const std::string line = example_of(command);
    ASSERT_TRUE(line.starts_with("sizesheet ")) << line;
    const Words words = split(line.substr(10), ' ');
    EXPECT_EQ(program(words).code, 0) << line;
  }
  for (const ExampleQuestion& one : example_questions()) {
    EXPECT_LT(program(one.words).code, 2) << one.question;
  }
}

/// A command that answers another question is called an example.
TEST(Errors, CallAnExampleWhatAnswersSomethingElse) {
  const Outcome told = whole_program({"explain", "kv", "cache", "--json"});
  EXPECT_EQ(told.err,
            "sizesheet: no model \"kv\" in the catalog\n"
            "an example: sizesheet explain llama-3.1-8b lora 1xh100\n");
  EXPECT_EQ(parse_json(told.out, "error").at("example"), true);
}

/// A count is the most; what exactly so many come to is in the answer, too.
TEST(Counts, ThatAreNotTakenHaveARowOfTheirOwn) {
  const Words words = {"ask", "llama-3.1-8b", "lora", "8xa100"};
  const std::string text = program(with(words, kOver)).out;
  EXPECT_NE(text.find("\n  asked 8\u00a0×\u00a0A100, "), std::string::npos) << text;
  EXPECT_NE(
      text.find("\n        8 GPUs are the most; 1\u00a0×\u00a0A100 is enough and costs less\n"),
      std::string::npos)
      << text;
  const Json json = parse_json(program(with(with(words, {"--json"}), kOver)).out, "answer");
  const Json& answer = json.at("answers").at(0);
  EXPECT_EQ(answer.at("rent").at("gpus"), 1);
  EXPECT_EQ(answer.at("asked_gpus").at("gpus"), 8);
  EXPECT_EQ(answer.at("asked_gpus").at("rent").at("gpus"), 8);
  const Json same = parse_json(
      program(with({"ask", "llama-3.1-8b", "lora", "1xa100", "--json"}, kOver)).out, "answer");
  EXPECT_TRUE(same.at("answers").at(0).at("asked_gpus").is_null());
}

TEST(Help, IsOnWhatAQuestionNames) {
  for (const auto& [name, begins] : std::map<std::string, std::string>{
           {"lora", "dpo-lora-r16: DPO, LoRA r16. "},
           {"h100", "h100-sxm: H100 80GB HBM3 SXM5, 79.2 GiB usable\n"},
           {"qwen2.5-7b", "qwen2.5-7b: Qwen2.5 7B, 7,615,616,512 parameters\n"},
           {"runpod", "runpod: RunPod, Inc., "},
           {"unsloth", "unsloth: Unsloth, a framework\n"},
           {"--seq", "--seq: Tokens of a sequence: 4096, 8k\n"}}) {
    const Outcome outcome = program({"help", name});
    EXPECT_EQ(outcome.code, 0) << name;
    EXPECT_TRUE(outcome.out.starts_with(begins)) << outcome.out;
    EXPECT_NE(outcome.out.find("\n  sizesheet "), std::string::npos) << outcome.out;
  }
}

TEST(Json, EveryCommandTakesIt) {
  for (const Words& words : {Words{"models"},
                             {"gpus"},
                             {"prices", "--gpu", "h100"},
                             {"providers"},
                             {"version"},
                             {"help"},
                             {"man"},
                             {"completion", "bash"},
                             {"schema"},
                             {"list", "methods"},
                             {"methods"},
                             {"ask", "phi-4", "lora", "h100"},
                             {"explain", "phi-4", "lora", "1xh100"},
                             {"fits", "24GB", "phi-4"},
                             {"cost", "8xh100"},
                             {"check"}}) {
    const Outcome outcome = program(with(words, {"--json"}));
    EXPECT_LT(outcome.code, 2) << join(words, " ") << outcome.err;
    EXPECT_NO_THROW(static_cast<void>(parse_json(outcome.out, "json"))) << join(words, " ");
  }
}

TEST(Prices, AreDollarsOfAGpuHourTheLowestFirst) {
  const Json rows = parse_json(
      program(with({"prices", "--gpu", "h100", "--tier", "on demand", "--json"}, kOver)).out, "l");
  double before = 0;
  std::int64_t counting = 0;
  for (const Json& row : rows) {
    if (row.at("usd_per_gpu_hour").is_null()) continue;
    const double usd = row.at("usd_per_gpu_hour");
    EXPECT_GE(usd, before);
    EXPECT_NEAR(usd * row.at("gpus").get<double>(), row.at("usd_per_instance_hour").get<double>(),
                1e-5);
    EXPECT_EQ(row.at("counts") == true, row.at("why_not") == "") << row;
    counting += row.at("counts") == true ? 1 : 0;
    before = usd;
  }
  EXPECT_GT(counting, 3);
}

}  // namespace
}  // namespace sizesheet
