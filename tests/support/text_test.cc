// SPDX-License-Identifier: Apache-2.0
// Numbers, words and days as people read them, at their edges; addresses that a page may lead to;
// and UTF-8.

#include "support/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace sizesheet {
namespace {

TEST(FormatNumber, groups_thousands) {
  EXPECT_EQ(format_number(0, 0), "0");
  EXPECT_EQ(format_number(999, 0), "999");
  EXPECT_EQ(format_number(1000, 0), "1,000");
  EXPECT_EQ(format_number(1234567.891, 2), "1,234,567.89");
  EXPECT_EQ(format_number(999.95, 1), "1,000.0");
  EXPECT_EQ(format_number(0.1234567, 6), "0.123457");
}

TEST(FormatNumber, has_a_true_minus_and_no_negative_zero) {
  EXPECT_EQ(format_number(-1234.5, 1), "−1,234.5");
  EXPECT_EQ(format_number(-0.0, 1), "0.0");
  EXPECT_EQ(format_number(-0.04, 1), "0.0");
  EXPECT_EQ(format_number(-0.06, 1), "−0.1");
}

TEST(FormatNumber, rounds_exact_halves_away_from_zero) {
  EXPECT_EQ(format_number(0.5, 0), "1");
  EXPECT_EQ(format_number(2.5, 0), "3");
  EXPECT_EQ(format_number(-2.5, 0), "−3");
  EXPECT_EQ(format_number(0.125, 2), "0.13");
  EXPECT_EQ(format_number(0.375, 2), "0.38");
  EXPECT_EQ(format_number(1.005, 2), "1.00");  // the double lies below 1.005
}

TEST(FormatNumber, prints_unknown_for_what_is_no_number) {
  EXPECT_EQ(format_number(std::nan(""), 1), "–");
  EXPECT_EQ(format_number(std::numeric_limits<double>::infinity(), 1), "–");
  EXPECT_EQ(format_number(1e300, 0).size(), 401U);  // 301 digits and 100 commas
}

TEST(FormatInteger, reaches_both_ends) {
  EXPECT_EQ(format_integer(0), "0");
  EXPECT_EQ(format_integer(-1000), "−1,000");
  EXPECT_EQ(format_integer(std::numeric_limits<std::int64_t>::max()), "9,223,372,036,854,775,807");
  EXPECT_EQ(format_integer(std::numeric_limits<std::int64_t>::min()), "−9,223,372,036,854,775,808");
}

TEST(FormatGib, divides_by_two_to_the_thirtieth) {
  EXPECT_EQ(format_gib(1073741824, 1), "1.0");
  EXPECT_EQ(format_gib(536870912, 0), "1");
  EXPECT_EQ(format_gib(85899345920, 1), "80.0");
  EXPECT_EQ(format_gib(-1, 1), "0.0");
}

TEST(FormatParameters, picks_the_unit) {
  EXPECT_EQ(format_parameters(8030261248), "8.0 bn");
  EXPECT_EQ(format_parameters(70553706496), "70.6 bn");
  EXPECT_EQ(format_parameters(355000000), "355 M");
  EXPECT_EQ(format_parameters(999499999), "999 M");
  EXPECT_EQ(format_parameters(999500000), "1.0 bn");
  EXPECT_EQ(format_parameters(3981312), "4.0 M");
  EXPECT_EQ(format_parameters(999999), "999,999");
}

TEST(Shortest, reads_back_as_the_same_number) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(1e300), "1e+300");
  EXPECT_EQ(shortest(-0.0), "0");
  EXPECT_EQ(shortest(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(shortest(65536), "65536");
  EXPECT_EQ(shortest(5e8), "500000000");
  EXPECT_EQ(shortest(156.921284), "156.921284");
  EXPECT_EQ(shortest(-2.5e-7), "-2.5e-07");
}

TEST(Words, join_and_split) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a", "b", ""}, ", "), "a, b, ");
  EXPECT_EQ(split("", '/'), (std::vector<std::string>{""}));
  EXPECT_EQ(split("/a//b", '/'), (std::vector<std::string>{"", "a", "", "b"}));
  EXPECT_TRUE(starts_with("paged-adamw", "paged-"));
  EXPECT_FALSE(starts_with("a", "ab"));
}

/// Letters are looked at eight at a time.
TEST(Text, a_byte_that_is_no_plain_letter_shows_wherever_it_stands) {
  constexpr std::size_t kLength = 19;
  for (std::size_t at = 0; at < kLength; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text(kLength, '~');
      text[at] = static_cast<char>(byte);
      EXPECT_EQ(plain_text(text) == text, byte >= ' ' && byte < 0x7F) << byte << " at " << at;
    }
  }
}

TEST(Address, is_found_unsafe_in_a_sentence) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"see http://example.org/a", "http://example.org"},
      {"see HTTPS://example.org", "HTTPS://example.org"},
      {"https://a.org and ftp://b.org", "ftp://b.org"},
      {"://", "://"},
      {"https://", "https://"},
      {"https:///etc/passwd", "https://"},
      {"https://user:word@example.org/", "https://user:word@example.org"},
      {"https://user@example.org/", "https://user@example.org"},
      {"https://ex\u202eample.org", "https://ex\u202eample.org"},
      {"https://-a.org", "https://-a.org"},
      {"https://a.org:port/", "https://a.org:port"},
      {"https://a.org:123456/", "https://a.org:123456"},
      {"javascripthttps://a.org", "javascripthttps://a.org"},
  };
  for (const auto& [text, unsafe] : cases) EXPECT_EQ(unsafe_address(text), unsafe) << text;
}

TEST(Address, is_found_safe_in_a_sentence) {
  for (const char* text :
       {"", "no address", "https://example.org",
        "(https://a.org/x), then https://b.org:8080/y?z#w.", "read at https://a.org.",
        "javascript:alert(1) is a word here", "owner/name @1234"}) {
    EXPECT_EQ(unsafe_address(text), "") << text;
  }
}

TEST(Address, is_one_alone) {
  for (const char* text : {"https://a.org", "https://a.org/x/y?z=1#w", "https://a.org:8080/"}) {
    EXPECT_TRUE(is_address(text)) << text;
  }
  for (const char* text :
       {"", "https://", "http://a.org", " https://a.org", "https://a.org ", "https://a.org/\n",
        "https://a.org/\"", "https://a.org/<b>", "https://u:p@a.org/", "https://a.org/ü", "//a.org",
        "javascript:alert(1)", "https:/a.org", "https://a.org:0x1/"}) {
    EXPECT_FALSE(is_address(text)) << text;
  }
}

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

TEST(Dates, count_days_from_1970) {
  EXPECT_EQ(day_number("1970-01-01"), 0);
  EXPECT_EQ(day_number("1969-12-31"), -1);
  EXPECT_EQ(day_number("2024-02-29"), 19782);
  EXPECT_EQ(day_number("2026-11"), day_number("2026-11-01"));
}

TEST(Dates, refuse_what_is_no_day) {
  for (const char* text :
       {"", "2026", "2026-13", "2026-00", "2026-02-30", "2023-02-29", "2026-1-01", "2026/11/20",
        "2026-11-2x", "20261120", "2026-11-20 ", "-026-11-20"}) {
    EXPECT_EQ(day_number(text), std::nullopt) << text;
  }
}

TEST(Dates, of_an_epoch) {
  EXPECT_EQ(date_of_epoch(0), "1970-01-01");
  EXPECT_EQ(date_of_epoch(-1), "1969-12-31");
  EXPECT_EQ(date_of_epoch(1795132799), "2026-11-19");
  EXPECT_EQ(date_of_epoch(1795132800), "2026-11-20");
}

}  // namespace
}  // namespace sizesheet
