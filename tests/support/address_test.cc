// SPDX-License-Identifier: Apache-2.0
// Which addresses a page may lead to.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/text.h"

namespace sizesheet {
namespace {

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

}  // namespace
}  // namespace sizesheet
