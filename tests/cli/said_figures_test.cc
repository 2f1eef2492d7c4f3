// SPDX-License-Identifier: Apache-2.0
// Options that a question says in the place of a method's and a sheet's own figures: the group and
// lengths of GRPO, steps of accumulation, the life and electricity of an owned machine.
#include <gtest/gtest.h>

#include <cstdint>

#include "cli/program.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const Words kAsJson = {"--catalog", kCatalog, "--json"};
const Words kGrpo = {"llama-3.1-8b", "--method", "grpo-lora-r16", "--gpu", "h100-sxm"};

Json answer_json(const Words& words) { return parse_json(program(words).out, "an answer"); }

/// The only answer of `ask`.
Json only_answer(const Words& words) {
  const Json answer = answer_json(with(with({"ask"}, words), kAsJson));
  return answer.at("answers").at(0);
}

double hours_of(const Json& answer) { return answer.at("rent").at("hours").at("mid"); }

TEST(SaidGeneration, follows_the_group_and_the_lengths) {
  const Words run = with(kGrpo, {"--gpus", "8", "--examples", "5000"});
  const double usual = hours_of(only_answer(run));
  EXPECT_GT(hours_of(only_answer(with(run, {"--group-size", "16"}))), 1.5 * usual);
  EXPECT_GT(hours_of(only_answer(with(run, {"--completion-length", "4096"}))), 2 * usual);
  EXPECT_GT(hours_of(only_answer(with(run, {"--prompt-length", "2048"}))), usual);
}

TEST(SaidGeneration, is_the_same_in_ask_and_explain) {
  const Words said = {"--gpus", "8", "--group-size", "16", "--completion-length", "2048"};
  const Words words = with(with(kGrpo, said), {"--examples", "5000"});
  const Json explained = answer_json(with(with({"explain"}, words), kAsJson));
  const Json& generation = explained.at("grpo").at("generation");
  const std::int64_t sequences = generation.at("sequences_that_fit");
  EXPECT_EQ(generation.at("groups_that_fit"), sequences / 16);
  constexpr std::int64_t kBytesOfToken = 2 * 2 * 32 * 8 * 128;  // keys and values of 32 layers
  EXPECT_EQ(generation.at("kv_cache_per_sequence"), (512 + 2048) * kBytesOfToken);
  const Json tokens = only_answer(words).at("tokens");
  EXPECT_EQ(tokens, 5000 * 16 * (200 + 1200));  // prompts and completions of a group, on average
}

TEST(SaidGeneration, says_how_long_completions_are) {
  const Outcome said =
      program(with(with({"ask"}, kGrpo), {"--completion-length", "2048", "--catalog", kCatalog}));
  EXPECT_NE(
      said.out.find("completions of at most 2,048 tokens; the mean follows the limit: 1,200\n"),
      std::string::npos)
      << said.out;
}

TEST(SaidGeneration, is_refused_where_nothing_is_generated) {
  const Outcome refused =
      program({"ask", "llama-3.1-8b", "lora", "h100", "--group-size", "8", "--catalog", kCatalog});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("sizesheet: --group-size: LoRA r16 generates no completions; say "
                             "--method grpo\n"),
            std::string::npos)
      << refused.err;
}

TEST(SaidGeneration, has_servers_only_where_a_config_has_one) {
  const Outcome refused = program(
      {"ask", "llama-3.1-8b", "grpo", "h100", "--generation-gpus", "8", "--catalog", kCatalog});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("generates on the GPUs that train; expected a --config with a vLLM "
                             "server\n"),
            std::string::npos)
      << refused.err;
}

TEST(SaidGeneration, is_said_once) {
  const Outcome twice =
      program({"explain", "llama-3.1-8b", "grpo", "8xh100", "--group-size", "8", "--request",
               R"({"grpo": {"group_size": 16}})", "--catalog", kCatalog});
  EXPECT_EQ(twice.code, 2);
  EXPECT_NE(twice.err.find(
                "sizesheet: --request: grpo.group_size is said twice, --group-size says it too\n"),
            std::string::npos)
      << twice.err;
}

TEST(GradAccum, fixes_the_steps_of_accumulation) {
  const Words lora = {"llama-3.1-8b", "--method", "lora-r16", "--gpu", "h100-sxm", "--gpus", "1"};
  const Json answer = only_answer(with(lora, {"--micro-batch", "2", "--grad-accum", "8"}));
  EXPECT_EQ(answer.at("micro_batch"), 2);
  EXPECT_EQ(answer.at("grad_accum"), 8);
  const Json alone = only_answer(with(lora, {"--grad-accum", "4"}));
  EXPECT_EQ(alone.at("micro_batch"), 1);
  EXPECT_EQ(alone.at("grad_accum"), 4);
  const Outcome both = program(with(
      with({"ask"}, lora), {"--grad-accum", "4", "--global-batch", "32", "--catalog", kCatalog}));
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(
      both.err.find("sizesheet: --grad-accum: --global-batch says the sequences of a step; say "
                    "one of them\n"),
      std::string::npos)
      << both.err;
}

TEST(OwnRates, move_what_a_machine_costs) {
  const Words cards = {"cost", "--gpu", "h100-sxm", "--gpus", "8", "--hours", "300"};
  const auto own = [&](const Words& more) {
    return answer_json(with(with(cards, more), kAsJson)).at("own_usd_per_month").get<double>();
  };
  EXPECT_LT(own({"--life", "5 years"}), own({"--life", "2"}));
  EXPECT_LT(own({"--electricity", "$0.05/kWh"}), own({"--electricity", "0.40"}));
  EXPECT_EQ(own({"--life", "36 months"}), own({"--life", "3y"}));
  const Outcome twice = program(
      with(cards, {"--life", "4", "--request", R"({"life_years": 3})", "--catalog", kCatalog}));
  EXPECT_EQ(twice.code, 2);
  EXPECT_NE(twice.err.find("sizesheet: --request: life_years is said twice, --life says it too\n"),
            std::string::npos)
      << twice.err;
}

TEST(OwnRates, are_those_of_ask_and_cost) {
  const Words ask = {"llama-3.1-70b", "--method", "lora-r16", "--gpu", "h100-sxm",
                     "--gpus",        "8",        "--hours",  "300"};
  const auto of_run = [&](const Words& more) {
    return only_answer(with(ask, more)).at("pick").at("own").at("usd_per_run").get<double>();
  };
  EXPECT_LT(of_run({"--life", "5"}), of_run({"--life", "2"}));
  EXPECT_LT(of_run({"--electricity", "0.05"}), of_run({"--electricity", "0.40"}));
}

TEST(OwnRates, take_the_price_that_is_paid) {
  const Words run = {"llama-3.1-8b", "--method", "lora-r16", "--gpu", "h100-sxm", "--gpus", "8"};
  const auto usd = [&](const std::string& rate) {
    const Json answer = only_answer(with(run, {"--rent", rate}));
    EXPECT_EQ(answer.at("provider"), "your price");
    return answer.at("rent").at("usd").at("mid").get<double>();
  };
  EXPECT_NEAR(usd("$5/h"), 2 * usd("2.50"), 1e-4);
  const Outcome none =
      program({"ask", "llama-3.1-8b", "lora", "--rent", "2", "--catalog", kCatalog});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("sizesheet: --rent: applies to one GPU type; name it with --gpu\n"),
            std::string::npos)
      << none.err;
}

TEST(Lists, are_narrowed_by_size) {
  const auto ids = [](const Words& words) { return answer_json(with(words, kAsJson)); };
  for (const Json& gpu : ids({"gpus", "--min-memory", "80GB"})) {
    if (gpu.at("usable_bytes").is_null()) continue;
    EXPECT_GT(gpu.at("usable_bytes").get<double>(), 70e9) << gpu;
  }
  const Json small = ids({"models", "--max-size", "3B", "--min-size", "1B"});
  EXPECT_GT(small.size(), 5U);
  for (const Json& model : small) {
    EXPECT_LE(model.at("parameters").get<double>(), 3e9) << model;
    EXPECT_GE(model.at("parameters").get<double>(), 1e9) << model;
  }
  const Outcome other = program({"list", "methods", "--max-size", "3B", "--catalog", kCatalog});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("--max-size: narrows models, not methods"), std::string::npos)
      << other.err;
}

TEST(Lists, know_makers_and_kinds_of_cards) {
  for (const Json& gpu : answer_json(with({"gpus", "nvidia", "consumer"}, kAsJson))) {
    EXPECT_NE(gpu.at("name").get<std::string>().find("GeForce"), std::string::npos) << gpu;
  }
  for (const Json& gpu : answer_json(with({"gpus", "amd"}, kAsJson)))
    EXPECT_EQ(gpu.at("vendor"), "AMD");
}

TEST(Sellers, are_asked_for_the_types_that_they_have) {
  const Json answer = only_answer(
      {"llama-3.1-8b", "--method", "lora-r16", "--provider", "aws", "--region", "eu-west-1"});
  ASSERT_FALSE(answer.at("rent").is_null());
  EXPECT_EQ(answer.at("provider"), "aws");
}

}  // namespace
}  // namespace sizesheet
