// SPDX-License-Identifier: Apache-2.0
// The explain command: it asks what `estimate` would be asked, says what it took for granted, and
// ends with 1 where the answer is no.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/program.h"
#include "sheet/quarterly.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/temp_dir.h"
#include "support/text.h"

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
  return {{"llama-3.1-8b", "qlora-r16", "h100-sxm", "none"},
          {"size-13b", "full", "a100-80-sxm", "none"},
          {"qwen3-30b-a3b", "lora-r16", "b200", "none"},
          {"size-70b", "full", "rtx-4090", "none"}};
}

/// Without a stack the values that are left open are estimate's own.
TEST(Explain, IsTheAnswerOfEstimateWithoutAStack) {
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
  EXPECT_LT(refused, 2);
}

TEST(Explain, EndsWithOneWhereNothingFits) {
  const std::vector<std::string> no = {"--model", "size-70b", "--method", "full",
                                       "--gpu",   "h100-sxm", "--gpus",   "8"};
  EXPECT_EQ(explained_by(no).code, 1);
  EXPECT_EQ(explained_by(with(no, {"--format", "json"})).code, 1);
  EXPECT_EQ(explained_by({"--model", "size-7b", "--method", "qlora-r16", "--gpu", "h100-sxm"}).code,
            0);
  EXPECT_EQ(explained_by({"--model", "size-7b", "--method", "full", "--gpus", "8"}).code, 0);
  EXPECT_NE(
      program({"explain", "--help"})
          .out.find("Exit codes: 0 it fits, or no GPU is named; 1 nothing fits, or not within "
                    "deadline and budget; 2 could not tell."),
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
  EXPECT_EQ(trl.find("workload.tokens"), std::string::npos)
      << "the sheet says how long a run is: " << trl;
}

/// As the quarterly sheet works.
const Words kWorkload = {
    "--seq",       "4096",   "--micro-batch", "1",
    "--objective", "memory", "--request",     R"({"kernels": {"recompute": "full"},
                         "workload": {"grad_accum": 1, "packed": true}})"};

/// Of a job on an H100.
Outcome explained(const std::string& model, const std::string& method, const Words& more) {
  return explained_by(with({"--model", model, "--method", method, "--gpu", "h100-sxm"}, more));
}

/// The same as JSON.
Json explanation(const std::string& model, const std::string& method, const Words& more) {
  return parse_json(explained(model, method, with(more, {"--format", "json"})).out, "explain");
}

Json sum_of(const Json& terms) {
  std::int64_t sum = 0;
  for (const Json& term : terms) sum += term.at("bytes").get<std::int64_t>();
  return sum;
}

TEST(Explain, TakesTheFilesOfARunApart) {
  const std::string text = explained("llama-3.1-8b", "lora-r16", {}).out;
  const std::size_t at = text.find("\nfiles of the run, and host memory:\nAdapter file ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NE(text.find("trainable * weight_bytes\n", at), std::string::npos);
  EXPECT_EQ(text.find("the engine that generates"), std::string::npos);
  const Json answer = explanation("llama-3.1-8b", "lora-r16", {});
  for (const Json& term : answer.at("file_terms")) {
    EXPECT_EQ(term.at("bytes"), answer.at("files").at(term.at("name"))) << term.at("name");
  }
  EXPECT_EQ(answer.at("file_terms").size(), 4U);
}

TEST(Explain, TakesTheEngineOfGrpoApart) {
  const Words grpo = {"--request", R"({"grpo": {"memory_fraction": 0.5}})"};
  const std::string text = explained("llama-3.1-8b", "lora-r16", grpo).out;
  EXPECT_NE(text.find("\nthe engine that generates, on one of its GPUs:\nWeights of the engine "),
            std::string::npos);
  EXPECT_NE(text.find("\nKV cache of one sequence "), std::string::npos);
  EXPECT_EQ(text.find("files of the run"), std::string::npos);
  const Json answer = explanation("llama-3.1-8b", "lora-r16", grpo);
  Json terms = answer.at("generation_terms");
  std::erase_if(terms.get_ref<Json::array_t&>(),
                [](const Json& term) { return term.at("name") == "kv_cache_per_sequence"; });
  EXPECT_EQ(sum_of(terms), answer.at("grpo").at("generation").at("device"));
}

TEST(Explain, TakesTheExamplesOfARunThatGenerates) {
  const Json usual = explanation("llama-3.1-8b", "grpo-lora-r16", {"--examples", "5000"});
  const Json twice =
      explanation("llama-3.1-8b", "grpo-lora-r16", {"--examples", "5000", "--epochs", "2"});
  const double hours = usual.at("hours").at("mid");
  EXPECT_GT(hours, 0);
  EXPECT_GT(twice.at("hours").at("mid").get<double>(), 1.5 * hours);
  const Outcome wider =
      explained("llama-3.1-8b", "grpo-lora-r16",
                {"--examples", "5000", "--request", R"({"grpo": {"group_size": 16}})"});
  EXPECT_NE(wider.err.find("a prompt with each of its 16 completions"), std::string::npos)
      << wider.err;
}

TEST(Explain, SumsItsTermsAndSaysWhereTheNextSmallerCountDies) {
  const Outcome text = explained("size-7b", "full", kWorkload);
  EXPECT_EQ(text.code, 0);
  for (const char* words :
       {"Optimizer states", "1 × H100 would need 105.5 GiB of 79.2 usable",
        "\nGiB on the device          step 1         later\nload ",
        "\n1 GPU h100-sxm would run out in optimizer step of step 1: optimizer states, created in "
        "the first step: more is trained, or more bytes are kept for it, than was thought. Helps: "
        "8-bit or 16-bit states, sharding, or adapters\n"}) {
    EXPECT_NE(text.out.find(words), std::string::npos) << words;
  }
  const Json answer = explanation("size-7b", "full", kWorkload);
  EXPECT_EQ(sum_of(answer.at("terms")), answer.at("memory").at("device"));
  EXPECT_EQ(answer.at("diagnosis").at("smaller").at("gpus"), 1);
  EXPECT_EQ(answer.at("diagnosis").at("phases").size(), 7U);
  EXPECT_TRUE(answer.at("limits").at("micro_batch").is_number());
}

TEST(Explain, SplitsAResidual) {
  const Json answer =
      explanation("llama-3.1-8b", "lora-r16", with(kWorkload, {"--measured-gib", "35"}));
  const std::int64_t residual =
      35LL * 1073741824 - answer.at("memory").at("device").get<std::int64_t>();
  ASSERT_FALSE(answer.at("residual").empty());
  for (const Json& cause : answer.at("residual")) {
    EXPECT_EQ(cause.at("bytes").get<std::int64_t>() + cause.at("left").get<std::int64_t>(),
              residual);
  }
  EXPECT_EQ(answer.at("residual").at(0).at("id"), "fp32-base");
}

TEST(Explain, SaysWhatIsNotCertainAndWhatItIsRunWith) {
  const Words unsure{
      "--model",
      "llama-3.1-8b",
      "--method",
      "lora-r16",
      "--gpu",
      "l40s",
      "--gpus",
      "1",
      "--micro-batch",
      "32",
      "--seq",
      "1024",
      "--objective",
      "memory",
      "--request",
      R"({"kernels": {"recompute": "full"}, "workload": {"packed": false, "grad_accum": 1}})"};
  const Outcome text = explained_by(unsure);
  EXPECT_EQ(text.code, 0) << "the exit code stays";
  EXPECT_NE(
      text.out.find(
          " usable: fits, not certain: up to 45.1 of 44.4 GiB; run two training steps first\n"),
      std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("\nmicro-batch 32, no accumulation, rank 16 on all-linear, full "
                          "recompute, loss fused-linear, optimizer adamw\n"),
            std::string::npos)
      << text.out;
  const Json json = parse_json(explained_by(with(unsure, {"--format", "json"})).out, "explain");
  EXPECT_EQ(json.at("memory").at("certain"), false);
  EXPECT_EQ(json.at("micro_batch"), 32);
  const Outcome sure = explained_by(
      {"--model", "llama-3.1-8b", "--method", "full", "--gpu", "h100-sxm", "--gpus", "8"});
  EXPECT_NE(sure.out.find(" usable: fits\n"), std::string::npos) << sure.out;
}

TEST(Explain, HoldsToBudgetAndDeadline) {
  const Words run = {"--tokens", "50M", "--as-of", "2026-11-20"};
  const auto with_limits = [&](const Words& limits) {
    return explained("llama-3.1-8b", "lora-r16", with(run, limits));
  };
  const Outcome kept = with_limits({"--deadline", "1000h", "--budget", "$10k"});
  EXPECT_EQ(kept.code, 0) << kept.err;
  EXPECT_NE(
      kept.out.find("\nthe upper end is within the deadline of 1,000 h; 1 GPU h100-sxm is the "
                    "fewest expected to meet it\n$"),
      std::string::npos)
      << kept.out;
  EXPECT_NE(kept.out.find("\nthe upper end is within the budget\n"), std::string::npos);
  const Outcome dear = with_limits({"--budget", "0.01"});
  EXPECT_EQ(dear.code, 1);
  EXPECT_NE(dear.out.find("\nthe upper end is over the budget\n"), std::string::npos);
  const Outcome late = with_limits({"--deadline", "0.001"});
  EXPECT_EQ(late.code, 1);
  EXPECT_NE(
      late.out.find("\nthe upper end is past the deadline of 0.001 h; no count is expected to "
                    "meet it\n"),
      std::string::npos);
  const Json json = explanation("llama-3.1-8b", "lora-r16", with(run, {"--budget", "0.01"}));
  EXPECT_EQ(json.at("over_budget"), true);
  EXPECT_TRUE(json.at("usd").at("high").is_number());
  EXPECT_FALSE(json.contains("late"));
}

TEST(Explain, TakesTheConfigOfAModel) {
  const TempDir dir;
  dir.write("config.json", project_catalog().model("phi-4").raw.dump());
  const Words words = {"--method", "lora-r16", "--gpu", "h100-sxm", "--json"};
  const std::string file = (dir.path() / "config.json").string();
  Json of_file = parse_json(explained_by(with({"--config", file}, words)).out, "explain");
  Json of_id = parse_json(explained_by(with({"phi-4"}, words)).out, "explain");
  EXPECT_TRUE(of_file.at("model_id").is_null());
  EXPECT_EQ(of_file.at("memory"), of_id.at("memory"));
}

/// `ask --explain` has the derivation of `explain`, of what it rents and as the sheet asks for it.
TEST(Explain, IsWhatAskAddsToItsAnswer) {
  const Words words = {"ask",      "llama-3.1-8b", "--method",   "lora-r16",  "--gpu",
                       "h100-sxm", "--as-of",      "2026-11-20", "--catalog", kCatalog};
  const Outcome plain = program(words);
  const Outcome asked = program(with(words, {"--explain"}));
  ASSERT_TRUE(asked.out.starts_with(plain.out));
  const Json answer =
      parse_json(program(with(words, {"--explain", "--json"})).out, "ask").at("answers").at(0);
  const Json& explained = answer.at("explanation");
  EXPECT_EQ(sum_of(explained.at("terms")), sum_of(answer.at("terms")));
  EXPECT_EQ(explained.at("usd"), answer.at("rent").at("usd"));
  EXPECT_EQ(explained.at("layout").at("gpus"), answer.at("rent").at("gpus"));
  // `explain` answers the same words with the same.
  Words explain = words;
  explain.front() = "explain";
  const Outcome same = program(explain);
  EXPECT_EQ(same.err, "");
  EXPECT_EQ(asked.out, plain.out + "\n" + same.out);
}

/// The same words mean the same run in `ask`, `fits` and `explain`: its layout, its need of memory
/// and its hours.
TEST(Explain, SaysWhatAskAndFitsSay) {
  for (const Words& words : {Words{"llama-3.1-8b", "full", "4xh100"},
                             {"llama-3.1-8b", "full", "4xh100", "--seq", "4096"},
                             {"llama-3.1-8b", "lora", "1xh100", "--seq", "2k", "--tokens", "20M"},
                             {"qwen3-32b", "qlora", "2x4090", "--stack", "unsloth"},
                             {"phi-4", "lora", "1xa100", "--rank", "64", "--micro-batch", "2"}}) {
    const Words more = with(words, {"--json", "--catalog", kCatalog});
    const Json asked = parse_json(program(with({"ask"}, more)).out, "ask").at("answers").at(0);
    const Json rent = asked.at("rent");
    if (rent.is_null()) continue;
    Words fixed = more;
    const std::size_t cards = 2;
    const std::string card = words[cards].substr(words[cards].find('x') + 1);
    fixed[cards] = std::to_string(rent.at("gpus").get<int>()) + "x" + card;
    const Json fits = parse_json(program(with({"fits"}, fixed)).out, "fits").at("rows").at(0);
    const Json explained = parse_json(program(with({"explain"}, fixed)).out, "explain");
    for (const char* key : {"micro_batch", "grad_accum", "recompute"}) {
      EXPECT_EQ(explained.at(key), asked.at(key)) << join(words, " ") << ' ' << key;
      EXPECT_EQ(fits.at(key), asked.at(key)) << join(words, " ") << ' ' << key;
    }
    EXPECT_EQ(explained.at("interval").at("device_high"), asked.at("device_high_bytes"));
    EXPECT_EQ(fits.at("device_high"), asked.at("device_high_bytes")) << join(words, " ");
    EXPECT_EQ(explained.at("hours").at("mid"), rent.at("hours").at("mid")) << join(words, " ");
    EXPECT_EQ(fits.at("hours"), rent.at("hours").at("mid")) << join(words, " ");
    EXPECT_EQ(explained.at("usd"), rent.at("usd")) << join(words, " ");
  }
}

}  // namespace
}  // namespace sizesheet
