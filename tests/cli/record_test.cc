// SPDX-License-Identifier: Apache-2.0
// `record`: a run of a team's own goes into its catalog, moves estimates of the same kind, and is
// refused where it contradicts itself. `measure-script`: a script that names its settings.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "cli/program.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const Words kRun = {"llama-3.1-8b", "lora", "1xh100", "--seq", "4k", "--micro-batch", "4"};

class Record : public InFolder {
 protected:
  Outcome record(const Words& words, const Words& run = kRun) const {
    return told(with(with(with({"record"}, run), words), {"--catalog", at("ours")}));
  }
  /// With the runs, or without.
  Json asked(const Words& words, bool ours) const {
    const Words layer = {"--catalog", at("ours")};
    const Words line = with(with({"ask"}, words), {"--json"});
    return parse_json(program(ours ? with(line, layer) : line).out, "answer");
  }
  std::string text_of(const std::string& file) const { return read_file(at(file)); }
};

TEST_F(Record, keeps_the_run_and_says_what_it_changes) {
  const Outcome done = record(
      {"--tokens-per-second", "5200", "--gib", "30.1", "--date", "2026-11-27", "--host", "node-3"});
  EXPECT_EQ(done.code, 0);
  EXPECT_EQ(done.err, "method \"lora\" is lora-r16\nGPU \"h100\" is h100-sxm\n");
  const std::vector<std::string> lines = split(done.out, '\n');
  EXPECT_EQ(lines[0],
            "run-1 in ours/measured/team-runs.json: 1 x H100, micro-batch 4, 8 steps of "
            "accumulation, rank 16, full recompute");
  EXPECT_TRUE(lines[1].starts_with("  device    30.1 GiB measured, ")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("  speed     5,200 tokens per second and GPU measured, "))
      << lines[2];
  const Json file = parse_json(text_of("ours/measured/team-runs.json"), "runs");
  EXPECT_EQ(file.at("rows").at(0).at("evidence"), "2026-11-27 on node-3: 30.1 GiB device");
  EXPECT_EQ(file.at("speeds").at("rows").at(0).at("tokens_per_s_per_gpu"), 5200);
  EXPECT_EQ(program({"check", "--catalog", at("ours")}).code, 0);
  EXPECT_EQ(record({"--tokens-per-second", "5100"}).out.substr(0, 6), "run-2 ");
}

TEST_F(Record, moves_estimates_of_the_same_kind_alone) {
  ASSERT_EQ(record({"--tokens-per-second", "5200", "--gib", "30.1"}).code, 0);
  const auto changes = [&](const Words& words) {
    return asked(words, true) != asked(words, false);
  };
  EXPECT_TRUE(changes({"llama-3.1-8b", "lora", "h100"}));
  EXPECT_TRUE(changes({"qwen2.5-14b", "lora", "h100"}));
  for (const Words& other :
       std::vector<Words>{{"llama-3.1-8b", "lora", "h200"},
                          {"llama-3.1-8b", "full", "h100"},
                          {"llama-3.1-8b", "qlora", "h100"},
                          {"qwen3-30b-a3b", "lora", "h100"},
                          {"llama-3.1-8b", "lora", "h100", "--stack", "torchtune"}}) {
    EXPECT_FALSE(changes(other)) << join(other, " ");
  }
  const Json answer = asked({"llama-3.1-8b", "lora", "h100"}, true);
  const Json plain = asked({"llama-3.1-8b", "lora", "h100"}, false);
  const auto hours = [](const Json& json) {
    return json.at("answers").at(0).at("rent").at("hours").at("mid").get<double>();
  };
  EXPECT_GT(hours(answer), hours(plain));
  const std::string text =
      program({"ask", "llama-3.1-8b", "lora", "h100", "--catalog", at("ours")}).out;
  EXPECT_NE(text.find("\n        corrected by your runs: "), std::string::npos) << text;
}

TEST_F(Record, one_run_moves_little_and_ten_move_much) {
  const Words line = {"explain", "llama-3.1-8b", "lora",          "1xh100",
                      "--seq",   "4k",           "--micro-batch", "4",
                      "--json",  "--catalog",    at("ours")};
  const auto speed = [&](const Words& words) {
    const Json json = parse_json(program(words).out, "explanation");
    return json.at("throughput").at("tokens_per_second_per_gpu").get<double>();
  };
  const double before = speed(Words(line.begin(), line.end() - 2));
  const double measured = before * 0.7;
  double one = 0;
  for (int run = 1; run <= 10; ++run) {
    ASSERT_EQ(record({"--tokens-per-second", shortest(measured)}).code, 0);
    if (run == 1) one = speed(line);
  }
  const double ten = speed(line);
  EXPECT_NEAR(std::log(one / before), std::log(0.7) / 3, 1e-6);
  EXPECT_NEAR(std::log(ten / before), std::log(0.7) * 10 / 12, 1e-6);
}

TEST_F(Record, leaves_no_trace_when_its_file_is_deleted) {
  const Words build = {"build", "--catalog", at("ours"), "--as-of", "2026-11-20"};
  dir_.write("ours/layer.json", "{\"over\": \"builtin\"}\n");
  ASSERT_EQ(program(with(build, {"--out", at("before")})).code, 0);
  ASSERT_EQ(record({"--tokens-per-second", "5200"}).code, 0);
  ASSERT_EQ(program(with(build, {"--out", at("with")})).code, 0);
  std::filesystem::remove_all(at("ours/measured"));
  ASSERT_EQ(program(with(build, {"--out", at("after")})).code, 0);
  for (const char* file : {"sheet.json", "sheet.csv", "sheet.pdf", "index.html", "accuracy.html"}) {
    const std::string name = file;
    EXPECT_EQ(text_of("before/" + name), text_of("after/" + name)) << name;
    EXPECT_NE(text_of("before/" + name), text_of("with/" + name)) << name;
  }
  EXPECT_EQ(program({"verify", at("with")}).code, 0);
  EXPECT_NE(text_of("with/accuracy.html").find("<h2 id=\"team-h\">Your own runs</h2>"),
            std::string::npos);
  const Json changes = parse_json(
      program({"diff", at("before/sheet.json"), at("with/sheet.json"), "--format", "json"}).out,
      "changes");
  std::set<std::string> causes;
  for (const Json& change : changes.at("changes")) {
    for (const Json& cause : change.at("cause")) causes.insert(cause.get<std::string>());
  }
  EXPECT_EQ(causes, std::set<std::string>{"measured"});
}

TEST_F(Record, refuses_what_contradicts_itself) {
  const std::vector<std::pair<Words, std::string>> cases = {
      {{"--tokens-per-second", "52000"},
       "52,000 tokens per second and GPU need 1.8 times the peak of H100; is it the speed of all "
       "GPUs, or are padded tokens in it?"},
      {{"--tokens-per-second", "300"},
       "300 tokens per second and GPU are less than 1/10 of the slowest that is estimated, "},
      {{"--gib", "95"}, "95.0 GiB device is more than the 79.2 GiB of one H100"},
      {{"--gib", "8"}, "8.0 GiB device is less than the weights of this run on one GPU, 15.0 GiB"},
      {{"--gib", "30", "--host", "http://grafana/run/5"},
       "--host: expected a name of at most 100 letters, without addresses, got "
       "\"http://grafana/run/5\""},
      {{"--gib", "30", "--host", "node\t1"},
       "--host: expected a name of at most 100 letters, without addresses, got \"node\\t1\""},
      {{"--tokens", "30M"}, "--tokens and --hours go together: they say how fast the run was"},
      {{},
       "expected what the run took: --gib, --tokens-per-second, --tokens with --hours, or --log "
       "FILE"}};
  for (const auto& [words, why] : cases) {
    const Outcome refused = record(words);
    EXPECT_EQ(refused.code, 2) << why;
    const std::string begins = why.starts_with("--host") ? "sizesheet: " : "sizesheet: record: ";
    EXPECT_NE(refused.err.find(begins + why), std::string::npos) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(at("ours"))) << why;
  }
  EXPECT_NE(record({"--gib", "30"}, {"llama-3.1-8b", "lora", "1xh100"})
                .err.find("record: expected --micro-batch, the sequences that a GPU took at once"),
            std::string::npos);
  EXPECT_NE(record({"--gib", "30"}, {"llama-3.1-8b", "lora", "h100", "--micro-batch", "1"})
                .err.find("record: expected how many GPUs, such as 8xh100"),
            std::string::npos);
}

/// A row that somebody wrote by hand: ten times too fast, and more memory than the card has.
TEST_F(Record, a_wrong_row_moves_nothing) {
  ASSERT_EQ(record({"--tokens-per-second", "6000", "--gib", "28"}).code, 0);
  Json runs = parse_json(text_of("ours/measured/team-runs.json"), "runs");
  runs["speeds"]["rows"][0]["tokens_per_s_per_gpu"] = 60000;
  runs["rows"][0]["measured"]["bytes"] = std::int64_t{950} << 30;
  dir_.write("ours/measured/team-runs.json", runs.dump());
  for (const char* method : {"lora", "qlora", "full"}) {
    const Words words = {"llama-3.1-8b", method, "h100"};
    EXPECT_EQ(asked(words, true), asked(words, false)) << method;
  }
}

TEST_F(Record, takes_tokens_and_hours_as_a_speed) {
  const Json read =
      parse_json(record({"--tokens", "36M", "--hours", "2", "--dry-run", "--json"}).out, "record");
  EXPECT_DOUBLE_EQ(read.at("measured").at("tokens_per_second_per_gpu"), 5000);
}

TEST_F(Record, a_dry_run_writes_nothing) {
  const Outcome dry = record({"--tokens-per-second", "5200", "--dry-run"});
  EXPECT_EQ(dry.code, 0);
  EXPECT_EQ(dry.out.substr(0, 13), "would be run-");
  EXPECT_FALSE(std::filesystem::exists(at("ours")));
}

TEST_F(Record, reads_the_logs_of_trainers) {
  dir_.write(
      "axolotl.log",
      "{'loss': '0.71', 'memory/max_active (GiB)': '25.1', 'memory/max_allocated (GiB)': "
      "'25.0', 'memory/device_reserved (GiB)': '27.5', 'tokens/train_per_sec_per_gpu': '0'}\n"
      "{'loss': '0.70', 'memory/max_allocated (GiB)': '25.9', "
      "'memory/device_reserved (GiB)': '28.5', 'tokens/train_per_sec_per_gpu': '6010.2'}\n");
  dir_.write("smi.txt",
             "| N/A   33C    P0   113W / 700W |  29870MiB / 81559MiB |     97%      |\n");
  const Json read = parse_json(
      record({"--log", at("axolotl.log"), "--log", at("smi.txt"), "--dry-run", "--json"}).out,
      "record");
  EXPECT_EQ(read.at("measured"), parse_json(R"({"allocated_bytes": 27809913242,
      "reserved_bytes": 30601641984, "device_bytes": 31320965120,
      "tokens_per_second_per_gpu": 6010.2})",
                                            "expected"));
  dir_.write("trainer_state.json",
             R"({"log_history": [{"loss": 1.2, "step": 10}, {"train_runtime": 655.0,
                 "train_samples_per_second": 1.5, "train_steps_per_second": 0.05}]})");
  const Json steps =
      parse_json(record({"--log", at("trainer_state.json"), "--dry-run", "--json"}).out, "record");
  EXPECT_DOUBLE_EQ(steps.at("measured").at("tokens_per_second_per_gpu"), 0.05 * 32 * 4096);
  dir_.write("empty.log", "nothing to see\n");
  EXPECT_NE(record({"--log", at("empty.log")})
                .err.find("empty.log: expected a figure such as memory/max_allocated (GiB), "),
            std::string::npos);
  EXPECT_NE(record({"--log", at("smi.txt"), "--gib", "30"})
                .err.find("sizesheet: --gib: is said twice, a log says it too\n"),
            std::string::npos);
}

TEST_F(Record, takes_what_the_measure_script_prints) {
  const std::string script = program({"measure-script", "llama-3.1-8b", "lora", "1xh100", "--seq",
                                      "2k", "--micro-batch", "2"})
                                 .out;
  const std::size_t begin = script.find("json.loads(r\"\"\"");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = script.find("\"\"\")", begin);
  const Json run = parse_json(script.substr(begin + 15, end - begin - 15), "settings");
  EXPECT_EQ(run.at("repository"), "meta-llama/Llama-3.1-8B");
  EXPECT_EQ(run.at("seq_len"), 2048);
  EXPECT_EQ(run.at("grad_accum"), 16);
  EXPECT_EQ(run.at("targets"),
            Json({"down_proj", "gate_proj", "k_proj", "o_proj", "q_proj", "up_proj", "v_proj"}));
  const Json line = {{"request", run.at("request")}, {"tokens_per_second_per_gpu", 5900.5}};
  dir_.write("run.jsonl", line.dump() + "\n");
  const Outcome done = record({"--log", at("run.jsonl")}, {});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("5,901 tokens per second and GPU measured"), std::string::npos)
      << done.out;
}

TEST(MeasureScript, RefusesByNameWhatItCannotRun) {
  const std::vector<std::pair<Words, std::string>> cases = {
      {{"lora", "8xh100"}, "measures on one GPU; expected a card such as 1xh100"},
      {{"qlora", "1xh100"}, "measures full fine-tuning and LoRA on a 16-bit base; a quantised "},
      {{"lora", "1xh100", "--stack", "unsloth"},
       "runs transformers' Trainer, which is the stack hf-trl, and not unsloth"},
      {{"dpo", "1xh100"}, "measures supervised fine-tuning alone"}};
  for (const auto& [words, why] : cases) {
    const Outcome refused = program(with(with({"measure-script", "llama-3.1-8b"}, words),
                                         {"--micro-batch", "1", "--seq", "2k"}));
    EXPECT_EQ(refused.code, 2) << why;
    EXPECT_NE(refused.err.find("sizesheet: measure-script: " + why), std::string::npos)
        << refused.err;
  }
}

}  // namespace
}  // namespace sizesheet
