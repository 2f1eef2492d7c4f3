// SPDX-License-Identifier: Apache-2.0
// Days as numbers and back.
#include <gtest/gtest.h>

#include "support/text.h"

namespace sizesheet {
namespace {

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
