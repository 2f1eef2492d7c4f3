// SPDX-License-Identifier: Apache-2.0
// `compare`: a table to read, whose figures are those of `sweep` and `ask`.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Outcome compare(const Words& words) {
  return program(with(with({"compare"}, words), {"--catalog", kCatalog, "--as-of", "2026-11-20"}));
}

std::vector<std::string> rows_of(std::string text) {
  if (!text.empty()) text.pop_back();
  return split(text, '\n');
}

TEST(CompareCommand, says_once_what_all_rows_share) {
  const Words words = {"llama-3.1-8b", "lora", "on", "4090", "vs", "l40s,", "2xl40s"};
  const std::vector<std::string> lines = rows_of(compare(words).out);
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_EQ(lines[0], "llama-3.1-8b, lora-r16, 4096-token sequences, 50M tokens per run");
  EXPECT_EQ(lines[2], "GPUs        GiB per GPU  hours  $ per run  seller");
  EXPECT_TRUE(lines[3].starts_with("1 x 4090  ")) << lines[3];
  EXPECT_EQ(lines[7], "Rented on demand, prices of 2026-11-20.");
  const std::vector<std::string> methods =
      rows_of(compare({"llama-3.1-8b", "lora", "full", "h100", "--seq", "2k,4k"}).out);
  EXPECT_EQ(methods[0], "llama-3.1-8b");
  EXPECT_TRUE(methods[2].starts_with("method    sequence  tokens per run  GPUs")) << methods[2];
  EXPECT_EQ(methods.size(), 9U);
  EXPECT_TRUE(methods.back().ends_with("--tokens 50M compares equal ones.")) << methods.back();
}

TEST(CompareCommand, has_the_rows_of_a_sweep) {
  const Words axes = {"--models",   "phi-4,qwen2.5-7b", "--methods",
                      "lora,qlora", "--gpus",           "h100,l40s",
                      "--seq",      "2048,16384",       "--json"};
  std::vector<std::string> rows = rows_of(compare(axes).out);
  std::vector<std::string> swept = rows_of(
      program(with(with({"sweep"}, axes), {"--catalog", kCatalog, "--as-of", "2026-11-20"})).out);
  EXPECT_EQ(rows.size(), 16U);
  std::ranges::sort(rows);
  std::ranges::sort(swept);
  EXPECT_EQ(rows, swept);
}

TEST(CompareCommand, has_a_row_for_each_stack) {
  const std::vector<std::string> lines = rows_of(
      compare({"llama-3.1-8b", "lora", "h100", "--stack", "unsloth,trl", "--gpus", "1"}).out);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "llama-3.1-8b, lora-r16, 4096-token sequences, 50M tokens per run");
  EXPECT_TRUE(lines[2].starts_with("stack    GPUs")) << lines[2];
  EXPECT_TRUE(lines[3].starts_with("unsloth  1 x H100")) << lines[3];
  EXPECT_TRUE(lines[4].starts_with("hf-trl   1 x H100")) << lines[4];
  const Outcome unknown = compare({"llama-3.1-8b", "lora", "h100", "--stack", "trl,unslot"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(unknown.err.find("no stack \"unslot\"") != std::string::npos) << unknown.err;
}

TEST(CompareCommand, agrees_with_ask) {
  for (const std::string card : {"h100", "l40s", "b200", "a100"}) {
    for (const std::string method : {"lora", "qlora", "full"}) {
      const Words words = {"qwen2.5-14b", method, card, "--tokens", "20M"};
      const Json row = parse_json(compare(with(words, {"--json"})).out, "row");
      const Outcome asked = program(
          with(with({"ask"}, words), {"--json", "--catalog", kCatalog, "--as-of", "2026-11-20"}));
      const Json rent = parse_json(asked.out, "answer").at("answers").at(0).at("rent");
      EXPECT_EQ(row.at("gpus"), rent.at("gpus")) << card << ' ' << method;
      EXPECT_EQ(row.at("hours_mid"), rent.at("hours").at("mid")) << card << ' ' << method;
    }
  }
}

TEST(CompareCommand, counts_pairs_as_ask_does) {
  for (const std::string method : {"dpo-lora-r16", "lora-r16", "dpo-full"}) {
    const Words words = {"llama-3.1-8b", method, "8xh200", "--examples", "20k"};
    const Json asked =
        parse_json(program(with(with({"ask"}, words),
                                {"--json", "--catalog", kCatalog, "--as-of", "2026-11-20"}))
                       .out,
                   "answer");
    const double hours = asked.at("answers").at(0).at("rent").at("hours").at("mid");
    const std::int64_t gpus = asked.at("answers").at(0).at("rent").at("gpus");
    const Words same = {"llama-3.1-8b", method, std::to_string(gpus) + "xh200",
                        "--examples",   "20k",  "--json"};
    EXPECT_NEAR(parse_json(compare(same).out, "row").at("hours_mid").get<double>(), hours,
                1e-9 * hours)
        << method;
  }
  const Outcome both = compare({"llama-3.1-8b", "lora,dpo-lora-r16", "h200", "--examples", "20k"});
  EXPECT_NE(both.err.find(": 81,920,000 tokens"), std::string::npos) << both.out << both.err;
  EXPECT_NE((both.out + both.err).find("20,000 pairs of 2 × 4,096 tokens"), std::string::npos);
  EXPECT_NE((both.out + both.err).find("20,000 examples of 4,096 tokens"), std::string::npos);
}

TEST(CompareCommand, keeps_names_apart_that_stand_between_commas) {
  const std::string text = compare({"llama-3.1-8b", "lora,dpo-lora-r16", "h200"}).out;
  EXPECT_NE(text.find("\nlora-r16 "), std::string::npos) << text;
  EXPECT_NE(text.find("\ndpo-lora-r16 "), std::string::npos) << text;
}

TEST(CompareCommand, puts_the_lowest_cost_first_in_each_group) {
  const Outcome all = compare({"llama-3.1-8b", "lora,qlora", "--gpu", "all", "--json"});
  std::string method;
  double before = 0;
  bool unpriced = false;
  for (const std::string& line : rows_of(all.out)) {
    const Json row = parse_json(line, "row");
    if (row.at("method_id") != method) {
      method = row.at("method_id");
      before = 0;
      unpriced = false;
    }
    const Json& usd = row.at("list_usd_per_run");
    if (usd.is_null()) {
      unpriced = true;
      continue;
    }
    EXPECT_FALSE(unpriced) << line;
    EXPECT_LE(before, usd.get<double>()) << line;
    before = usd.get<double>();
  }
}

TEST(CompareCommand, takes_exactly_as_many_as_are_said) {
  const Json row = parse_json(compare({"llama-3.1-8b", "lora", "4xh100", "--json"}).out, "row");
  EXPECT_EQ(row.at("gpus"), 4);
  const Outcome none = compare({"llama-3.1-70b", "full", "8xh100"});
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.out,
            "llama-3.1-70b, full, 4096-token sequences, 500M tokens per run\n\n"
            "GPUs  GiB per GPU  hours  $ per run  seller\n"
            "H100            –      –          –  does not fit on 8 GPUs\n");
}

TEST(CompareCommand, marks_rows_that_may_miss_the_deadline) {
  const Outcome late = program({"compare", "llama-3.3-70b", "lora-r16", "a6000", "h100",
                                "--deadline", "3h", "--catalog", kCatalog});
  EXPECT_NE(late.out.find(" h, over 3 h\n"), std::string::npos) << late.out;
  EXPECT_NE(late.out.find("Within 3 h. "), std::string::npos) << late.out;
  EXPECT_LT(late.out.find(" x H100"), late.out.find(" x A6000"));
  const Outcome all = program(
      {"compare", "llama-3.3-70b", "lora-r16", "a6000", "--deadline", "1h", "--catalog", kCatalog});
  EXPECT_EQ(all.code, 1) << all.out;
}

TEST(CompareCommand, says_that_a_count_is_the_most) {
  const Words run = {"compare", "llama-3.1-8b", "lora-r16", "--gpu", "h100", "--catalog", kCatalog};
  const Outcome most = program(with(run, {"--gpus", "8"}));
  EXPECT_NE(most.out.find("--gpus 8 means at most 8; 8xh100-sxm means exactly 8."),
            std::string::npos)
      << most.out;
  EXPECT_EQ(program(run).out.find("means at most"), std::string::npos);
}

TEST(CompareCommand, says_tight_where_ask_does) {
  const Outcome tight =
      program({"compare", "mistral-7b-v0.3", "grpo-full", "4xa100", "--catalog", kCatalog});
  EXPECT_NE(tight.out.find("  tight: fits, but without the headroom\n"), std::string::npos)
      << tight.out;
  EXPECT_NE(tight.out.find("4 x A100"), std::string::npos) << tight.out;
  const Outcome asked =
      program({"ask", "mistral-7b-v0.3", "grpo-full", "4xa100", "--catalog", kCatalog});
  EXPECT_NE(asked.out.find("fits, but tight: 4"), std::string::npos) << asked.out;
}

TEST(CompareCommand, refuses_what_is_no_comparison) {
  EXPECT_EQ(compare({"lora", "h100"}).err,
            "sizesheet: compare: expected a model such as llama-3.1-8b\n");
  const Outcome many = compare({"--models", "all", "--methods", "all", "--gpus", "all"});
  EXPECT_EQ(many.code, 2);
  EXPECT_NE(many.err.find("compare: shows up to 1000 rows, not "), std::string::npos) << many.err;
  const Outcome budget = compare({"llama-3.1-8b", "lora", "h100", "$50"});
  EXPECT_NE(budget.err.find("compare: takes no budget; ask does: --budget\n"), std::string::npos);
  const Outcome file = compare({"train.yaml", "h100"});
  EXPECT_NE(file.err.find("compare: reads no file such as \"train.yaml\"; ask and explain do\n"),
            std::string::npos)
      << file.err;
}

TEST(CompareCommand, has_a_row_for_each_seller_that_is_named) {
  const Words words = {"llama-3.1-8b", "lora", "h100", "runpod", "vs", "aws,nebius"};
  const Outcome said = compare(with(words, {"--json"}));
  const Outcome listed =
      compare({"llama-3.1-8b", "lora", "h100", "--provider", "runpod,aws,nebius", "--json"});
  EXPECT_EQ(said.out, listed.out);
  std::vector<std::string> sellers;
  for (const std::string& line : rows_of(said.out)) {
    sellers.push_back(parse_json(line, "row").at("provider"));
  }
  std::ranges::sort(sellers);
  EXPECT_EQ(sellers, (std::vector<std::string>{"aws", "nebius", "runpod"}));
}

TEST(CompareCommand, says_which_seller_has_no_price) {
  const Outcome outcome = compare({"llama-3.1-8b", "lora", "b200", "runpod", "lambda"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("lambda has no price that applies to these runs"), std::string::npos)
      << outcome.err;
  const Outcome nobody = compare({"llama-3.1-8b", "lora", "mi300x", "runpod", "lambda"});
  EXPECT_EQ(nobody.code, 2);
  EXPECT_NE(nobody.err.find("--provider: none of runpod,lambda has a price of these GPUs"),
            std::string::npos)
      << nobody.err;
}

}  // namespace
}  // namespace sizesheet
