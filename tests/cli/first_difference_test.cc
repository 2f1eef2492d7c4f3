// SPDX-License-Identifier: Apache-2.0
// Where two versions of a file part, in words.
#include <gtest/gtest.h>

#include "cli/command_parts.h"

namespace sizesheet {
namespace {

TEST(FirstDifference, NothingForEqualBytes) {
  EXPECT_EQ(first_difference("", ""), "");
  EXPECT_EQ(first_difference("a\nb", "a\nb"), "");
}

TEST(FirstDifference, NamesLineAndColumnOfText) {
  EXPECT_EQ(first_difference("one\ntwo\n", "one\ntwe\n"),
            R"(line 2, column 3: expected "two", got "twe")");
  EXPECT_EQ(first_difference("x", "y"), R"(line 1, column 1: expected "x", got "y")");
  EXPECT_EQ(first_difference("<td>$3.82</td><td>a long row goes on</td>\n",
                             "<td>$3.82</td><td>a long row went on</td>\n"),
            R"(line 1, column 30: expected ">a long row goes on</td>", )"
            R"(got ">a long row went on</td>")");
}

TEST(FirstDifference, SaysWhereOneEnds) {
  EXPECT_EQ(first_difference("a\nb\n", "a\n"), R"(line 2, column 1: expected "b", got the end)");
  EXPECT_EQ(first_difference("a", "a\nb"), R"(line 1, column 2: expected the end, got "a")");
  EXPECT_EQ(first_difference("a\n", "a\nb"), R"(line 2, column 1: expected the end, got "b")");
  EXPECT_EQ(first_difference("a", ""), R"(line 1, column 1: expected "a", got the end)");
}

TEST(FirstDifference, CountsCharactersAndCutsNone) {
  EXPECT_EQ(first_difference("größe · 3", "größe · 4"),
            R"(line 1, column 9: expected "größe · 3", got "größe · 4")");
  EXPECT_EQ(first_difference("ä", "ö"), R"(line 1, column 1: expected "ä", got "ö")");
  EXPECT_EQ(first_difference("Größenordnung der Zahl", "Größenordnung der Wahl"),
            R"(line 1, column 19: expected "ordnung der Zahl", got "ordnung der Wahl")");
}

TEST(FirstDifference, NamesTheByteWhereItIsNotText) {
  EXPECT_EQ(first_difference("ab\xff", "ab\xfe"), "byte 3: expected 0xff, got 0xfe");
  EXPECT_EQ(first_difference("ab", "ab\xfe"), "byte 3: expected the end, got 0xfe");
}

}  // namespace
}  // namespace sizesheet
