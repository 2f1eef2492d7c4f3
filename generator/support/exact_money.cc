// SPDX-License-Identifier: Apache-2.0
#include "support/exact_money.h"

#include <array>
#include <charconv>
#include <string>
#include <system_error>

#include "support/error.h"

namespace sizesheet {

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

}  // namespace sizesheet
