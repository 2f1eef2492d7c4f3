// SPDX-License-Identifier: Apache-2.0
// Every file of the corpora, through its target: what the fuzzer once found stays mended.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/target.h"
#include "support/files.h"

namespace sizesheet::fuzz {
namespace {

class Corpus : public testing::TestWithParam<NamedTarget> {};

TEST_P(Corpus, HoldsNothingThatGetsOut) {
  const std::filesystem::path folder =
      std::filesystem::path(SIZESHEET_SOURCE_DIR) / "tests/fuzz/corpus" / GetParam().name;
  const std::vector<std::string> files = list_files(folder);
  EXPECT_GE(files.size(), 5U) << folder;
  for (const std::string& file : files) {
    const std::string bytes = read_file(folder / file);
    EXPECT_NO_THROW(GetParam().run(bytes)) << folder / file;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Corpus, testing::ValuesIn(targets()),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace sizesheet::fuzz
