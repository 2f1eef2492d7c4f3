// SPDX-License-Identifier: Apache-2.0
#include "cli/json_lines.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/non_numbers.h"
#include "cli/program.h"
#include "support/error.h"

namespace sizesheet {
namespace {

/// Doubles `n`; refuses odd numbers.
Json doubled(const Json& request, std::int64_t line_number) {
  const std::int64_t n = request.at("n");
  if (n % 2 != 0) throw InputError("n: odd on line " + std::to_string(line_number));
  return {{"n", 2 * n}};
}

Outcome answers(const std::string& lines, int jobs = 1) {
  std::istringstream in(lines);
  std::ostringstream out;
  const int code = for_each_json_line(in, out, jobs, doubled);
  return {code, out.str(), ""};
}

TEST(JsonLines, AnswersInOrderAndEchoesTheId) {
  const Outcome outcome = answers("{\"id\":\"a\",\"n\":2}\n\n  \t\r\n{\"id\":\"b\",\"n\":4}\r\n");
  EXPECT_EQ(outcome.out,
            "{\"id\":\"a\",\"n\":4,\"ok\":true}\n{\"id\":\"b\",\"n\":8,\"ok\":true}\n");
  EXPECT_EQ(outcome.code, 0);
}

TEST(JsonLines, ALastLineNeedsNoNewline) {
  EXPECT_EQ(answers("{\"id\":\"a\",\"n\":2}").out, "{\"id\":\"a\",\"n\":4,\"ok\":true}\n");
  EXPECT_EQ(answers("").out, "");
  EXPECT_EQ(answers("").code, 0);
}

TEST(JsonLines, ARefusalCountsEveryLineAndGoesOn) {
  const Outcome outcome = answers("\n{\"id\":\"a\",\"n\":3}\n{\"id\":\"b\",\"n\":4}\n");
  EXPECT_EQ(outcome.out,
            "{\"error\":\"n: odd on line 2\",\"id\":\"a\",\"ok\":false}\n"
            "{\"id\":\"b\",\"n\":8,\"ok\":true}\n");
  EXPECT_EQ(outcome.code, 1);
}

TEST(JsonLines, ALineLongerThanAnyRequestIsRefusedAndTheNextAnswered) {
  const std::string blanks(std::size_t{2} << 20U, ' ');
  EXPECT_EQ(answers("{\"n\":2" + blanks + "}\n{\"n\":4}\n").out,
            "{\"error\":\"line 1: expected at most 1048576 bytes\",\"id\":null,\"ok\":false}\n"
            "{\"id\":null,\"n\":8,\"ok\":true}\n");
}

TEST(JsonLines, NamesTheLineThatIsNoObject) {
  EXPECT_EQ(answers("\n\n[1,2]\n").out,
            "{\"error\":\"line 3: expected an object, got [1,2]\",\"id\":null,\"ok\":false}\n");
  EXPECT_EQ(answers("null").out,
            "{\"error\":\"line 1: expected an object, got null\",\"id\":null,\"ok\":false}\n");
}

TEST(JsonLines, PlacesWhatIsNoJson) {
  const std::string text = answers("{\"id\":\"a\",}").out;
  EXPECT_EQ(text.find("{\"error\":\"line 1: column 11: "), 0U) << text;
  EXPECT_NE(text.find("\"id\":null,\"ok\":false}\n"), std::string::npos) << text;
}

TEST(JsonLines, ARepeatedKeyIsRefusedUnderItsId) {
  EXPECT_EQ(answers("{\"id\":\"a\",\"n\":2,\"n\":4}").out,
            "{\"error\":\"line 1: column 19: duplicate key \\\"n\\\"\",\"id\":\"a\","
            "\"ok\":false}\n");
}

TEST(JsonLines, NanIsRefusedAtItsKey) {
  EXPECT_EQ(answers("{\"id\":\"a\",\"n\":NaN}").out,
            "{\"error\":\"n: expected a number, got NaN\",\"id\":\"a\",\"ok\":false}\n");
  EXPECT_EQ(answers("{\"id\":\"NaN\",\"n\":-Infinity}").out,
            "{\"error\":\"n: expected a number, got -Infinity\",\"id\":\"NaN\",\"ok\":false}\n");
}

TEST(JsonLines, AnIdThatIsNoTextIsNotEchoed) {
  EXPECT_EQ(answers("{\"id\":7,\"n\":2}").out, "{\"id\":null,\"n\":4,\"ok\":true}\n");
}

TEST(JsonLines, TheNumberOfJobsChangesNothing) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) {
    lines += "{\"id\":\"" + std::to_string(i) + "\",\"n\":" + std::to_string(i) + "}\n";
    if (i % 7 == 0) lines += "\n";
    if (i % 31 == 0) lines += "oops\n";
  }
  const Outcome alone = answers(lines, 1);
  const Outcome together = answers(lines, 4);
  EXPECT_EQ(together.out, alone.out);
  EXPECT_EQ(together.code, alone.code);
}

TEST(JsonLines, AnOutputThatFailsIsToldAtOnce) {
  std::istringstream in("{\"id\":\"a\",\"n\":2}\n");
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  try {
    for_each_json_line(in, out, 1, doubled);
    FAIL() << "not told";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "the answers cannot be written to the output");
  }
}

TEST(NonNumbers, FindsThemOutsideStringsOnly) {
  EXPECT_FALSE(find_non_number("{\"a\":\"NaN \\\" NaN\"}"));
  EXPECT_FALSE(find_non_number(""));
  EXPECT_FALSE(find_non_number("\"open \\"));
  const auto found = find_non_number("{\"a\":1,\"b\": [Infinity, NaN]}");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->key, "b");
  EXPECT_EQ(found->token, "Infinity");
  EXPECT_EQ(found->mended, "{\"a\":1,\"b\": [null, null]}");
}

}  // namespace
}  // namespace sizesheet
