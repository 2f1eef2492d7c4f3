// SPDX-License-Identifier: Apache-2.0
// Dated rates of exchange: what a unit of another currency was worth in dollars on a day.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"

namespace sizesheet {

struct ExchangeRate {
  std::string currency;   ///< ISO 4217, "EUR"
  MicroUsd usd_per_unit;  ///< dollars for one unit
  std::string date;       ///< YYYY-MM-DD
  std::string source;
  Json raw;
};

struct Exchange {
  std::int64_t max_age_days = 0;  ///< a rate serves prices of its day and that many days after
  std::vector<ExchangeRate> rates;

  /// The newest rate of the currency on or before `day` and not older than the limit; nullptr where
  /// there is none.
  const ExchangeRate* rate_on(const std::string& currency, const std::string& day) const;

  /// Why `rate_on` has none, in words: an unknown currency, with its near miss, or the dates.
  std::string why_none(const std::string& currency, const std::string& day) const;
};

/// "1 EUR = $1.0842 on 2026-10-09 (its source)".
std::string words_of(const ExchangeRate& rate);

/// Three capital letters (ISO 4217).
bool is_currency_code(std::string_view code);

/// `amount` is in millionths of the currency's unit. Rounded once, half up, to a micro-dollar.
MicroUsd converted(MicroUsd amount, const ExchangeRate& rate);

Exchange read_exchange(ObjectReader reader);

}  // namespace sizesheet
