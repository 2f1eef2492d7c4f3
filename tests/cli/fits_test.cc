// SPDX-License-Identifier: Apache-2.0
// `fits` as a command: exit codes, both forms, refusals.
#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/program.h"
#include "support/json.h"

namespace sizesheet {
namespace {

Outcome fits(std::vector<std::string> arguments, const std::string& as_of = "2026-11-20") {
  arguments.insert(arguments.begin(), {"fits", "--catalog", kCatalog, "--as-of", as_of});
  return program(arguments);
}

TEST(FitsCommand, TextAndJsonAgree) {
  const Outcome text = fits({"--gpu", "rtx-4090", "--gpus", "1"});
  EXPECT_EQ(text.code, 0);
  EXPECT_TRUE(text.out.starts_with(
      "1 × rtx-4090, 23.6 GiB usable on each; stack hf-trl, sequence 4,096, 50,000,000 tokens a "
      "run\n$"));
  EXPECT_NE(text.out.find("\nQLoRA r16 (qlora-r16)\n"), std::string::npos);
  const Outcome json = fits({"--gpu", "rtx-4090", "--gpus", "1", "--format", "json"});
  EXPECT_EQ(json.code, 0);
  const Json answer = parse_json(json.out, "fits");
  EXPECT_EQ(answer.at("as_of"), "2026-11-20");
  EXPECT_TRUE(answer.at("budget_usd").is_null());
  std::size_t lines = 0;
  for (const Json& row : answer.at("rows")) {
    if (text.out.find("  " + row.at("model").get<std::string>() + " ") != std::string::npos)
      ++lines;
  }
  EXPECT_EQ(lines, answer.at("rows").size());
}

TEST(FitsCommand, ListsFewerGpusWhereThatIsCheaper) {
  const Outcome text = fits({"--gpu", "h100-sxm", "--gpus", "8"});
  EXPECT_NE(text.out.find("\n    1 GPU in "), std::string::npos);
  EXPECT_NE(text.out.find("; 8 in "), std::string::npos);
  EXPECT_NE(text.out.find("\nbelow a line: GPUs, of these and fewer, of which none is slower and "
                          "dearer\n"),
            std::string::npos);
  EXPECT_EQ(fits({"--gpu", "h100-sxm", "--gpus", "1"}).out.find("below a line"), std::string::npos);
}

TEST(FitsCommand, OneWhenNothingIsLeft) {
  EXPECT_EQ(fits({"--gpu", "h100-sxm", "--gpus", "1", "--budget-usd", "0.000001"}).code, 1);
  EXPECT_EQ(fits({"--gpu", "h100-sxm", "--gpus", "1", "--deadline-hours", "0.00001"}).code, 1);
  EXPECT_EQ(fits({"--gpu", "t4", "--gpus", "1", "--seq", "4000000"}).code, 1);
}

TEST(FitsCommand, JobsDoNotChangeTheAnswer) {
  EXPECT_EQ(fits({"--gpu", "gb10", "--gpus", "2", "--jobs", "1"}).out,
            fits({"--gpu", "gb10", "--gpus", "2", "--jobs", "4"}).out);
}

TEST(FitsCommand, RefusesByName) {
  const auto refused = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = fits(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_EQ(refused({"--gpu", "h100-sxm", "--gpus", "1", "--budget-usd", "ten"}),
            "sizesheet: --budget-usd: expected dollars above 0 with at most six decimals, got "
            "\"ten\"\n");
  EXPECT_EQ(refused({"--gpu", "h100-sxm", "--gpus", "1", "--deadline-hours", "0"}),
            "sizesheet: --deadline-hours: expected hours above 0, got 0\n");
  EXPECT_EQ(fits({"--gpu", "h100-sxm", "--gpus", "1"}, "today").err,
            "sizesheet: --as-of: expected a date YYYY-MM-DD, got \"today\"\n");
  EXPECT_EQ(refused({"--gpu", "gaudi3", "--gpus", "1"}),
            "sizesheet: gpu: gaudi3: its usable memory is not known, so nothing can be sized on "
            "it\n");
  EXPECT_NE(refused({"--gpu", "h100-sxm", "--gpus", "0"}), "");
}

}  // namespace
}  // namespace sizesheet
