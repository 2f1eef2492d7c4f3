// SPDX-License-Identifier: Apache-2.0
#include "catalog/prices/price_warnings.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "catalog/prices/price.h"
#include "catalog/prices/usual_prices.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kLeap = 10;  // times, up or down
constexpr const char* kMarketplace = "marketplace";

/// What an odd amount may be, in the place of the price of an hour of the instance.
std::string question_of(const Price& price, bool below) {
  if (!below) return "; is it the price of an hour?";
  const bool auction = price.gpus == 1 || price.offer == kMarketplace;
  return auction ? "; is it the floor of an auction?" : "; is it the price of one GPU?";
}

/// The rows of every offer by day, those of one day as they came.
using Offers = std::unordered_map<std::string, std::multimap<std::int64_t, const Price*>>;

void add_offers(const std::vector<Price>& prices, Offers& offers) {
  for (const Price& price : prices) {
    const auto day = day_number(price.as_of);
    if (day && price.settled.empty()) offers[price.offer_key()].emplace(*day, &price);
  }
}

/// The newest row of the offer before `day`; nullptr where there is none.
const Price* last_before(const Offers& offers, const std::string& offer, std::int64_t day) {
  const auto rows = offers.find(offer);
  if (rows == offers.end()) return nullptr;
  const auto next = rows->second.lower_bound(day);
  return next == rows->second.begin() ? nullptr : std::prev(next)->second;
}

/// "" or what is odd about the amount beside the offer's last.
std::string leap(const Price& price, const Price& last) {
  const MicroUsd now = price.usd_per_instance_hour;
  const MicroUsd then = last.usd_per_instance_hour;
  const bool up = now >= then * kLeap;
  if (!up && now * kLeap > then) return "";
  return dollars(now) + " is " + (up ? "ten times" : "a tenth of") + " the " + dollars(then) +
         " of the same offer on " + last.as_of + (up ? ", or more" : ", or less");
}

/// A spot price that is not below the last on demand of the same machine; one that equals it is no
/// price of its own.
template <typename Warn>
void warn_of_spot(const Price& spot, const Offers& offers, std::int64_t day,
                  const std::string& amount, const Warn& warn) {
  const Price* list = last_before(offers, spot.offer_key("on_demand"), day + 1);
  if (list == nullptr || spot.usd_per_instance_hour < list->usd_per_instance_hour) return;
  const std::string asked = "spot at " + dollars(spot.usd_per_instance_hour);
  if (spot.usd_per_instance_hour > list->usd_per_instance_hour) {
    return warn(amount, asked + " is above on demand at " + dollars(list->usd_per_instance_hour));
  }
  if (spot.confirmed.empty()) warn(amount, asked + " is the price on demand", true);
}

/// A marketplace that asks the same on demand as spot publishes the bid of an auction as both.
template <typename Warn>
void warn_of_bid(const Price& price, const Offers& offers, std::int64_t day,
                 const std::string& amount, const Warn& warn) {
  if (price.offer != kMarketplace || !price.confirmed.empty()) return;
  const Price* spot = last_before(offers, price.offer_key("spot"), day + 1);
  if (spot == nullptr || spot->as_of != price.as_of ||
      spot->usd_per_instance_hour != price.usd_per_instance_hour) {
    return;
  }
  warn(amount,
       "on demand at " + dollars(price.usd_per_instance_hour) +
           " is the spot price of a marketplace; is it the bid of an auction?",
       true);
}

}  // namespace

std::vector<PriceWarning> price_warnings(const std::vector<Price>& rows,
                                         const std::vector<Price>& known, const std::string& day) {
  const UsualPrices usual(known);
  Offers offers;
  add_offers(known, offers);
  if (&rows != &known) add_offers(rows, offers);
  const auto last_day = day_number(day);
  std::vector<PriceWarning> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Price& price = rows[i];
    if (!price.settled.empty()) continue;
    const auto warn = [&](const std::string& key, const std::string& words, bool doubtful = false) {
      if (!words.empty()) found.push_back({i, key, price.key() + ": " + words, words, doubtful});
    };
    const std::string amount = price.asked ? "per_instance_hour" : "usd_per_instance_hour";
    const OddAmount odd = price.confirmed.empty() ? usual.odd_amount(price) : OddAmount{};
    if (odd) warn(amount, odd.words + question_of(price, odd.below), true);
    const auto own_day = day_number(price.as_of);
    if (!own_day) continue;
    if (price.tier == "spot") warn_of_spot(price, offers, *own_day, amount, warn);
    if (price.tier == "on_demand") warn_of_bid(price, offers, *own_day, amount, warn);
    if (const Price* last = last_before(offers, price.offer_key(), *own_day)) {
      warn(amount, leap(price, *last));
    }
    if (last_day && *own_day > *last_day) {
      warn("as_of", "dated after " + day + ", the day of the sheet");
    }
  }
  return found;
}

void mark_doubts(std::vector<Price>& prices) {
  const UsualPrices usual(prices);
  for (Price& price : prices) {
    if (!price.settled.empty() || !price.confirmed.empty()) continue;
    const OddAmount odd = usual.odd_amount(price);
    if (odd.below) price.doubt = odd.words;  // one that is too high never wins
  }
}

}  // namespace sizesheet
