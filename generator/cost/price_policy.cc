// SPDX-License-Identifier: Apache-2.0
#include "cost/price_policy.h"

#include <algorithm>
#include <optional>

#include "support/dates.h"
#include "support/error.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {

namespace {

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

std::string any_of(const std::vector<std::string>& values) { return join(values, " or "); }

/// "" when `value` is one of `wanted` or nothing is wanted; what nobody states is never admitted.
std::string why_not_among(const std::vector<std::string>& wanted, const std::string& value,
                          const std::string& what) {
  if (wanted.empty() || contains(wanted, value)) return "";
  if (value == kUnstated) return what + " not stated";
  return what + " is " + value + ", not " + any_of(wanted);
}

std::string why_not_provider(const std::string& provider, const PricePolicy& policy) {
  if (contains(policy.exclude_providers, provider)) return "provider left out: " + provider;
  if (policy.providers.empty() || contains(policy.providers, provider)) return "";
  return "provider is " + provider + ", not " + any_of(policy.providers);
}

std::string why_not_region(const std::string& region, const PricePolicy& policy) {
  if (policy.regions.empty()) return "";
  for (const std::string& wanted : policy.regions) {
    if (region_matches(region, wanted)) return "";
  }
  return "region is " + region + ", not " + any_of(policy.regions);
}

/// "" when the row is from where the policy wants it: provider, region, seat, place, tenancy.
std::string why_not_from(const Price& price, const PricePolicy& policy) {
  for (const std::string& reason :
       {why_not_provider(price.provider, policy), why_not_region(price.region, policy),
        why_not_among(policy.jurisdictions, price.jurisdiction, "provider's seat"),
        why_not_among(policy.locations, price.location, "place of the region"),
        why_not_among(policy.tenancies, price.tenancy, "tenancy")}) {
    if (!reason.empty()) return reason;
  }
  return "";
}

}  // namespace

bool region_matches(const std::string& region, const std::string& wanted) {
  if (!wanted.ends_with("*")) return region == wanted;
  return starts_with(region, wanted.substr(0, wanted.size() - 1));
}

void check_policy(const PricePolicy& policy) {
  if (policy.tier == kUnstatedTerm) {
    throw InputError("tier \"reserved_unstated\": a term that is not stated is never priced");
  }
  if (!contains(price_tiers(), policy.tier)) {
    std::vector<std::string> priced = price_tiers();
    priced.pop_back();
    throw InputError("unknown tier " + in_quotes(policy.tier) + did_you_mean(policy.tier, priced));
  }
  if (policy.as_of.size() != 10 || !day_number(policy.as_of)) {
    throw InputError("as_of: expected YYYY-MM-DD, got " + in_quotes(policy.as_of));
  }
}

std::string why_barred(const Price& price, const PricePolicy& policy) {
  if (price.tier == kUnstatedTerm) return "term not stated";
  if (price.tier != policy.tier) return "other tier (" + price.tier + ")";
  if (!price.settled.empty()) return "a settled conflict: " + price.settled;
  if (!price.doubt.empty()) return "in doubt until confirmed: " + price.doubt;
  if (!policy.offers.empty() && !contains(policy.offers, price.offer)) {
    return price.offer + " offer";
  }
  return why_not_from(price, policy);
}

std::string why_not_admitted(const Price& price, const PricePolicy& policy) {
  std::string reason = why_barred(price, policy);
  return reason.empty() ? why_not_dated(price, policy) : reason;
}

}  // namespace sizesheet
