// SPDX-License-Identifier: Apache-2.0
#include "cost/current_prices.h"

#include <utility>

#include "support/dates.h"

namespace sizesheet {
namespace {

/// True when `price` is of a later day than `other`.
bool is_newer(const Price& price, const Price& other) {
  return day_number(price.as_of) > day_number(other.as_of);
}

}  // namespace

CurrentPrices::CurrentPrices(const std::vector<Price>& all, PricePolicy policy)
    : policy_(std::move(policy)) {
  check_policy(policy_);
  std::vector<const Price*> admitted;
  for (const Price& price : all) {
    if (price.tier != policy_.tier || !why_not_admitted(price, policy_).empty()) continue;
    admitted.push_back(&price);
    const auto [known, is_first] = newest_.emplace(price.offer_key(), &price);
    if (!is_first && is_newer(price, *known->second)) known->second = &price;
  }
  for (const Price* price : admitted) {
    if (!is_newer(*newest_.at(price->offer_key()), *price)) by_gpu_[price->gpu].push_back(price);
  }
}

const std::vector<const Price*>& CurrentPrices::of(const std::string& gpu) const {
  static const std::vector<const Price*> kNone;
  const auto rows = by_gpu_.find(gpu);
  return rows == by_gpu_.end() ? kNone : rows->second;
}

std::string CurrentPrices::why_not(const Price& price) const {
  std::string reason = why_not_admitted(price, policy_);
  if (!reason.empty()) return reason;
  const Price& newest = *newest_.at(price.offer_key());
  return is_newer(newest, price) ? "history: replaced on " + newest.as_of : "";
}

}  // namespace sizesheet
