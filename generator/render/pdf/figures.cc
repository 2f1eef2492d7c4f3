// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/figures.h"

#include <algorithm>

#include "support/text.h"

namespace sizesheet::pdf {

namespace {

constexpr std::int64_t kDollar = 1'000'000;

/// Thousands, then millions, then billions.
struct Short {
  std::int64_t size;
  const char* name;
};
constexpr Short kShorts[] = {
    {1000, "\u00a0k"}, {1'000'000, "\u00a0M"}, {1'000'000'000, "\u00a0bn"}};

}  // namespace

Figure absent() { return {std::string(kAbsent)}; }

Figure figure(double value, int decimals) {
  Figure forms;
  for (int places = decimals; places >= 0; --places) forms.push_back(format_number(value, places));
  for (const Short& unit : kShorts) {
    const double count = value / static_cast<double>(unit.size);
    if (count < 1) break;
    for (const int places : {1, 0}) forms.push_back(format_number(count, places) + unit.name);
  }
  return forms;
}

Figure figure(MicroUsd usd, int decimals) {
  Figure forms;
  for (int places = decimals; places >= 0; --places) forms.push_back(format_usd(usd, places));
  for (const Short& unit : kShorts) {
    if (usd.value / kDollar < unit.size) break;
    const MicroUsd count = scaled(usd, 1, unit.size);
    for (const int places : {1, 0}) forms.push_back(format_usd(count, places) + unit.name);
  }
  return forms;
}

Figure thousands(MicroUsd usd, int decimals) {
  Figure forms;
  const MicroUsd count = scaled(usd, 1, 1000);
  for (int places = decimals; places >= 0; --places) forms.push_back(format_usd(count, places));
  for (const Short& unit : kShorts) {
    if (unit.size == 1000) continue;  // that is what the head says
    if (usd.value / kDollar < unit.size) break;
    const MicroUsd units = scaled(usd, 1, unit.size);
    for (const int places : {1, 0}) {
      forms.push_back("$" + format_usd(units, places) + std::string(unit.name).substr(2));
    }
  }
  return forms;
}

Figure figure(const std::optional<MicroUsd>& usd, int decimals) {
  return usd ? figure(*usd, decimals) : absent();
}

int run_decimals(const std::vector<MicroUsd>& prices) {
  int decimals = 0;
  for (const MicroUsd price : prices) {
    if (price.value < 10 * kDollar) decimals = std::max(decimals, 1);
    if (price.value < kDollar) decimals = 2;
  }
  return decimals;
}

}  // namespace sizesheet::pdf
