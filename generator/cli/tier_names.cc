// SPDX-License-Identifier: Apache-2.0
#include "cli/tier_names.h"

#include <vector>

#include "catalog/names.h"
#include "catalog/prices/price.h"

namespace sizesheet {

std::string tier_key(const std::string& asked) {
  std::vector<CalledEntry> all;
  for (const RentTier& tier : kPriceTiers) all.push_back({tier.key, {tier.key, tier.words}});
  return asked.empty() ? asked : resolved("tier", asked, all);
}

}  // namespace sizesheet
