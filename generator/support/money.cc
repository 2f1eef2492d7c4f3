// SPDX-License-Identifier: Apache-2.0
#include "support/money.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <system_error>

#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kMicro = 1000000;
constexpr int kMostDecimals = 6;

std::int64_t checked(__int128 value) {
  if (value < std::numeric_limits<std::int64_t>::min() ||
      value > std::numeric_limits<std::int64_t>::max()) {
    throw std::overflow_error("an amount of money does not fit in 64 bits of micro-dollars");
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t power_of_ten(int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

}  // namespace

MicroUsd operator+(MicroUsd a, MicroUsd b) { return {checked(__int128{a.value} + b.value)}; }

MicroUsd operator-(MicroUsd a, MicroUsd b) { return {checked(__int128{a.value} - b.value)}; }

MicroUsd operator*(MicroUsd a, std::int64_t n) { return {checked(__int128{a.value} * n)}; }

MicroUsd& MicroUsd::operator+=(MicroUsd other) {
  *this = *this + other;
  return *this;
}

MicroUsd scaled(MicroUsd amount, std::int64_t factor, std::int64_t divisor) {
  if (divisor <= 0) throw std::invalid_argument("scaled: the divisor must be positive");
  const __int128 product = __int128{amount.value} * factor;
  __int128 quotient = product / divisor;
  __int128 rest = product % divisor;
  if (rest < 0) {  // division rounds towards zero; half up counts from the floor
    rest += divisor;
    --quotient;
  }
  return {checked(rest >= divisor - rest ? quotient + 1 : quotient)};
}

std::optional<MicroUsd> parse_usd(std::string_view decimal) {
  const bool negative = starts_with(decimal, "-");
  if (negative) decimal.remove_prefix(1);
  const std::size_t point = std::min(decimal.find('.'), decimal.size());
  const std::string_view whole = decimal.substr(0, point);
  const std::string_view fraction =
      point < decimal.size() ? decimal.substr(point + 1) : std::string_view{};
  if (whole.empty() || fraction.size() > kMostDecimals) return std::nullopt;
  if (point < decimal.size() && fraction.empty()) return std::nullopt;
  __int128 value = 0;
  for (const std::string_view digits : {whole, fraction}) {
    for (const char digit : digits) {
      if (!is_digit(digit)) return std::nullopt;
      value = value * 10 + (digit - '0');
      if (value > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    }
  }
  value *= power_of_ten(kMostDecimals - static_cast<int>(fraction.size()));
  if (value > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return MicroUsd{static_cast<std::int64_t>(negative ? -value : value)};
}

MicroUsd rounded_usd(double dollars) {
  const double micro = dollars * static_cast<double>(kMicro);
  double whole = std::floor(micro);
  if (micro - whole >= 0.5) whole += 1;
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(whole >= -kLimit && whole < kLimit)) {
    throw std::overflow_error("an amount of money does not fit in 64 bits of micro-dollars");
  }
  return {static_cast<std::int64_t>(whole)};
}

double to_usd(MicroUsd amount) {
  return static_cast<double>(amount.value) / static_cast<double>(kMicro);
}

std::string format_usd(MicroUsd amount, int decimals) {
  if (decimals < 0 || decimals > kMostDecimals) {
    throw std::invalid_argument("format_usd: decimals must be from 0 to 6");
  }
  const std::int64_t step = power_of_ten(kMostDecimals - decimals);
  const bool below = amount.value < 0;
  const __int128 size = below ? -__int128{amount.value} : __int128{amount.value};
  const auto units = static_cast<std::int64_t>((size + step / 2) / step);
  const std::int64_t unit = power_of_ten(decimals);
  std::string text = format_integer(units / unit);
  if (decimals > 0) {
    const std::string fraction = std::to_string(units % unit);
    const std::size_t width = static_cast<std::size_t>(decimals);
    text += "." + std::string(width - fraction.size(), '0') + fraction;
  }
  return below && units > 0 ? "−" + text : text;
}

std::string format_usd_roughly(MicroUsd amount) {
  int digits = 0;  // of the amount in micro-dollars
  for (std::int64_t rest = amount.value; rest != 0; rest /= 10) ++digits;
  const std::int64_t step = power_of_ten(std::max(digits - 2, 0));
  const MicroUsd rounded = scaled(amount, 1, step) * step;
  // 9.96 rounds to 10: the digits are those of what is printed.
  const std::int64_t size = std::abs(rounded.value);
  if (size >= 10 * power_of_ten(kMostDecimals)) return format_usd(rounded, 0);
  return format_usd(rounded, size >= power_of_ten(kMostDecimals) ? 1 : 2);
}

double exact_usd(MicroUsd amount) {
  // Below this amount the doubles lie closer to each other than micro-dollars.
  constexpr std::int64_t kAlwaysExact = (std::int64_t{1} << 33) * 1'000'000;
  const double dollars = to_usd(amount);
  const bool far = amount.value > kAlwaysExact || amount.value < -kAlwaysExact;
  if (far && usd_of(dollars) != amount) {
    throw InputError("$" + format_usd(amount, 6) +
                     ": expected an amount that a JSON number keeps to the micro-dollar, as all "
                     "below $8,589,934,592 are");
  }
  return dollars;
}

std::optional<MicroUsd> usd_of(double dollars) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.begin(), text.end(), dollars, std::chars_format::fixed);
  if (end.ec != std::errc()) return std::nullopt;  // more digits than any amount has
  return parse_usd({text.data(), static_cast<std::size_t>(end.ptr - text.data())});
}

MicroUsd median(std::vector<MicroUsd> amounts) {
  std::ranges::sort(amounts);
  const std::size_t half = amounts.size() / 2;
  if (amounts.size() % 2 == 1) return amounts[half];
  return scaled(amounts[half - 1] + amounts[half], 1, 2);
}

}  // namespace sizesheet
