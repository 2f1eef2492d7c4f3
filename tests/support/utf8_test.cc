// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/text.h"

namespace sizesheet {
namespace {

TEST(Utf8, accepts_and_refuses) {
  for (const char* text : {"", "plain", "–", "é", "\xF0\x9F\x98\x80", "\xED\x9F\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  for (const char* text : {"\x80", "\xC3", "\xC3\x28", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFF"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

TEST(Utf8, decodes_and_encodes_every_length) {
  const std::string text = "aß–😀";
  EXPECT_EQ(decode(text), U"aß–😀");
  EXPECT_EQ(encode(decode(text)), text);
}

TEST(Utf8, malformed_bytes_become_the_replacement_character) {
  struct Case {
    const char* bytes;
    std::u32string expected;
  };
  const std::vector<Case> cases = {
      {"a\xff\xfe", U"a\uFFFD\uFFFD"},
      {"\xe2\x82", U"\uFFFD"},                  // cut short: one, however many bytes it has
      {"\xc0\x80", U"\uFFFD\uFFFD"},            // overlong
      {"\xed\xa0\x80", U"\uFFFD\uFFFD\uFFFD"},  // half of a pair
      {"\x80z", U"\uFFFDz"},
  };
  for (const Case& c : cases) EXPECT_EQ(decode(c.bytes), c.expected) << c.bytes;
}

}  // namespace
}  // namespace sizesheet
