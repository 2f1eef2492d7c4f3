// SPDX-License-Identifier: Apache-2.0
#include "catalog/prices/usual_prices.h"

#include <algorithm>
#include <utility>

#include "catalog/prices/price.h"
#include "support/money.h"

namespace sizesheet {
namespace {

constexpr MicroUsd kCent{10'000};
constexpr std::int64_t kTimes = 3;

std::string card_of(const Price& price) { return price.gpu + "/" + price.tier; }

MicroUsd per_gpu(const Price& price) { return scaled(price.usd_per_instance_hour, 1, price.gpus); }

std::string amount_words(const Price& price) {
  const MicroUsd asked = price.usd_per_instance_hour;
  const std::string words = dollars(per_gpu(price)) + " per GPU-hour";
  if (price.gpus == 1) return words;
  return words + " (" + dollars(asked) + " / " + std::to_string(price.gpus) + ")";
}

bool is_below(const Price& price, MicroUsd usual) {
  return price.usd_per_instance_hour * kTimes < usual * price.gpus;
}

bool is_above(const Price& price, MicroUsd usual) {
  return price.usd_per_instance_hour > usual * price.gpus * kTimes;
}

/// Of amounts in order, without the one at `left_out`.
MicroUsd median_without(const std::vector<MicroUsd>& sorted, std::size_t left_out) {
  const auto at = [&](std::size_t place) { return sorted[place < left_out ? place : place + 1]; };
  const std::size_t size = sorted.size() - 1;
  if (size % 2 == 1) return at(size / 2);
  return scaled(at(size / 2 - 1) + at(size / 2), 1, 2);
}

/// Regions of one seller differ in price by up to two times.
bool asks_alike(const Price& price, const Price& other) {
  return per_gpu(price) <= per_gpu(other) * 2 && per_gpu(other) <= per_gpu(price) * 2;
}

bool is_near_one_of(MicroUsd amount, const std::vector<MicroUsd>& others) {
  return std::ranges::any_of(
      others, [&](MicroUsd other) { return amount * 2 <= other * 3 && other * 2 <= amount * 3; });
}

}  // namespace

UsualPrices::UsualPrices(const std::vector<Price>& known) {
  for (const Price& price : known) {
    if (!price.settled.empty() || price.second_reading) continue;
    cards_[card_of(price)].sellers[price.provider].push_back(&price);
  }
  for (auto& [name, card] : cards_) add_medians(card);
}

void UsualPrices::add_medians(Card& card) {
  std::vector<MicroUsd> all;
  for (const auto& [seller, rows] : card.sellers) {
    std::vector<MicroUsd> amounts;
    for (const Price* price : rows) amounts.push_back(per_gpu(*price));
    all.insert(all.end(), amounts.begin(), amounts.end());
    card.medians[seller] = median(std::move(amounts));
    card.sorted.push_back(card.medians[seller]);
  }
  std::ranges::sort(card.sorted);
  card.median = median(std::move(all));
  for (const auto& [seller, rows] : card.sellers) {
    const std::optional<MicroUsd> usual = of_others(card, seller);
    for (const Price* price : rows) {
      const bool odd = usual && (is_below(*price, *usual) || is_above(*price, *usual));
      if (!odd || !price->confirmed.empty()) card.vouching[seller].push_back(per_gpu(*price));
    }
    std::vector<MicroUsd>& amounts = card.vouching[seller];
    std::ranges::sort(amounts);
    amounts.erase(std::unique(amounts.begin(), amounts.end()), amounts.end());
  }
}

std::optional<MicroUsd> UsualPrices::of_others(const Card& card, const std::string& seller) {
  const auto own = card.medians.find(seller);
  const bool alone = card.sorted.size() == (own == card.medians.end() ? 0U : 1U);
  if (alone) return std::nullopt;
  if (own == card.medians.end()) return median(card.sorted);
  const auto place = std::ranges::lower_bound(card.sorted, own->second);
  return median_without(card.sorted, static_cast<std::size_t>(place - card.sorted.begin()));
}

OddAmount UsualPrices::odd_amount(const Price& price) const {
  const std::string amount = amount_words(price);
  if (price.usd_per_instance_hour < kCent * price.gpus) {
    return {amount + " is below one cent", true};
  }
  const auto found = cards_.find(card_of(price));
  if (found == cards_.end()) return {};
  const Card& card = found->second;
  const std::optional<MicroUsd> usual = of_others(card, price.provider);
  if (!usual) {
    if (price.gpus == 1 || !is_below(price, card.median)) return {};
    return {amount + " is below a third of " + dollars(card.median) + ", the median of the catalog",
            true};
  }
  const bool below = is_below(price, *usual);
  if (!below && !is_above(price, *usual)) return {};
  const auto vouches = [&](const auto& of_seller) {
    const bool asked = !below || of_seller.first == price.provider;
    return asked && is_near_one_of(per_gpu(price), of_seller.second);
  };
  if (std::ranges::any_of(card.vouching, vouches)) return {};
  const auto own = card.sellers.find(price.provider);
  const auto is_like = [&](const Price* row) { return row != &price && asks_alike(price, *row); };
  if (!below && own != card.sellers.end() && std::ranges::any_of(own->second, is_like)) return {};
  return {amount + (below ? " is below a third of " : " is above three times ") + dollars(*usual) +
              ", the median of other sellers",
          below};
}

}  // namespace sizesheet
