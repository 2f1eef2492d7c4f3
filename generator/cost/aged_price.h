// SPDX-License-Identifier: Apache-2.0
// What a dated price is expected to be on a later day, and how far it may be off.
#pragma once

#include <cstdint>
#include <string>

#include "support/money.h"

namespace sizesheet {

struct Price;
struct PriceAge;

/// A price on a day: of an instance-hour.
struct AgedPrice {
  MicroUsd expected;
  MicroUsd high;          ///< nine of ten such prices moved by less
  double ln_width = 0;    ///< natural logarithm of `high` over `expected`
  std::int64_t days = 0;  ///< since the price was seen
  double drift_per_day = 0;
  /// exp(drift_per_day x days) to a millionth, the only form in which age meets money.
  std::int64_t factor_millionths = 1'000'000;

  double factor() const;
  bool moved() const { return factor_millionths != 1'000'000; }
};

/// `as_of` is a day; a price of that day or later has its own amount and no width.
AgedPrice aged_price(const Price& price, const PriceAge& age, const std::string& as_of);

}  // namespace sizesheet
