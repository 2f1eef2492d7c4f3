// SPDX-License-Identifier: Apache-2.0
// The estimate command: what a line may look for, and which parts of its answer it may ask for.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program.h"
#include "support/json.h"

namespace sizesheet {
namespace {

using Names = std::vector<std::string>;

Json asked(const Json& more) {
  Json request = {{"model", "llama-3.1-8b"},
                  {"method", "lora-r16"},
                  {"gpu", "h100-sxm"},
                  {"stack", "hf-trl"},
                  {"workload", {{"tokens", 50000000}}}};
  if (!more.empty()) request.update(more);
  return request;
}

Json answer(const Json& request, int code = 0) {
  const Outcome outcome =
      program({"estimate", "--catalog", kCatalog, "--as-of", "2026-11-20"}, request.dump() + "\n");
  EXPECT_EQ(outcome.code, code) << outcome.out;
  return parse_json(outcome.out, "estimate");
}

Json answer_in(const Names& parts, const char* objective = "memory") {
  return answer(asked({{"answer", parts}, {"objective", objective}}));
}

Names keys(const Json& answer) {
  Names names;
  for (const auto& [key, value] : answer.items()) names.push_back(key);
  return names;
}

std::string refusal(const Json& request) { return answer(request, 1).at("error"); }

TEST(Estimate, SaysMemoryAndWordsWhereNothingIsNamed) {
  const Json plain = answer(asked({}));
  EXPECT_EQ(keys(plain),
            (Names{"binding", "defaults", "files", "fingerprint", "hours", "id", "interval",
                   "layout", "memory", "minimum", "ok", "parameters", "throughput", "warnings"}));
  EXPECT_EQ(plain, answer_in({"memory", "words"}));
  EXPECT_EQ(answer(asked({{"objective", "money"}})),
            answer_in({"memory", "words", "money"}, "money"));
}

TEST(Estimate, SaysThePartsThatAreNamed) {
  const Json plain = answer(asked({}));
  const Names always = {"hours", "id", "layout", "minimum", "ok", "throughput"};
  const std::vector<std::pair<std::string, Names>> keys_of_parts = {
      {"memory", {"files", "fingerprint", "interval", "memory", "parameters"}},
      {"words", {"binding", "defaults", "warnings"}},
      {"money", {"offer", "usd"}},
      {"frontier", {"frontier"}},
      {"own", {"own"}},
      {"terms", {"file_terms", "terms", "time_terms"}}};
  for (const auto& [part, own] : keys_of_parts) {
    const Json found = answer_in({part});
    Names expected = always;
    expected.insert(expected.end(), own.begin(), own.end());
    std::ranges::sort(expected);
    EXPECT_EQ(keys(found), expected) << part;
    for (const auto& [key, value] : found.items()) {
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

TEST(Estimate, RefusesFewerGpusThanTheCardIsCountedIn) {
  EXPECT_EQ(refusal(asked({{"gpu", "gb200"}, {"max_gpus", 1}})),
            "max_gpus: expected at least 4, the fewest gb200 that are counted, got 1");
}

TEST(Estimate, RefusesPartsThatItCannotSay) {
  EXPECT_EQ(refusal(asked({{"answer", {"memory", "monye"}}})),
            "answer: expected some of memory, money, frontier, own, terms, words, got \"monye\" "
            "(did you mean \"money\"?)");
  EXPECT_EQ(refusal(asked({{"answer", Json::array()}})),
            "answer: expected some of memory, money, frontier, own, terms, words, got []");
  EXPECT_EQ(refusal(asked({{"answer", "memory"}})),
            "answer: expected a list of texts, got \"memory\"");
  Json request = asked({{"answer", {"frontier"}}});
  request.erase("workload");
  EXPECT_EQ(refusal(request),
            "answer: \"frontier\" needs workload.tokens, or examples and mean_length");
  request = asked({{"answer", {"money"}}, {"layout", {{"gpus", 1}, {"tp", 1}}}});
  request.erase("gpu");
  EXPECT_EQ(refusal(request), "answer: \"money\" needs a gpu: dollars depend on the card");
}

TEST(Estimate, RefusesWhatItCannotLookFor) {
  EXPECT_EQ(
      refusal(asked({{"objective", "monye"}})),
      "objective: expected one of memory, time, money; got \"monye\" (did you mean \"money\"?)");
  EXPECT_EQ(refusal(asked({{"vary", {"recomput"}}})),
            "vary: expected \"recompute\", got \"recomput\" (did you mean \"recompute\"?)");
  EXPECT_EQ(refusal(asked({{"vary", {"recompute"}}, {"kernels", {{"recompute", "full"}}}})),
            "vary: \"recompute\" is fixed by kernels.recompute");
  Json request = asked({{"objective", "money"}});
  request.erase("workload");
  EXPECT_EQ(refusal(request),
            "objective: \"money\" needs workload.tokens, or examples and mean_length");
}

TEST(Estimate, ExplainHasEveryPart) {
  const Outcome outcome =
      program({"explain", "--catalog", kCatalog, "--model", "llama-3.1-8b", "--method", "lora-r16",
               "--gpu", "h100-sxm", "--request", R"({"answer":["memory"]})"});
  EXPECT_EQ(
      outcome,
      (Outcome{2, "", "sizesheet: --request: answer: an explanation always has every part\n"}));
}

}  // namespace
}  // namespace sizesheet
