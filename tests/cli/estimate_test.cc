// SPDX-License-Identifier: Apache-2.0
// The estimate command: what a line may look for, and which parts of its answer it may ask for.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

/// As tests/oracles/command_refusals.json has it, beside how changes of it are refused.
Json asked(const Json& more) {
  Json request = oracle("command_refusals.json").at("request");
  request.merge_patch(more);
  return request;
}

Json answer(const Json& request) {
  const Outcome outcome =
      program({"estimate", "--catalog", kCatalog, "--as-of", "2026-11-20"}, request.dump() + "\n");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  return parse_json(outcome.out, "estimate");
}

Json answer_in(const Words& parts, const char* objective = "memory") {
  return answer(asked({{"answer", parts}, {"objective", objective}}));
}

Words keys(const Json& answer) {
  Words names;
  for (const auto& [key, value] : answer.items()) names.push_back(key);
  return names;
}

/// What every answer says: what was taken, how it runs, and how long.
const Words kAlways = {"gpu_id",    "grad_accum", "hours",       "id",      "layout",    "loss",
                       "method",    "method_id",  "micro_batch", "minimum", "model_id",  "ok",
                       "optimizer", "provider",   "recompute",   "stack",   "throughput"};

TEST(Estimate, SaysMemoryAndWordsWhereNothingIsNamed) {
  const Json plain = answer(asked(Json::object()));
  Words expected = kAlways;
  for (const char* of_memory : {"files", "fingerprint", "interval", "memory", "parameters"}) {
    expected.emplace_back(of_memory);
  }
  for (const char* of_words : {"binding", "defaults", "warnings"}) expected.emplace_back(of_words);
  std::ranges::sort(expected);
  EXPECT_EQ(keys(plain), expected);
  EXPECT_EQ(plain, answer_in({"memory", "words"}));
  EXPECT_EQ(answer(asked({{"objective", "money"}})),
            answer_in({"memory", "words", "money"}, "money"));
}

/// Of so few tokens that the hours of a run round to none: they are the least there is, so that
/// nothing is divided by 0.
TEST(Estimate, ARunTakesSomeTime) {
  for (const std::int64_t tokens : {1, 20, 1000, 20'000}) {
    const Json found = answer(asked({{"answer", {"own", "money", "frontier"}},
                                     {"objective", "money"},
                                     {"workload", {{"tokens", tokens}}}}));
    EXPECT_GE(found.at("hours").at("low"), 0.0001) << tokens;
    EXPECT_GE(found.at("own").at("planned_runs_per_month"), 1) << tokens;
    EXPECT_GT(found.at("usd").at("mid"), 0) << tokens;
  }
}

TEST(Estimate, SaysThePartsThatAreNamed) {
  const Json plain = answer(asked(Json::object()));
  const std::vector<std::pair<std::string, Words>> keys_of_parts = {
      {"memory", {"files", "fingerprint", "interval", "memory", "parameters"}},
      {"words", {"binding", "defaults", "warnings"}},
      {"money", {"offer", "usd", "usd_per_million_tokens"}},
      {"frontier", {"frontier"}},
      {"own", {"own"}},
      {"terms", {"file_terms", "terms", "time_terms"}}};
  for (const auto& [part, own] : keys_of_parts) {
    const Json found = answer_in({part});
    Words expected = kAlways;
    expected.insert(expected.end(), own.begin(), own.end());
    std::ranges::sort(expected);
    EXPECT_EQ(keys(found), expected) << part;
    for (const auto& [key, value] : found.items()) {
      // Without money there is no offer, so that no provider is named.
      if (key == "provider" && part == "money") continue;
      EXPECT_EQ(value, plain.value(key, value)) << part << ": " << key;
    }
  }
}

TEST(Estimate, ItsFrontierHoldsWhatIsPickedAndNothingBeaten) {
  const Json found = answer_in({"money", "frontier"}, "money");
  const Json& frontier = found.at("frontier");
  ASSERT_GT(frontier.size(), 1U);
  std::size_t picked = 0;
  const auto no_worse = [](const Json& a, const Json& b) {
    return a.at("hours").at("mid") <= b.at("hours").at("mid") &&
           a.at("hours").at("high") <= b.at("hours").at("high") &&
           a.at("usd").at("mid") <= b.at("usd").at("mid") &&
           a.at("usd").at("high") <= b.at("usd").at("high");
  };
  for (const Json& one : frontier) {
    picked += one.at("usd") == found.at("usd") &&
              one.at("layout").at("gpus") == found.at("layout").at("gpus");
    const auto beats = [&](const Json& other) { return other != one && no_worse(other, one); };
    EXPECT_TRUE(std::ranges::none_of(frontier, beats)) << one;
  }
  EXPECT_EQ(picked, 1U);
}

TEST(Estimate, ItsTermsAddUpToTheDevice) {
  const Json found = answer_in({"memory", "terms"});
  std::int64_t sum = 0;
  for (const Json& term : found.at("terms")) sum += term.at("bytes").get<std::int64_t>();
  EXPECT_EQ(sum, found.at("memory").at("device"));
}

TEST(Estimate, ItsMachinesAreComparedWithTheRunThatIsRented) {
  const Json found = answer_in({"money", "own"}, "money");
  const Json& own = found.at("own");
  EXPECT_EQ(own.at("rent_usd_per_run"), found.at("usd").at("mid"));
  EXPECT_EQ(own.at("gpu"), "h100-sxm");
  EXPECT_GT(own.at("capex_usd"), 0);
  Json hurried = asked({{"answer", {"own"}}, {"deadline_hours", 0.001}});
  EXPECT_TRUE(answer(hurried).at("own").is_null());
}

}  // namespace
}  // namespace sizesheet
