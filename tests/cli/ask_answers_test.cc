// SPDX-License-Identifier: Apache-2.0
// What `ask` says where nothing is rented: each reason is a sentence of its own, and advice keeps
// what the run is for.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string_view>

#include "cli/program.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Outcome asked_on_the_day(const Words& words) {
  return program(with(with({"ask"}, words), {"--catalog", kCatalog, "--as-of", "2026-11-20"}));
}

/// Its lines, without the hard blanks of set-ups.
std::vector<std::string> answer_lines(std::string text) {
  const std::string blank = "\u00a0";
  for (std::size_t at = text.find(blank); at != text.npos; at = text.find(blank)) {
    text.replace(at, blank.size(), " ");
  }
  return split(text, '\n');
}

/// Whether `line` says what is expected, where # is any figure.
bool says(const std::string& line, const std::string& expected) {
  std::string pattern;
  for (const char letter : expected) {
    if (letter == '#') {
      pattern += "[0-9.,]+";
    } else {
      if (std::string_view("()[]{}.*+?^$|\\").find(letter) != std::string_view::npos)
        pattern += '\\';
      pattern += letter;
    }
  }
  return std::regex_match(line, std::regex(pattern));
}

TEST(AskAnswers, say_each_reason_in_a_sentence_of_its_own) {
  const Json cases = oracle("ask_answers.json");
  for (const Json& one : cases.at("answers")) {
    const Words words = one.at("words");
    const Outcome outcome = asked_on_the_day(words);
    EXPECT_EQ(outcome.code, one.at("code")) << join(words, " ");
    const std::vector<std::string> lines = answer_lines(outcome.out);
    for (const Json& line_said : one.at("says")) {
      const std::string expected = line_said;
      EXPECT_TRUE(
          std::ranges::any_of(lines, [&](const auto& line) { return says(line, expected); }))
          << expected << "\n"
          << outcome.out;
    }
    const bool no_price = outcome.out.find("no rental price") != std::string::npos;
    EXPECT_TRUE(no_price || !one.value("no_price", false)) << outcome.out;
    EXPECT_EQ(outcome.out.find("within 0 h"), std::string::npos) << outcome.out;
  }
}

TEST(AskAnswers, advise_nothing_twice_and_nothing_of_another_objective) {
  const Json cases = oracle("ask_answers.json");
  for (const Json& one : cases.at("answers")) {
    const Words words = with(one.at("words"), {"--json"});
    const Json answer = parse_json(asked_on_the_day(words).out, "answer");
    for (const char* list : {"changes_that_fit", "changes_in_time", "changes_in_budget"}) {
      std::vector<std::string> changes = answer.at(list);
      std::ranges::sort(changes);
      EXPECT_EQ(std::ranges::adjacent_find(changes), changes.end()) << answer.at(list);
      for (const std::string& change : changes) {
        const bool other_method = change.find("LoRA") != change.npos;
        const std::string still = one.value("still", "");
        const bool kept = change.find("(still " + still + ")") != change.npos;
        EXPECT_EQ(kept, other_method && !still.empty()) << change;
      }
    }
  }
}

TEST(AskAnswers, are_none_where_nothing_can_be_sized) {
  const Json cases = oracle("ask_answers.json");
  for (const Json& one : cases.at("refused")) {
    const std::string error = one.at("error");
    EXPECT_EQ(asked_on_the_day(one.at("words")), (Outcome{2, "", error}));
  }
}

TEST(AskAnswers, tell_programs_of_a_set_up_without_a_price) {
  const Json answer =
      parse_json(asked_on_the_day({"qwen2.5-3b", "--method", "full", "--gpu", "3090", "--gpus", "4",
                                   "--seq", "512", "--stack", "deepspeed", "--json"})
                     .out,
                 "answer")
          .at("answers")
          .at(0);
  EXPECT_EQ(answer.at("fits"), true);
  EXPECT_EQ(answer.at("rent"), nullptr);
  EXPECT_EQ(answer.at("unpriced").at("gpu"), "rtx-3090");
  EXPECT_LE(answer.at("unpriced").at("gpus"), 4);
  EXPECT_LE(answer.at("unpriced").at("device"), answer.at("unpriced").at("capacity"));
  EXPECT_GT(answer.at("unpriced").at("hours").at("mid"), 0);
  EXPECT_FALSE(answer.at("terms").empty());
}

/// What a method gives way in for a request, and what it says of it.
TEST(OwnDefaults, give_way_to_a_request_and_say_so) {
  const Json cases = oracle("ask_answers.json");
  for (const Json& one : cases.at("defaults")) {
    const Outcome outcome =
        program({"estimate", "--catalog", kCatalog}, one.at("request").dump() + "\n");
    const Json answer = parse_json(outcome.out, "answer");
    EXPECT_EQ(answer.at("ok"), true) << answer;
    const std::vector<std::string> warnings = answer.value("warnings", std::vector<std::string>{});
    for (const Json& said : one.at("warnings")) {
      const std::string warning = said;
      EXPECT_TRUE(contains(warnings, warning)) << answer.at("warnings");
    }
  }
}

}  // namespace
}  // namespace sizesheet
