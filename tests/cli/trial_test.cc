// SPDX-License-Identifier: Apache-2.0
// A refused line ends with one that works. The program tries that one, and the trial writes
// nothing.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "cli/program.h"

namespace sizesheet {
namespace {

class Trial : public InFolder {
 protected:
  Trial() : before_(std::filesystem::current_path()) {
    std::ofstream(at("prices.csv")) << "gpu,usd_per_instance_hour\nh100-sxm,2.5\n";
    std::ofstream(at("mine.txt")) << "of somebody";
    std::filesystem::current_path(at(""));
  }
  ~Trial() override { std::filesystem::current_path(before_); }

  static std::set<std::string> files() {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(".")) {
      names.insert(entry.path().lexically_normal().string());
    }
    return names;
  }

 private:
  std::filesystem::path before_;
};

struct Misspelt {
  Words line;
  std::string tried;  ///< "" where no line works
};

TEST_F(Trial, OfALineThatWritesFilesWritesNone) {
  const std::vector<Misspelt> lines = {
      {{"biuld"}, "build"},
      {{"biuld", "--out", "mine"}, "build --out mine"},
      {{"biuld", "--catalog", "nowhere"}, ""},
      {{"inti"}, "init"},
      {{"inti", "mine.json"}, "init mine.json"},
      {{"inti", "--gpu", "h100"}, "init --gpu h100"},
      {{"validat", "--write-intervals", "i.json"}, "validate --write-intervals i.json"},
      {{"swep", "llama-3.1-8b", "lora", "--out", "s.csv"},
       "sweep --models llama-3.1-8b --methods lora --seq 4k > s.csv"},
      {{"ask", "llama-3.1-8b", "lora", "4xh100", "--stak", "axolotl", "--write-config", "cfg"},
       "ask llama-3.1-8b lora 4xh100 --stack axolotl --write-config cfg"},
      {{"import-pricse", "prices.csv", "--provider", "mine", "--merge", "--yes"},
       "import-prices prices.csv --provider mine --merge --yes"}};
  const std::set<std::string> before = files();
  for (const auto& [line, tried] : lines) {
    const Outcome refused = whole_program(line);
    const std::string said = join(line, " ");
    EXPECT_EQ(refused.code, 2) << said;
    EXPECT_EQ(files(), before) << said;
    const std::string words = tried.empty() ? "" : "try: sizesheet " + tried + "\n";
    EXPECT_NE(refused.err.find(words), std::string::npos) << refused.err;
    EXPECT_EQ(refused.err.find("try: sizesheet") == std::string::npos, tried.empty())
        << refused.err;
  }
}

}  // namespace
}  // namespace sizesheet
