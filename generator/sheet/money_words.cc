// SPDX-License-Identifier: Apache-2.0
#include "sheet/money_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "catalog/prices/purchase.h"
#include "sheet/decision.h"
#include "support/money.h"
#include "support/named.h"
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

std::string price_kind_word(const std::optional<PriceKind>& kind) {
  return kind ? id_of(*kind) : "";
}

std::string price_words(const std::optional<PriceKind>& kind, const std::string& as_of) {
  return kind ? price_kind_word(kind) + ", " + as_of : as_of;
}

std::string order_words(const std::optional<PriceKind>& kind, const std::string& as_of,
                        const std::optional<LeadTime>& weeks) {
  constexpr std::array kTitles = {"list price", "shop price", "asking price", "price of past sales",
                                  "price of its parts"};
  const std::string title = kind ? std::string(kTitles[static_cast<std::size_t>(*kind)]) : "";
  return title + (title.empty() ? "" : ", ") + as_of +
         (weeks ? "; delivery in " + lead_words(*weeks) : "");
}

std::string pays_from_words(const OwnPick& own) {
  return format_number(*own.break_even_hours_per_month, 0) + " h per month, " +
         format_number(*own.break_even_runs_per_month, 1) + " runs";
}

std::string months_words(double months) {
  return format_number(months, months == std::floor(months) ? 0 : 1) +
         (months == 1 ? " month" : " months");
}

std::string lead_words(const LeadTime& weeks) {
  const std::string high = shortest(weeks.high) + (weeks.high == 1 ? " week" : " weeks");
  return weeks.low == weeks.high ? high : shortest(weeks.low) + " to " + high;
}

}  // namespace sizesheet
