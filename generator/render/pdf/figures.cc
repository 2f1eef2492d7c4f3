// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/figures.h"

#include <algorithm>

#include "support/text.h"

namespace sizesheet::pdf {

namespace {

constexpr std::int64_t kDollar = 1'000'000;

}  // namespace

Figure absent() { return {std::string(kAbsent)}; }

Figure figure(double value, int decimals) {
  Figure forms;
  for (int places = decimals; places >= 0; --places) forms.push_back(format_number(value, places));
  if (value >= 1000) {
    forms.push_back(format_number(value / 1000, 1) + "\u00a0k");
    forms.push_back(format_number(value / 1000, 0) + "\u00a0k");
  }
  return forms;
}

Figure figure(MicroUsd usd, int decimals) {
  Figure forms;
  for (int places = decimals; places >= 0; --places) forms.push_back(format_usd(usd, places));
  if (usd.value >= 1000 * kDollar) {
    const MicroUsd thousand = scaled(usd, 1, 1000);
    forms.push_back(format_usd(thousand, 1) + "\u00a0k");
    forms.push_back(format_usd(thousand, 0) + "\u00a0k");
  }
  return forms;
}

Figure thousands(MicroUsd usd, int decimals) { return figure(scaled(usd, 1, 1000), decimals); }

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
