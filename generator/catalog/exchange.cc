// SPDX-License-Identifier: Apache-2.0
#include "catalog/exchange.h"

#include <algorithm>
#include <optional>

#include "catalog/entry.h"
#include "support/dates.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kMillionths = 1'000'000;

ExchangeRate read_rate_of_exchange(ObjectReader& reader) {
  ExchangeRate rate;
  rate.raw = reader.whole();
  rate.currency = reader.text("currency");
  if (reader.sound("currency") && (!is_currency_code(rate.currency) || rate.currency == "USD")) {
    reader.fault("currency", "expected three capital letters (ISO 4217) other than USD, got " +
                                 in_quotes(rate.currency));
  }
  rate.usd_per_unit = reader.usd("usd_per_unit");
  constexpr std::int64_t kHighest = 1000;  // dollars; no currency comes near
  const std::int64_t value = rate.usd_per_unit.value;
  if (reader.sound("usd_per_unit") && value == 0) {
    reader.fault("usd_per_unit", "expected a rate above 0, got 0");
  } else if (value > kHighest * kMillionths) {
    reader.fault("usd_per_unit", "expected a rate of at most 1,000 dollars, got " +
                                     shown(reader.raw("usd_per_unit")));
  }
  rate.date = read_date(reader, "date");
  if (reader.sound("date") && rate.date.size() != 10) {
    reader.fault("date", "expected a day YYYY-MM-DD, got " + in_quotes(rate.date));
  }
  rate.source = read_source(reader);
  reader.done();
  return rate;
}

/// The newest rate of the currency on or before `day`, whatever its age.
const ExchangeRate* newest_until(const std::vector<ExchangeRate>& rates,
                                 const std::string& currency, std::int64_t day) {
  const ExchangeRate* newest = nullptr;
  for (const ExchangeRate& rate : rates) {
    const auto rate_day = day_number(rate.date);
    if (rate.currency != currency || !rate_day || *rate_day > day) continue;
    if (newest == nullptr || day_number(newest->date) < rate_day) newest = &rate;
  }
  return newest;
}

}  // namespace

const ExchangeRate* Exchange::rate_on(const std::string& currency, const std::string& day) const {
  const auto number = day_number(day);
  if (!number) return nullptr;
  const ExchangeRate* newest = newest_until(rates, currency, *number);
  if (newest == nullptr || *number - *day_number(newest->date) > max_age_days) return nullptr;
  return newest;
}

std::string Exchange::why_none(const std::string& currency, const std::string& day) const {
  std::vector<std::string> known{"USD"};
  for (const ExchangeRate& rate : rates) {
    if (rate.currency == currency) {
      const ExchangeRate* newest = newest_until(rates, currency, day_number(day).value_or(0));
      return "expected a rate of exchange dated at most " + std::to_string(max_age_days) +
             " days before " + day + " in exchange.json for " + in_quotes(currency) + ", " +
             (newest == nullptr ? "got later ones only" : "the newest is of " + newest->date);
    }
    known.push_back(rate.currency);
  }
  return "expected USD or a currency with a rate in exchange.json, got " + in_quotes(currency) +
         did_you_mean(currency, known);
}

std::string words_of(const ExchangeRate& rate) {
  return "1 " + rate.currency + " = $" + shortest(to_usd(rate.usd_per_unit)) + " on " + rate.date +
         " (" + rate.source + ")";
}

bool is_currency_code(std::string_view code) {
  return code.size() == 3 &&
         std::all_of(code.begin(), code.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

MicroUsd converted(MicroUsd amount, const ExchangeRate& rate) {
  return scaled(amount, rate.usd_per_unit.value, kMillionths);
}

Exchange read_exchange(ObjectReader reader) {
  Exchange exchange;
  exchange.max_age_days = reader.integer("max_age_days", {0, 100000});
  for (ObjectReader& rate : reader.objects("rates")) {
    exchange.rates.push_back(read_rate_of_exchange(rate));
    for (std::size_t i = 0; i + 1 < exchange.rates.size(); ++i) {
      const ExchangeRate& last = exchange.rates.back();
      if (exchange.rates[i].currency != last.currency || exchange.rates[i].date != last.date) {
        continue;
      }
      rate.fault("date",
                 "expected one rate of " + last.currency + " a day, got " + last.date + " again");
    }
  }
  reader.done();
  return exchange;
}

}  // namespace sizesheet
