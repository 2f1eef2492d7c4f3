// SPDX-License-Identifier: Apache-2.0
// What looks like a slip of the hand in prices that can each be read.

#include <algorithm>
#include <map>
#include <unordered_map>

#include "catalog/prices/price.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kLeap = 10;  // times, up or down

std::string card_of(const Price& price) { return price.gpu + "/" + price.tier; }

using UsualPrices = std::map<std::string, MicroUsd>;  ///< the median per GPU, by card and tier

UsualPrices usual_prices(const std::vector<Price>& known) {
  std::map<std::string, std::vector<MicroUsd>> all;
  for (const Price& price : known) {
    if (!price.settled.empty()) continue;
    all[card_of(price)].push_back(scaled(price.usd_per_instance_hour, 1, price.gpus));
  }
  UsualPrices medians;
  for (auto& [card, prices] : all) medians[card] = median(std::move(prices));
  return medians;
}

/// The price of one GPU, put down for an instance of several, shows as a fraction of the usual. ""
/// where the row does not look like that.
std::string price_of_one(const UsualPrices& all, const Price& price) {
  const auto usual = all.find(card_of(price));
  const MicroUsd asked = price.usd_per_instance_hour;
  if (price.gpus == 1 || usual == all.end()) return "";
  if (asked * 3 >= usual->second * price.gpus) return "";
  return dollars(scaled(asked, 1, price.gpus)) + " a GPU-hour (" + dollars(asked) + " / " +
         std::to_string(price.gpus) + ") is below a third of " + dollars(usual->second) +
         ", the median of the catalog";
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

std::string above_on_demand(const Price& spot, const Offers& offers, std::int64_t day) {
  const Price* list = last_before(offers, spot.offer_key("on_demand"), day + 1);
  if (list == nullptr || spot.usd_per_instance_hour <= list->usd_per_instance_hour) return "";
  return "spot at " + dollars(spot.usd_per_instance_hour) + " is above on demand at " +
         dollars(list->usd_per_instance_hour);
}

}  // namespace

MicroUsd median(std::vector<MicroUsd> amounts) {
  std::ranges::sort(amounts);
  const std::size_t half = amounts.size() / 2;
  if (amounts.size() % 2 == 1) return amounts[half];
  return scaled(amounts[half - 1] + amounts[half], 1, 2);
}

std::vector<PriceWarning> price_warnings(const std::vector<Price>& rows,
                                         const std::vector<Price>& known, const std::string& day) {
  const UsualPrices usual = usual_prices(known);
  Offers offers;
  add_offers(known, offers);
  if (&rows != &known) add_offers(rows, offers);
  const auto last_day = day_number(day);
  std::vector<PriceWarning> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Price& price = rows[i];
    if (!price.settled.empty()) continue;
    const auto warn = [&](const std::string& key, const std::string& words) {
      if (!words.empty()) found.push_back({i, key, price.key() + ": " + words});
    };
    const std::string amount = price.asked ? "per_instance_hour" : "usd_per_instance_hour";
    const std::string one = price.confirmed.empty() ? price_of_one(usual, price) : "";
    if (!one.empty()) warn(amount, one + "; is it the price of one GPU?");
    const auto own_day = day_number(price.as_of);
    if (!own_day) continue;
    if (price.tier == "spot") warn(amount, above_on_demand(price, offers, *own_day));
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
  const UsualPrices usual = usual_prices(prices);
  for (Price& price : prices) {
    if (!price.settled.empty() || !price.confirmed.empty()) continue;
    price.doubt = price_of_one(usual, price);
  }
}

}  // namespace sizesheet
