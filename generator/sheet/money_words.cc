// SPDX-License-Identifier: Apache-2.0
#include "sheet/money_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "support/money.h"
#include "support/text.h"

namespace sizesheet {

std::string usd_words(MicroUsd usd) {
  return "$" + format_usd(usd, usd >= MicroUsd{100'000'000} ? 0 : 2);
}

std::string hours_words(double hours) { return format_number(hours, hours < 10 ? 1 : 0) + " h"; }

std::string limit_words(double hours) {
  if (hours == std::floor(hours)) return format_number(hours, 0) + " h";
  const double rounded = std::round(hours * 1000) / 1000;
  return shortest(rounded > 0 ? rounded : hours) + " h";
}

}  // namespace sizesheet
