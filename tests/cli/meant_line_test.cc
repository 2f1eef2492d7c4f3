// SPDX-License-Identifier: Apache-2.0
// Lines as somebody writes them who has read nothing: they are answered, or refused with the
// command that says the same.
#include "cli/meant_line.h"

#include <gtest/gtest.h>

#include "cli/program.h"
#include "support/due.h"
#include "support/files.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What follows `mark` in its line of a text; "" where no line begins so.
std::string told(const std::string& text, const std::string& mark) {
  for (const std::string& line : split(text, '\n')) {
    if (line.starts_with(mark)) return line.substr(mark.size());
  }
  return "";
}

TEST(MeantLine, SaysWhatWasMeantInTheWordsOfWhoeverAsked) {
  const std::string file = SIZESHEET_SOURCE_DIR "/tests/cli/meant_lines.json";
  std::size_t number = 0;
  for (const Json& one : parse_json(read_file(file), file)) {
    if (!is_due(number++, 1)) continue;
    const Words line = one.at("line");
    const Outcome outcome = whole_program(line);
    const std::string shown = join(line, " ");
    if (!one.contains("try")) {
      EXPECT_LT(outcome.code, 2) << shown << '\n' << outcome.err;
      continue;
    }
    EXPECT_EQ(outcome.code, 2) << shown;
    EXPECT_EQ(told(outcome.err, "try: "), one.at("try")) << shown;
    EXPECT_EQ(told(outcome.err, "left out: "), one.value("left_out", "")) << shown;
    EXPECT_EQ(told(outcome.err, "note: "), one.value("note", "")) << shown;
  }
}

TEST(MeantLine, IsTheSameWhateverTheOrderOfItsWords) {
  const Words parts[] = {
      {"qwen2.5-7b"}, {"lora"}, {"4xL40S"}, {"1B", "tokens"}, {"within", "2", "days"}};
  const Words expected = {"qwen2.5-7b", "lora", "4xL40S", "--deadline", "2days", "--tokens", "1B"};
  for (const std::size_t first : {0U, 1U, 2U, 3U, 4U}) {
    Words line = {"please"};
    for (std::size_t i = 0; i < std::size(parts); ++i) {
      const Words& part = parts[(first + i) % std::size(parts)];
      line.insert(line.end(), part.begin(), part.end());
    }
    const std::vector<MeantLine> meant = meant_lines(line);
    ASSERT_FALSE(meant.empty()) << join(line, " ");
    EXPECT_EQ(meant.front(), (MeantLine{expected, {}, {}})) << join(line, " ");
  }
}

TEST(MeantLine, LeavesOutWhatItCannotSayAndSaysSo) {
  const auto meant =
      meant_lines({"ask", "phi-4", "lora", "--steps", "1000", "--currency=EUR", "tpu"});
  ASSERT_EQ(meant.size(), 1U);
  EXPECT_EQ(meant.front().words, (Words{"ask", "phi-4", "lora"}));
  EXPECT_EQ(meant.front().left_out, (Words{"--currency EUR", "tpu", "--steps 1000"}));
  EXPECT_EQ(meant.front().notes,
            (Words{"--currency: all money is in dollars",
                   "a step is --global-batch sequences of --seq tokens: say both, or --tokens"}));
}

TEST(MeantLine, IsNoneWhereNothingIsNamed) {
  EXPECT_EQ(meant_lines({"do", "something"}).size(), 0U);
  EXPECT_EQ(meant_lines({"phi-4", "--catalog", "/nowhere"}).size(), 0U);
}

}  // namespace
}  // namespace sizesheet
