// SPDX-License-Identifier: Apache-2.0
// Money through a JSON number and back.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/json.h"
#include "support/money.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

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
