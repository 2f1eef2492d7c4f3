// SPDX-License-Identifier: Apache-2.0
// Every option of every command as the command line describes it: human forms are one value, and
// nothing is accepted and ignored.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cli/program.h"
#include "support/due.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

/// Options with their values, positional words under their names.
using Said = std::vector<std::pair<std::string, std::string>>;

/// What a command answers but for the option in question.
Said plain_words(const std::string& command, const std::string& folder) {
  if (command == "ask") return {{"--model", "phi-4"}};
  if (command == "init") return {{"file", folder + "/ours.json"}};
  if (command == "cost") return {{"--gpu", "h100-sxm"}};
  if (command == "fits") return {{"--gpu", "h100-sxm"}, {"--model", "phi-4"}};
  if (command == "list") return {{"what", "prices"}};
  if (command == "verify") return {{"folder", folder}};
  if (command == "diff") return {{"old", "builtin"}, {"new", "builtin"}};
  if (command == "completion") return {{"shell", "bash"}};
  if (command == "compare") return {{"--models", "phi-4"}, {"--methods", "full"}};
  if (command == "sweep") return {{"--models", "phi-4"}, {"--methods", "full"}, {"--seq", "512"}};
  if (command == "import-model") return {{"config", folder + "/config.json"}, {"--id", "ours"}};
  if (command == "import-prices") return {{"file", folder + "/p.csv"}, {"--format", "sizesheet"}};
  if (command == "measure-script") {
    return {{"--model", "phi-4"},
            {"--method", "lora-r16"},
            {"--gpu", "h100-sxm"},
            {"--gpus", "1"},
            {"--micro-batch", "1"}};
  }
  if (command == "record") {
    return {{"--model", "phi-4"},  {"--method", "lora-r16"},       {"--gpu", "h100-sxm"},
            {"--gpus", "1"},       {"--micro-batch", "1"},         {"--dry-run", "true"},
            {"--catalog", folder}, {"--tokens-per-second", "3000"}};
  }
  if (command == "explain") {
    return {{"--model", "phi-4"}, {"--method", "lora-r16"}, {"--gpu", "h100-sxm"}};
  }
  return {};
}

Words words_of(const std::string& command, Said said, const std::string& name,
               const std::string& value) {
  std::erase_if(said, [&](const auto& one) {
    return one.first == name || (name == "--vram" && one.first == "--gpu");
  });
  Words words = {command};
  for (const auto& [key, text] : said) {
    if (key.starts_with("--")) words.push_back(key + "=" + text);
  }
  if (name.starts_with("--")) words.push_back(name + "=" + value);
  if (!name.starts_with("--")) said.insert(said.begin(), {name, value});
  for (const auto& [key, text] : said) {
    if (!key.starts_with("--")) words.push_back(text);
  }
  return words;
}

/// Options whose value is any text: a title, a source, a file to write.
const std::set<std::string> kFreeTexts = {"build --out",
                                          "import-model --repository",
                                          "import-model --source",
                                          "import-model --title",
                                          "import-prices --source",
                                          "record --catalog",
                                          "record --host",
                                          "sweep --out",
                                          "validate --write-intervals",
                                          "validate --write-speed-intervals"};

struct OneOption {
  std::string command, name, type;
};

std::vector<OneOption> options_with_values() {
  std::istringstream in;
  std::ostringstream out;
  const Streams streams{in, out, out};
  CLI::App app;
  Command chosen;
  add_commands(app, streams, chosen);
  std::vector<OneOption> all;
  for (const CLI::App* command : app.get_subcommands({})) {
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_items_expected_max() == 0) continue;  // a flag
      const std::string name = option->get_name();
      all.push_back({command->get_name(), option->get_positional() ? option->get_name(true) : name,
                     option->get_type_name()});
    }
  }
  return all;
}

class EveryOption : public InFolder {
 protected:
  EveryOption() {
    dir_.write("config.json", project_catalog().model("phi-4").raw.dump());
    dir_.write("p.csv", "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source\n");
  }

  Outcome with_value(const OneOption& option, const std::string& value) const {
    return program(words_of(option.command, plain_words(option.command, dir_.path().string()),
                            option.name, value));
  }
};

TEST_F(EveryOption, refuses_what_it_cannot_mean) {
  std::set<std::string> free;
  std::size_t number = 0;
  for (const OneOption& option : options_with_values()) {
    const std::string name = option.command + " " + option.name;
    if (kFreeTexts.contains(name)) {
      free.insert(name);
      continue;
    }
    if (!is_due(number++, 1)) continue;
    const Outcome outcome = with_value(option, "§garbage§");
    EXPECT_EQ(outcome.code, 2) << name << "\n" << outcome.out.substr(0, 200);
    EXPECT_NE(outcome.err, "") << name;
    EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << name << outcome.err;
  }
  EXPECT_EQ(free, kFreeTexts) << "every one of them is an option";
}

TEST_F(EveryOption, refuses_decimal_commas_and_odd_numbers) {
  std::size_t values = 0;
  for (const OneOption& option : options_with_values()) {
    const bool day = option.type == "DAY";
    const std::set<std::string> kinds = {"COUNT",   "LENGTH", "TOKENS", "HOURS",
                                         "DOLLARS", "RATE",   "SHARE",  "MEMORY"};
    if (!day && !kinds.contains(option.type)) continue;
    if (!is_due(values++, 1)) continue;
    // A third of them for each option: one function reads the values of all options of a kind.
    std::size_t which = values;
    for (const char* odd : {"nan", "inf", "-inf", "-1", "0x10", "010", "1e999", "12,34", "1,5,0"}) {
      if (which++ % 3 != 0) continue;
      const Outcome outcome = with_value(option, odd);
      EXPECT_EQ(outcome.code, 2) << option.command << ' ' << option.name << ' ' << odd;
      EXPECT_TRUE(outcome.err.starts_with("sizesheet: " + option.name + ": ")) << outcome.err;
      const bool comma = std::string(odd).find(',') != std::string::npos;
      EXPECT_EQ(outcome.err.find(" can be read as ") != std::string::npos, comma && !day)
          << outcome.err;
    }
  }
  EXPECT_GE(values, 30U);
}

/// Forms of one value, which all give the answer of the first.
TEST(HumanForms, are_one_value_for_every_option) {
  const Words explain = {"explain",  "--model", "phi-4",    "--method",
                         "lora-r16", "--gpu",   "h100-sxm", "--json"};
  const Words fits = {"fits",  "--gpu",    "h100-sxm", "--model",
                      "phi-4", "--method", "lora-r16", "--json"};
  const Words ask = {"ask", "phi-4", "--method", "lora-r16", "--gpu", "h100-sxm", "--json"};
  const Words cost = {"cost", "--gpu", "h100-sxm", "--json"};
  const Words sweep = {"sweep", "--models", "phi-4", "--methods", "lora-r16", "--gpus", "h100-sxm"};
  const std::vector<std::tuple<Words, std::string, Words>> cases = {
      {explain, "--seq", {"8192", "8k", "8K", "8,192"}},
      {explain, "--tokens", {"50000000", "50M", "50m", "5e7", "50,000,000", "50_000_000", "0.05B"}},
      {explain, "--gpus", {"8", " 8", "8 "}},
      {explain, "--measured-gib", {"20", "20GiB", "20 GB", "20480MiB"}},
      {fits, "--seq", {"8192", "8k", "8,192"}},
      {fits, "--tokens", {"100000", "100k", "100,000"}},
      {fits, "--gpus", {"1000", "1,000"}},
      {fits, "--deadline-hours", {"72", "72h", "3d", "3 days"}},
      {fits, "--deadline", {"72", "72h", "3d"}},
      {fits, "--budget", {"1500", "$1,500", "1.5k"}},
      {fits, "--budget-usd", {"1500", "$1,500", "1.5k", "1500 USD", "1500$"}},
      {ask, "--deadline", {"24", "24h", "1d", "24 hours", "1440m"}},
      {ask, "--deadline", {"168", "1w"}},
      {ask, "--budget", {"500", "$500", "500$", "500 USD", "0.5k"}},
      {ask, "--gpus", {"1000", "1,000"}},
      {ask, "--seq", {"8192", "8k", "8,192"}},
      {cost, "--rent", {"2.49", "$2.49", "$2.49/h", "2.49/hr", "2.49 USD"}},
      {cost, "--hours-per-month", {"300", "300h", "300 hours", "12.5d"}},
      {cost, "--gpus", {"1000", "1,000"}},
      {sweep, "--seq", {"4096,8192", "4k,8k", "4096 8192"}},
  };
  std::size_t number = 0;
  for (const auto& [command, option, forms] : cases) {
    if (!is_due(number++, 1)) continue;
    const Words base = with(command, {"--catalog", kCatalog});
    const Outcome plain = program(with(base, {option, forms.front()}));
    EXPECT_NE(plain.code, 2) << option << plain.err;
    for (const std::string& form : forms) {
      EXPECT_EQ(program(with(base, {option, form})), plain)
          << command.front() << ' ' << option << ' ' << form;
    }
  }
}

/// The options of a question have one set of names; the older spellings stay.
TEST(QuestionOptions, AreTheSameInEveryCommand) {
  const Words run = {"--method",   "lora-r16", "--gpu",    "h100-sxm", "--gpus",   "8",
                     "--stack",    "unsloth",  "--seq",    "2k",       "--tokens", "50M",
                     "--deadline", "24h",      "--budget", "$1k",      "--as-of",  "2026-11-20",
                     "--catalog",  kCatalog,   "--json"};
  Words older = run;
  std::ranges::replace(older, "--deadline", "--deadline-hours");
  std::ranges::replace(older, "--budget", "--budget-usd");
  std::ranges::replace(older, "--json", "--format=json");
  for (const char* command : {"ask", "explain", "fits"}) {
    const Outcome plain = program(with({command, "phi-4"}, run));
    EXPECT_EQ(plain.err, "") << command;
    EXPECT_LT(plain.code, 2) << command;
    EXPECT_EQ(program(with({command, "--model", "phi-4"}, older)), plain) << command;
    EXPECT_EQ(program({command, "--help"}).out.find("--deadline-hours"), std::string::npos);
  }
}

TEST(HumanForms, are_read_in_requests_and_questions_too) {
  const auto answer = [](const Json& request) {
    return program({"estimate", "--catalog", kCatalog}, request.dump() + "\n");
  };
  Json request = {{"id", "a"},
                  {"model", "phi-4"},
                  {"gpu", "h100-sxm"},
                  {"method", "lora-r16"},
                  {"stack", "hf-trl"}};
  request["headroom"] = 0.1;
  request["max_gpus"] = 8;
  request["workload"] = {{"seq_len", 8192}, {"tokens", 50000000}};
  const Outcome plain = answer(request);
  EXPECT_EQ(plain.code, 0) << plain.out;
  request["headroom"] = "10%";
  request["max_gpus"] = "8";
  request["workload"] = {{"seq_len", "8k"}, {"tokens", "50M"}};
  EXPECT_EQ(answer(request), plain);
  request["workload"]["tokens"] = "1,5M";
  EXPECT_EQ(parse_json(answer(request).out, "answer").at("error"),
            "workload.tokens: \"1,5M\" can be read as 1.5M or as 15M; write 1.5M or 15M");
}

}  // namespace
}  // namespace sizesheet
