// SPDX-License-Identifier: Apache-2.0
// Text against font and room. In these tests every character is half an em wide: 5 pt at 10 pt.
#include <gtest/gtest.h>

#include "render/pdf/fonts/fonts.h"
#include "render/pdf/layout_checks.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

const Style kTen{Face::kRegular, 10, {}};

TEST(FitText, white_space_collapses_but_no_break_spaces_stay) {
  const Printable got = printable("  a\t\n b\u00a0c  ", Face::kRegular, half_em());
  EXPECT_EQ(got.text, "a b\u00a0c");
  EXPECT_EQ(got.missing, U"");
}

TEST(FitText, steering_marks_vanish) {
  EXPECT_EQ(printable("\u202ea\u200bb\ufeff", Face::kRegular, half_em()).text, "ab");
}

TEST(FitText, a_lacking_character_becomes_a_question_mark) {
  const Printable got = printable("x日本日", Face::kRegular, half_em(U"日本"));
  EXPECT_EQ(got.text, "x???");
  EXPECT_EQ(got.missing, U"日本");
}

TEST(FitText, a_malformed_byte_becomes_a_question_mark) {
  const Printable got = printable("a\xff", Face::kRegular, half_em());
  EXPECT_EQ(got.text, "a?");
  EXPECT_EQ(got.missing, U"\uFFFD");
}

TEST(FitText, messages_name_four_characters_and_quote_sixty) {
  EXPECT_EQ(code_names(U"日本"), "U+65E5, U+672C");
  EXPECT_EQ(code_names(U"abcde"), "U+0061, U+0062, U+0063, U+0064, …");
  EXPECT_EQ(excerpt("short"), "short");
  EXPECT_EQ(excerpt(std::string(61, 'x')), std::string(60, 'x') + "…");
}

TEST(FitText, ellipsis) {
  struct Case {
    const char* text;
    double width;
    const char* expected;
  };
  const std::vector<Case> cases = {
      {"abcdef", 30, "abcdef"},  // exactly
      {"abcdef", 29.9, "abcd…"},
      {"abc def", 25, "abc…"},  // no blank before it
      {"ab, cdef", 25, "ab…"},  // no comma either
      {"abcdef", 10, "a…"},
      {"abcdef", 9.9, ""},  // not even one letter
      {"", 0, ""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ellipsized(c.text, kTen, c.width, half_em()), c.expected) << c.text << c.width;
  }
}

TEST(FitText, wrapping) {
  struct Case {
    const char* text;
    double width;
    std::vector<std::string> expected;
  };
  const std::vector<Case> cases = {
      {"one two three", 100, {"one two three"}},
      {"one two three", 35, {"one two", "three"}},
      {"one two three", 34.9, {"one", "two", "three"}},
      {"a verylongword b", 25, {"a", "veryl", "ongwo", "rd b"}},
      {"8\u00a0% of it", 25, {"8\u00a0%", "of it"}},
      {"", 25, {}},
      {"ab", 1, {"a", "b"}},  // never loops, never loses
  };
  for (const Case& c : cases) {
    EXPECT_EQ(wrapped(c.text, kTen, c.width, half_em()), c.expected) << c.text;
  }
}

}  // namespace
}  // namespace sizesheet::pdf
