// SPDX-License-Identifier: Apache-2.0
// What an error ends with keeps the words of whoever asked, and words of other programs are
// understood or answered with the command that works.

#include "cli/near_lines.h"

#include <gtest/gtest.h>

#include "cli/program.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const Words kNearCatalog = {"--catalog", kCatalog};

TEST(NearLines, KeepEveryWordButTheOneThatIsWrong) {
  struct Case {
    Words words;
    std::string mended;
  };
  for (const Case& c : std::vector<Case>{
           {{"ask", "llama-3.1-9b", "lora", "h100", "--seq", "8k"},
            "ask llama-3.1-8b lora h100 --seq 8k"},
           {{"explain", "llama-3.1-8b", "lorra", "2xh100"}, "explain llama-3.1-8b lora 2xh100"},
           {{"llama-3.1-8b", "lora", "h900", "--seq", "8k"},
            "llama-3.1-8b lora --seq 8k\nleft out: h900"},
           {{"ask", "llama-3.1-8b", "lora", "--seq", "8q"}, "ask llama-3.1-8b lora --seq 8k"},
           {{"ask", "llama-3.1-8b", "lora", "--max-length", "2k"},
            "ask llama-3.1-8b lora --seq 2k"},
           {{"ask", "llama-3.1-8b", "lora", "--reserved", "1y"},
            "ask llama-3.1-8b lora --tier reserved_1y"},
           {{"ask", "llama-3.1-8b", "lora", "--reserved", "3y"},
            "ask llama-3.1-8b lora --tier reserved_3y"},
           {{"ask", "llama-3.1-8b", "lora", "--spot"}, "ask llama-3.1-8b lora --tier spot"},
           {{"ask", "llama-3.1-8b", "lora", "--colour", "red"},
            "ask llama-3.1-8b lora\nleft out: --colour red"},
           {{"ask", "--method", "lora"},
            "ask llama-3.1-8b lora\nnote: llama-3.1-8b is an example: no model was named"}}) {
    const Outcome outcome = whole_program(c.words);
    EXPECT_EQ(outcome.code, 2) << join(c.words, " ");
    const std::string end = "\ntry: sizesheet " + c.mended + "\n";
    EXPECT_TRUE(outcome.err.ends_with(end)) << outcome.err;
    EXPECT_LT(program(split(c.mended.substr(0, c.mended.find('\n')), ' ')).code, 2) << c.mended;
  }
}

TEST(ListWords, NarrowTheListAsOptionsDo) {
  struct Case {
    Words words, same;
  };
  for (const Case& c : std::vector<Case>{
           {{"prices", "h100"}, {"prices", "--gpu", "h100"}},
           {{"prices", "h100", "runpod", "on demand"},
            {"prices", "--gpu", "h100", "--provider", "runpod", "--tier", "on demand"}},
           {{"providers", "mi300x"}, {"providers", "--gpu", "mi300x"}},
           {{"models", "qwen", "32b"}, {"models", "--search", "qwen", "32b"}},
           {{"--list-gpus"}, {"gpus"}},
           {{"gpu", "mi300x"}, {"gpus", "--search", "mi300x"}}}) {
    const Outcome outcome = program(c.words);
    EXPECT_EQ(outcome.code, 0) << join(c.words, " ") << outcome.err;
    EXPECT_EQ(outcome.out, program(c.same).out) << join(c.words, " ");
  }
  EXPECT_EQ(program({"models", "zzz"}),
            (Outcome{2, "", "sizesheet: models: none has \"zzz\" in its name\n"}));
}

TEST(CloudMachines, AreAnsweredWithAllTheirGpusFromTheirSeller) {
  const Outcome outcome =
      program(with({"ask", "llama-3.1-8b", "lora", "p5.48xlarge", "--json"}, kNearCatalog));
  ASSERT_LT(outcome.code, 2) << outcome.err;
  const Json rent = parse_json(outcome.out, "answer").at("answers").at(0).at("rent");
  EXPECT_EQ(rent.at("gpus"), 8);
  EXPECT_EQ(rent.at("provider"), "aws");
  EXPECT_NE(outcome.err.find("the price is of aws alone"), std::string::npos) << outcome.err;
}

TEST(Sellers, WhoHasNoPriceIsNamedWithThoseThatHaveOne) {
  const Outcome outcome =
      program(with({"ask", "phi-4", "lora", "mi300x", "--provider", "lambda"}, kNearCatalog));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(
      outcome.err.find("\nsizesheet: --provider: lambda has no price of mi300x; these have one: "),
      std::string::npos)
      << outcome.err;
}

TEST(Counts, MaySayTheCardsToo) {
  EXPECT_EQ(program(with({"fits", "llama-3.1-8b", "--gpus", "8xH200"}, kNearCatalog)),
            program(with({"fits", "llama-3.1-8b", "--gpu", "8xH200"}, kNearCatalog)));
}

TEST(GlobalBatch, IsTheBatchOfAStep) {
  const Outcome outcome = program(with(
      {"ask", "phi-4", "lora", "1xh100", "--global-batch-size", "64", "--json"}, kNearCatalog));
  ASSERT_LT(outcome.code, 2) << outcome.err;
  const Json rent = parse_json(outcome.out, "answer").at("answers").at(0).at("rent");
  EXPECT_EQ(rent.at("batch"), 64);
}

}  // namespace
}  // namespace sizesheet
