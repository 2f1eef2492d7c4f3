// SPDX-License-Identifier: Apache-2.0
// Which price rows may price a configuration, and in words why the others may not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/price.h"

namespace sizesheet {

struct PricePolicy {
  std::string tier = "on_demand";
  std::int64_t max_age_days = 400;
  std::vector<std::string> offers;             ///< empty: any; so are all lists below
  std::string as_of;                           ///< YYYY-MM-DD: today, as the sheet sees it
  std::vector<std::string> providers;          ///< only these
  std::vector<std::string> exclude_providers;  ///< none of these
  std::vector<std::string> regions;            ///< names; one that ends in "*" is a beginning
  std::vector<std::string> jurisdictions;      ///< of the provider's seat
  std::vector<std::string> locations;          ///< where the region is
  std::vector<std::string> tenancies;
};

/// True when `region` is `wanted`, or begins as `wanted` does up to its final "*".
bool region_matches(const std::string& region, const std::string& wanted);

/// Throws InputError when the tier is none that can be priced or `as_of` is no day.
void check_policy(const PricePolicy& policy);

/// "" when the policy would admit the row at some date, else the reason in words.
std::string why_barred(const Price& price, const PricePolicy& policy);

/// "" when the policy admits the row on its own, else the reason in words.
std::string why_not_admitted(const Price& price, const PricePolicy& policy);

}  // namespace sizesheet
