// SPDX-License-Identifier: Apache-2.0
#include "cost/price_policy.h"

#include <algorithm>
#include <optional>

#include "support/dates.h"
#include "support/error.h"

namespace sizesheet {

namespace {

const std::vector<std::string>& priced_tiers() {
  static const std::vector<std::string> tiers = {"on_demand",   "spot",        "reserved_1y",
                                                 "reserved_3y", "reserved_5y", "capacity_block"};
  return tiers;
}

bool contains(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// "" when the row's date is within the policy's window.
std::string why_not_dated(const Price& price, const PricePolicy& policy) {
  const std::optional<std::int64_t> today = day_number(policy.as_of);
  const std::optional<std::int64_t> day = day_number(price.as_of);
  if (!today || !day) return "no valid date (" + price.as_of + ")";
  if (*day > *today) return "dated after " + policy.as_of + " (" + price.as_of + ")";
  if (*today - *day > policy.max_age_days) {
    return "older than " + std::to_string(policy.max_age_days) + " days (" + price.as_of + ")";
  }
  return "";
}

}  // namespace

void check_policy(const PricePolicy& policy) {
  if (policy.tier == "reserved_unstated") {
    throw InputError("tier \"reserved_unstated\": a term that is not stated is never priced");
  }
  if (!contains(priced_tiers(), policy.tier)) {
    throw InputError("unknown tier \"" + policy.tier + "\"" +
                     did_you_mean(policy.tier, priced_tiers()));
  }
  if (policy.as_of.size() != 10 || !day_number(policy.as_of)) {
    throw InputError("as_of: expected YYYY-MM-DD, got \"" + policy.as_of + "\"");
  }
}

std::string why_barred(const Price& price, const PricePolicy& policy) {
  if (price.tier == "reserved_unstated") return "term not stated";
  if (price.tier != policy.tier) return "other tier (" + price.tier + ")";
  if (!price.settled.empty()) return "a settled conflict: " + price.settled;
  if (!policy.offers.empty() && !contains(policy.offers, price.offer)) {
    return price.offer + " offer";
  }
  return "";
}

std::string why_not_admitted(const Price& price, const PricePolicy& policy) {
  std::string reason = why_barred(price, policy);
  return reason.empty() ? why_not_dated(price, policy) : reason;
}

bool same_offer(const Price& a, const Price& b) {
  return a.provider == b.provider && a.region == b.region && a.instance == b.instance &&
         a.gpu == b.gpu && a.tier == b.tier && a.gpus == b.gpus;
}

std::string why_not_current(const Price& price, const std::vector<Price>& all,
                            const PricePolicy& policy) {
  std::string reason = why_not_admitted(price, policy);
  if (!reason.empty()) return reason;
  const Price* newest = &price;
  for (const Price& other : all) {
    if (!same_offer(price, other) || !why_not_admitted(other, policy).empty()) continue;
    if (day_number(other.as_of) > day_number(newest->as_of)) newest = &other;
  }
  return newest == &price ? "" : "history: replaced on " + newest->as_of;
}

}  // namespace sizesheet
