// SPDX-License-Identifier: Apache-2.0
// Parts of commands: thresholds, and where two versions of a file part.

#include <gtest/gtest.h>

#include "cli/diff.h"
#include "cli/edition_files.h"
#include "sheet/changes.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

TEST(DiffThresholds, are_read_in_any_order_and_any_number_of_words) {
  const ChangeThresholds limits = read_thresholds({"memory=0.5GiB,usd=0.5%", "hours=10%"});
  EXPECT_DOUBLE_EQ(limits.usd_share, 0.005);
  EXPECT_DOUBLE_EQ(limits.hours_share, 0.1);
  EXPECT_DOUBLE_EQ(limits.memory_gib, 0.5);
  EXPECT_DOUBLE_EQ(read_thresholds({"memory=2"}).memory_gib, 2);
  EXPECT_DOUBLE_EQ(read_thresholds({"usd=0%"}).usd_share, 0);
  EXPECT_DOUBLE_EQ(read_thresholds({"usd=0.1"}).usd_share, 0.1);
  EXPECT_DOUBLE_EQ(read_thresholds({"memory=1,024MB"}).memory_gib, 1);
  EXPECT_DOUBLE_EQ(read_thresholds({}).usd_share, 0.01);
}

TEST(DiffThresholds, faults_name_option_value_and_near_miss) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"usd", "--threshold: expected NAME=VALUE such as usd=1%, got \"usd\""},
      {"", "--threshold: expected NAME=VALUE such as usd=1%, got \"\""},
      {"usb=1%", "--threshold: expected usd, hours or memory, got \"usb\" (did you mean \"usd\"?)"},
      {"usd=1",
       "--threshold usd: expected a share, such as 10% or 0.1, got \"1\" (did you mean "
       "\"1%\"?)"},
      {"hours=-1%", "--threshold hours: expected a share, such as 10% or 0.1, got \"-1%\""},
      {"hours=nan%", "--threshold hours: expected a share, such as 10% or 0.1, got \"nan%\""},
      {"usd=1,5%", "--threshold usd: \"1,5%\" can be read as 1.5% or as 15%; write 1.5% or 15%"},
      {"memory=0,5GiB,usd=1%",
       "--threshold memory: \"0,5GiB\" can be read as 0.5GiB or as 5GiB; write 0.5GiB or 5GiB"},
      {"memory=1kg", "--threshold memory: expected GiB, such as 24, 24GB or 24 GiB, got \"1kg\""},
      {"usd=1%,usd=2%", "--threshold: expected usd once, got it again as \"usd=2%\""},
  };
  for (const auto& [word, expected] : cases) {
    EXPECT_EQ(refusal_of([&, &given = word] { read_thresholds({given}); }), expected);
  }
}

TEST(FirstDifference, IsNamedByLineAndColumnInCharacters) {
  struct Case {
    const char* expected;
    const char* got;
    const char* words;
  };
  const Case cases[] = {
      {"", "", ""},
      {"a\nb", "a\nb", ""},
      {"one\ntwo\n", "one\ntwe\n", R"(line 2, column 3: expected "two", got "twe")"},
      {"x", "y", R"(line 1, column 1: expected "x", got "y")"},
      {"<td>$3.82</td><td>a long row goes on</td>\n", "<td>$3.82</td><td>a long row went on</td>\n",
       R"(line 1, column 30: expected ">a long row goes on</td>", got ">a long row went on</td>")"},
      {"a\nb\n", "a\n", R"(line 2, column 1: expected "b", got the end)"},
      {"a", "a\nb", R"(line 1, column 2: expected the end, got "a")"},
      {"a\n", "a\nb", R"(line 2, column 1: expected the end, got "b")"},
      {"a", "", R"(line 1, column 1: expected "a", got the end)"},
      {"größe · 3", "größe · 4", R"(line 1, column 9: expected "größe · 3", got "größe · 4")"},
      {"ä", "ö", R"(line 1, column 1: expected "ä", got "ö")"},
      {"Größenordnung der Zahl", "Größenordnung der Wahl",
       R"(line 1, column 19: expected "ordnung der Zahl", got "ordnung der Wahl")"},
      {"ab\xff", "ab\xfe", "byte 3: expected 0xff, got 0xfe"},
      {"ab", "ab\xfe", "byte 3: expected the end, got 0xfe"},
  };
  for (const auto& [expected, got, words] : cases)
    EXPECT_EQ(first_difference(expected, got), words);
}

}  // namespace
}  // namespace sizesheet
