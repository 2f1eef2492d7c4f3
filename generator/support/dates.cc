// SPDX-License-Identifier: Apache-2.0
#include "support/dates.h"

#include <chrono>
#include <cstdio>

#include "support/text.h"

namespace sizesheet {
namespace {

/// The number that `digits` spell; nullopt when there is anything but digits.
std::optional<int> digits_value(std::string_view digits) {
  int value = 0;
  for (const char digit : digits) {
    if (!is_digit(digit)) return std::nullopt;
    value = value * 10 + (digit - '0');
  }
  return value;
}

}  // namespace

std::optional<std::int64_t> day_number(std::string_view date) {
  const bool whole = date.size() == 10;
  if (!whole && date.size() != 7) return std::nullopt;
  if (date[4] != '-' || (whole && date[7] != '-')) return std::nullopt;
  const auto year = digits_value(date.substr(0, 4));
  const auto month = digits_value(date.substr(5, 2));
  const auto day = whole ? digits_value(date.substr(8, 2)) : 1;
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day calendar{std::chrono::year(*year),
                                             std::chrono::month(static_cast<unsigned>(*month)),
                                             std::chrono::day(static_cast<unsigned>(*day))};
  if (!calendar.ok()) return std::nullopt;
  return std::chrono::sys_days(calendar).time_since_epoch().count();
}

std::string date_of_epoch(std::int64_t seconds) {
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(time)};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text;
}

}  // namespace sizesheet
