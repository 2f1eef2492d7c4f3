// SPDX-License-Identifier: Apache-2.0
// Exact money: what rounds, where, and what does not fit; and through a JSON number and back.

#include "support/money.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "support/json.h"
#include "support/json_parse.h"
#include "support/object_text.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

TEST(Money, adds_and_multiplies_exactly) {
  MicroUsd sum{1};
  sum += MicroUsd{2};
  EXPECT_EQ(sum.value, 3);
  EXPECT_EQ((MicroUsd{5} - MicroUsd{7}).value, -2);
  EXPECT_EQ((MicroUsd{3820000} * 8).value, 30560000);
}

TEST(Money, refuses_to_overflow) {
  EXPECT_THROW((MicroUsd{kMost} + MicroUsd{1}), std::overflow_error);
  EXPECT_THROW((MicroUsd{kLeast} - MicroUsd{1}), std::overflow_error);
  EXPECT_THROW((MicroUsd{kMost} * 2), std::overflow_error);
  EXPECT_THROW((scaled(MicroUsd{kMost}, 2, 1)), std::overflow_error);
  EXPECT_EQ((MicroUsd{kMost} + MicroUsd{0}).value, kMost);
}

TEST(Money, scales_half_up) {
  EXPECT_EQ(scaled(MicroUsd{5}, 1, 2).value, 3);
  EXPECT_EQ(scaled(MicroUsd{-5}, 1, 2).value, -2);
  EXPECT_EQ(scaled(MicroUsd{4}, 1, 3).value, 1);
  EXPECT_EQ(scaled(MicroUsd{5}, 1, 3).value, 2);
  EXPECT_EQ(scaled(MicroUsd{-4}, 1, 3).value, -1);
  EXPECT_EQ(scaled(MicroUsd{-5}, 1, 3).value, -2);
  EXPECT_EQ(scaled(MicroUsd{kMost}, kMost, kMost).value, kMost);
  EXPECT_EQ(scaled(MicroUsd{kLeast}, kMost, kMost).value, kLeast);
  EXPECT_THROW(scaled(MicroUsd{1}, 1, 0), std::invalid_argument);
}

TEST(Money, reads_decimals_of_at_most_six_places) {
  EXPECT_EQ(parse_usd("3.82"), MicroUsd{3820000});
  EXPECT_EQ(parse_usd("250000"), MicroUsd{250000000000});
  EXPECT_EQ(parse_usd("0.000001"), MicroUsd{1});
  EXPECT_EQ(parse_usd("-0.5"), MicroUsd{-500000});
  EXPECT_EQ(parse_usd("9223372036854.775807"), MicroUsd{kMost});
  for (const char* text : {"", "-", ".", ".5", "5.", "1e3", "1.0000001", "1,000", " 1", "+1", "0x1",
                           "9223372036854.775808", "99999999999999999999999999999999999999999"}) {
    EXPECT_EQ(parse_usd(text), std::nullopt) << text;
  }
}

TEST(Money, rounds_physical_figures_half_up) {
  EXPECT_EQ(rounded_usd(1.5).value, 1500000);
  EXPECT_EQ(rounded_usd(0.0000005).value, 1);
  EXPECT_EQ(rounded_usd(-0.0000005).value, 0);
  EXPECT_EQ(rounded_usd(0.00000049).value, 0);
  EXPECT_EQ(rounded_usd(0.1 + 0.2).value, 300000);
  EXPECT_THROW(rounded_usd(1e13), std::overflow_error);
  EXPECT_THROW(rounded_usd(std::nan("")), std::overflow_error);
}

TEST(Money, becomes_a_number_that_round_trips) {
  EXPECT_EQ(to_usd(MicroUsd{3820000}), 3.82);
  EXPECT_EQ(to_usd(MicroUsd{999999999999999}), 999999999.999999);
}

TEST(Money, prints_rounded_away_from_zero) {
  EXPECT_EQ(format_usd(MicroUsd{1234500000}, 2), "1,234.50");
  EXPECT_EQ(format_usd(MicroUsd{1234500000}, 0), "1,235");
  EXPECT_EQ(format_usd(MicroUsd{5000}, 2), "0.01");
  EXPECT_EQ(format_usd(MicroUsd{4999}, 2), "0.00");
  EXPECT_EQ(format_usd(MicroUsd{-5000}, 2), "−0.01");
  EXPECT_EQ(format_usd(MicroUsd{-4999}, 2), "0.00");
  EXPECT_EQ(format_usd(MicroUsd{-1500000}, 0), "−2");
  EXPECT_EQ(format_usd(MicroUsd{1}, 6), "0.000001");
  EXPECT_EQ(format_usd(MicroUsd{kMost}, 0), "9,223,372,036,855");
  EXPECT_EQ(format_usd(MicroUsd{kMost}, 6), "9,223,372,036,854.775807");
  EXPECT_THROW(format_usd(MicroUsd{1}, 7), std::invalid_argument);
}

/// As sheet.json stores it.
std::optional<MicroUsd> through_text(MicroUsd amount) {
  return usd_of(parse_json(json_text(Json(exact_usd(amount))), "amount").get<double>());
}

TEST(ExactMoney, EveryMicroDollarComesBack) {
  for (const std::int64_t micro :
       {0LL, 1LL, -1LL, 10LL, 999'999LL, 1'000'001LL, 3'820'000LL, 1'000'000'000'000'000LL,
        8'589'934'591'999'999LL, -8'589'934'592'000'000LL, 9'990'000'000'000'000LL}) {
    EXPECT_EQ(through_text({micro}), MicroUsd{micro}) << micro;
  }
  std::mt19937_64 engine(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto micro =
        static_cast<std::int64_t>((engine() >> 11U) % 8'589'934'592'000'000ULL) >> (i % 50);
    ASSERT_EQ(through_text({micro}), MicroUsd{micro}) << micro;
  }
}

TEST(ExactMoney, WhatWouldNotComeBackIsRefused) {
  EXPECT_EQ(refusal_of([] { exact_usd({8'589'934'592'000'001}); }),
            "$8,589,934,592.000001: expected an amount that a JSON number keeps to the "
            "micro-dollar, as all below $8,589,934,592 are");
}

TEST(ExactMoney, NoAmountHasMoreDecimalsOrDigits) {
  for (const double dollars : {0.0000001, 3.8200001, 1e-300, 1e13, 1e308, -1e300, std::nan("")}) {
    EXPECT_EQ(usd_of(dollars), std::nullopt) << dollars;
  }
}

}  // namespace
}  // namespace sizesheet
