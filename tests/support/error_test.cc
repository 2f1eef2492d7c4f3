// SPDX-License-Identifier: Apache-2.0
// Faults as text, and near misses: misspelt letters are forgiven, numbers never.

#include "support/error.h"

#include <gtest/gtest.h>

namespace sizesheet {
namespace {

TEST(FaultText, names_file_and_pointer) {
  EXPECT_EQ(to_text({"gpus/h100.json", "/memory_gb", "expected a number, got \"x\""}),
            "gpus/h100.json:/memory_gb: expected a number, got \"x\"");
  EXPECT_EQ(to_text({"a.json", "", "expected an object, got 5"}),
            "a.json: expected an object, got 5");
  EXPECT_EQ(to_text({"", "/a", "wrong"}), "/a: wrong");
  EXPECT_EQ(to_text({"", "", "wrong"}), "wrong");
}

TEST(FaultText, of_a_request_has_dots_and_indices) {
  EXPECT_EQ(to_request_text({"", "/layout/ep", "too many"}), "layout.ep: too many");
  EXPECT_EQ(to_request_text({"", "/method/targets/2", "unknown"}), "method.targets[2]: unknown");
  EXPECT_EQ(to_request_text({"", "/a~1b/c~0d", "wrong"}), "a/b.c~d: wrong");
  EXPECT_EQ(to_request_text({"file", "", "wrong"}), "wrong");
}

TEST(Faults, keep_their_order) {
  Faults faults;
  EXPECT_TRUE(faults.empty());
  faults.add("b", "/x", "one");
  faults.add("a", "/y", "two");
  ASSERT_EQ(faults.all().size(), 2U);
  EXPECT_EQ(faults.all()[0], (Fault{"b", "/x", "one"}));
  EXPECT_EQ(faults.all()[1], (Fault{"a", "/y", "two"}));
}

using Names = std::vector<std::string>;

const Names kCards = {"a100-40",  "a100-80-pcie", "a100-80-sxm", "a10g",      "b200",    "gb200",
                      "h100-nvl", "h100-pcie",    "h100-sxm",    "h200-sxm",  "l4",      "l40s",
                      "mi300x",   "mi325x",       "rtx-4090",    "rtx-a6000", "v100-16", "v100-32"};
const Names kModels = {"deepseek-r1",   "deepseek-v2",  "deepseek-v3",     "llama-3-8b",
                       "llama-3.1-70b", "llama-3.1-8b", "mistral-7b-v0.1", "mistral-7b-v0.3",
                       "mixtral-8x22b", "mixtral-8x7b", "pythia-6.9b",     "qwen2.5-7b",
                       "qwen3-30b-a3b", "qwen3-8b",     "size-70b",        "size-7b"};
const Names kMethods = {"dora-r16", "full", "lora-r16", "lora-r64", "qlora-r16", "qlora-r64"};

struct Miss {
  std::string name;
  Names known;
  std::string said;  ///< "": silent
};

void expect_all(const std::vector<Miss>& misses) {
  for (const Miss& miss : misses) {
    const std::string said = miss.said.empty() ? "" : " (did you mean " + miss.said + "?)";
    EXPECT_EQ(did_you_mean(miss.name, miss.known), said) << miss.name;
  }
}

TEST(DidYouMean, NeverNamesAnotherCard) {
  expect_all({
      {"A100", kCards, R"("a100-40", "a100-80-pcie" or "a100-80-sxm")"},
      {"a100-80gb", kCards, R"("a100-80-pcie" or "a100-80-sxm")"},
      {"A100 SXM 80", kCards, R"("a100-80-sxm")"},
      {"a80-100", kCards, ""},  // numbers in another order
      {"a100-sxm", kCards, R"("a100-80-sxm")"},
      {"h200", kCards, R"("h200-sxm")"},
      {"h100", kCards, R"("h100-nvl", "h100-pcie" or "h100-sxm")"},
      {"h100-smx", kCards, R"("h100-sxm")"},
      {"h100-foo", kCards, R"("h100-nvl", "h100-pcie" or "h100-sxm")"},
      {"H100_SXM", kCards, R"("h100-sxm")"},
      {"h300", kCards, ""},
      {"gh200", kCards, ""},
      {"p100", kCards, ""},
      {"v100", kCards, R"("v100-16" or "v100-32")"},
      {"mi300", kCards, R"("mi300x")"},
      {"4090", kCards, R"("rtx-4090")"},
      {"rtx4090", kCards, R"("rtx-4090")"},
      {"rtx-4080", kCards, ""},
  });
}

TEST(DidYouMean, NeverNamesAnotherModel) {
  expect_all({
      {"mistral-7b", kModels, R"("mistral-7b-v0.1" or "mistral-7b-v0.3")"},
      {"deepseek_v4", kModels, ""},
      {"deepseek_v3", kModels, R"("deepseek-v3")"},
      {"lama-3.1-8b", kModels, R"("llama-3.1-8b")"},
      {"llama-3.1-8b-instruct", kModels, R"("llama-3.1-8b")"},
      {"llama-3.1-8bb", kModels, R"("llama-3.1-8b")"},
      {"llama-3.1-80b", kModels, ""},
      {"llama-2-8b", kModels, ""},
      {"llama-3.1", kModels, R"("llama-3.1-70b" or "llama-3.1-8b")"},
      {"70b", kModels, R"("llama-3.1-70b" or "size-70b")"},
      {"qwen2-7b", kModels, ""},
      {"pythia-6b", kModels, ""},
      {"mistral-8x7b", kModels, R"("mixtral-8x7b")"},
      {"qlroa-r16", kMethods, R"("qlora-r16")"},
      {"lora-16", kMethods, R"("lora-r16")"},
      {"lora", kMethods, R"("lora-r16" or "lora-r64")"},
      {"lora-r17", kMethods, ""},
  });
}

TEST(DidYouMean, ForgivesCaseSeparatorsAndLettersOfWords) {
  const Names keys = {"adapter_dtype", "bandwidth_gb_per_s", "gpus",
                      "grad_accum",    "micro_batch",        "seq_len"};
  const Names words = {"adam-mini", "adamw", "adamw-8bit", "all-linear", "fits", "no", "tight"};
  const Names commands = {"build", "explain", "fits", "import-model", "import-prices"};
  const Names options = {"--budget-usd", "--gpu", "--gpus", "--model"};
  expect_all({
      {"seqlen", keys, R"("seq_len")"},
      {"micro-batch", keys, R"("micro_batch")"},
      {"gpu", keys, R"("gpus")"},
      {"dtype", keys, R"("adapter_dtype")"},
      {"bandwith_gb_per_s", keys, R"("bandwidth_gb_per_s")"},
      {"all_linear", words, R"("all-linear")"},
      {"ALL LINEAR", words, R"("all-linear")"},
      {"adamw8bit", words, R"("adamw-8bit")"},
      {"adamw-4bit", words, ""},
      {"adam", words, R"("adamw" or "adam-mini")"},
      {"FITS", words, R"("fits")"},
      {"ftis", words, R"("fits")"},  // a swap costs 1
      {"tigth", words, R"("tight")"},
      {"on", words, R"("no")"},
      {"tig", words, R"("tight")"},
      {"buidl", commands, R"("build")"},
      {"import", commands, R"("import-model" or "import-prices")"},
      {"--modle", options, R"("--model")"},
      {"--budget", options, R"("--budget-usd")"},
      {"bat", {"cat", "hat"}, R"("cat" or "hat")"},
  });
}

TEST(DidYouMean, IsSilentWhenNothingIsClose) {
  const Names known = {"fits", "tight", "no", "size-7b"};
  expect_all({{"banana", known, ""},
              {"fixy", known, ""},  // distance 2, a third of 4 is 1
              {"", known, ""},
              {"---", known, ""},
              {"7", known, ""},  // part of too much
              {"x", {}, ""},
              {std::string(5000, 'a'), {std::string(5000, 'a')}, ""}});
}

TEST(DidYouMean, CountsWhatIsTooMuchToName) {
  Names many;
  for (int i = 10; i < 20; ++i) many.push_back("size-" + std::to_string(i) + "b");
  expect_all({{"size", many,
               R"("size-10b", "size-11b", "size-12b", "size-13b", "size-14b", "size-15b", )"
               R"("size-16b", "size-17b" or one of 2 more)"}});
}

}  // namespace
}  // namespace sizesheet
