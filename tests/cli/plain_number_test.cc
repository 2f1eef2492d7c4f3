// SPDX-License-Identifier: Apache-2.0
// What counts as a number on the command line.
#include <gtest/gtest.h>

#include "cli/command_parts.h"

namespace sizesheet {
namespace {

TEST(PlainNumber, is_decimal_and_finite) {
  for (const char* text : {"0", "-1", "1.5", "1e3", "1e-308"}) EXPECT_EQ(why_no_number(text), "");
  for (const char* text :
       {"", " 1", "1 ", "inf", "nan", "-inf", "0x10", "1e999", "1,5", "+1", "ten"}) {
    EXPECT_EQ(why_no_number(text), std::string("expected a number, got \"") + text + "\"");
  }
}

TEST(PlainNumber, a_count_is_decimal_digits) {
  for (const char* text : {"0", "-1", "8", "100000000"}) EXPECT_EQ(why_no_count(text), "");
  for (const char* text : {"", "010", "0x10", "1e3", "8.0", "+8", "-", "-08", " 8", "eight"}) {
    EXPECT_EQ(why_no_count(text), std::string("expected a whole number, got \"") + text + "\"");
  }
}

}  // namespace
}  // namespace sizesheet
