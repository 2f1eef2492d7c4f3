// SPDX-License-Identifier: Apache-2.0
#include "cli/as_of.h"

#include <charconv>
#include <cstdlib>

#include "support/dates.h"
#include "support/error.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

std::string checked_date(const std::string& date, const std::string& option) {
  if (day_number(date) && date.size() == 10) return date;
  throw InputError(option + ": expected a date YYYY-MM-DD, got " + in_quotes(date));
}

}  // namespace

std::string as_of_day(const std::string& option, const std::string& fallback) {
  if (!option.empty()) return checked_date(option, "--as-of");
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  if (epoch == nullptr || *epoch == '\0') return fallback;
  const std::string text = epoch;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  constexpr std::int64_t kLastDay = 253402300799;  // 9999-12-31
  if (!whole || seconds < 0 || seconds > kLastDay) {
    throw InputError("SOURCE_DATE_EPOCH: expected seconds since 1970, got " + in_quotes(text));
  }
  return date_of_epoch(seconds);
}

}  // namespace sizesheet
