// SPDX-License-Identifier: Apache-2.0
// Money is an exact count of micro-dollars. Nothing rounds it but the functions below.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

/// US dollars times 10^6, exact.
struct MicroUsd {
  std::int64_t value = 0;

  auto operator<=>(const MicroUsd&) const = default;
  MicroUsd& operator+=(MicroUsd other);  ///< throws std::overflow_error
};

MicroUsd operator+(MicroUsd a, MicroUsd b);
MicroUsd operator-(MicroUsd a, MicroUsd b);
/// Throws std::overflow_error.
MicroUsd operator*(MicroUsd a, std::int64_t n);

/// numerator * factor / divisor in 128 bits, rounded half up. Throws std::overflow_error.
MicroUsd scaled(MicroUsd amount, std::int64_t factor, std::int64_t divisor);

/// From the text of a decimal number with at most six decimals ("3.82", "250000"); nullopt
/// otherwise.
std::optional<MicroUsd> parse_usd(std::string_view decimal);

/// From a physical figure in dollars, rounded half up to a micro-dollar.
MicroUsd rounded_usd(double dollars);

/// As a number for JSON (dollars; exact to the micro-dollar below 10^9 dollars).
double to_usd(MicroUsd amount);

/// "1,234.50": dollars with `decimals` places (0-6), rounded half away from zero; never "-0".
std::string format_usd(MicroUsd amount, int decimals);

/// "4,700", "27", "2.2": dollars with two significant digits.
std::string format_usd_roughly(MicroUsd amount);

/// `to_usd`, but refuses (InputError) an amount that a JSON number would not keep to the
/// micro-dollar; none below 2^33 dollars.
double exact_usd(MicroUsd amount);

/// The amount that `exact_usd` made this number of; nullopt for more than six decimals.
std::optional<MicroUsd> usd_of(double dollars);

/// Of at least one amount; of an even number of them the mean of the middle two, half up.
MicroUsd median(std::vector<MicroUsd> amounts);

}  // namespace sizesheet
