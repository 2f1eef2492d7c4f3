// SPDX-License-Identifier: Apache-2.0
// A thousand damaged configs: each is read, or refused with the name of its file.
#include <gtest/gtest.h>

#include <cstdint>

#include "config/config_cases.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {
namespace {

/// Numbers that are the same on every machine.
class Dice {
 public:
  std::size_t below(std::size_t most) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % most;
  }

 private:
  std::uint64_t state_ = 20261129;
};

const std::vector<std::string>& odd_values() {
  static const std::vector<std::string> kValues = {"99999999999999999999999999",
                                                   "-1",
                                                   "1e400",
                                                   ".nan",
                                                   "[]",
                                                   "{}",
                                                   "[1, 2, 3]",
                                                   "{a: b}",
                                                   "~",
                                                   "NO",
                                                   "${oc.env:HOME}",
                                                   "${a.b.c}",
                                                   "$HOME",
                                                   "!include /etc/passwd",
                                                   "!ENV ${X}",
                                                   "&a [*a]",
                                                   "\"true\"",
                                                   "'",
                                                   "[[[[[[[[[[",
                                                   "{{{{",
                                                   "*missing",
                                                   "!!python/object:os.system {}",
                                                   "\t",
                                                   "0x10",
                                                   "1_000",
                                                   "1:30",
                                                   "\u00e9\u00e9",
                                                   "- - - -",
                                                   "|",
                                                   ">",
                                                   "%",
                                                   "@",
                                                   "`",
                                                   "null",
                                                   "2026-11-29",
                                                   std::string(5000, 'x'),
                                                   std::string(300, '[')};
  return kValues;
}

std::string mutated(const Json& lines, Dice& dice) {
  std::vector<std::string> all = lines.get<std::vector<std::string>>();
  const std::size_t at = dice.below(all.size());
  std::string& line = all[at];
  const std::string odd = odd_values()[dice.below(odd_values().size())];
  const std::size_t colon = line.find(": ");
  switch (dice.below(5)) {
    case 0:
      line = colon == std::string::npos ? odd : line.substr(0, colon + 2) + odd;
      break;
    case 1:
      line.insert(dice.below(line.size() + 1), odd);
      break;
    case 2:
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), line);
      break;
    case 3:
      line.erase(dice.below(line.size() + 1) / 2);
      break;
    default:
      line = std::string(dice.below(200), ' ') + line + "x: " + odd;
  }
  std::string text;
  for (const std::string& one : all) text += one + "\n";
  return text;
}

TEST(ConfigMutations, AreReadOrRefusedByName) {
  Dice dice;
  const std::vector<Json>& cases = config_cases();
  std::size_t refused = 0;
  for (int i = 0; i < 1000; ++i) {
    const Json& one = cases[dice.below(cases.size())];
    if (one.contains("format")) continue;  // refused for its name, whatever it says
    const Json& file = one.at("files").front();
    const std::string text = mutated(file.at("lines"), dice);
    const auto name = file.at("name").get<std::string>();
    try {
      const ConfigReading reading = read_case(one, &text);
      for (const auto* list : {&reading.told, &reading.refused, &reading.asked}) {
        for (const ConfigRemark& remark : *list) {
          EXPECT_FALSE(remark.place.empty()) << text;
          EXPECT_FALSE(remark.words.empty()) << text;
        }
      }
    } catch (const InputError& error) {
      ++refused;
      EXPECT_NE(std::string(error.what()).find('.'), std::string::npos) << error.what();
      EXPECT_TRUE(std::string(error.what()).starts_with(name.substr(0, 3)) ||
                  std::string(error.what()).find(name) != std::string::npos)
          << error.what() << "\n"
          << text;
    }
  }
  EXPECT_GT(refused, 100U);
  EXPECT_LT(refused, 900U);
}

}  // namespace
}  // namespace sizesheet
