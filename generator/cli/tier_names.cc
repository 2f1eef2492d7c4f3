// SPDX-License-Identifier: Apache-2.0
#include "cli/tier_names.h"

#include <algorithm>
#include <vector>

#include "catalog/names.h"
#include "catalog/prices/price.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "reserved_3y" of "3yr", "3 years", "36 months"; of a year where no number is said.
std::string reserved_tier(const std::string& term) {
  const std::string letters = small_letters(term);
  const std::size_t end = std::min(letters.find_first_not_of("0123456789"), letters.size());
  const int number = parsed<int>(letters.substr(0, end)).value_or(1);
  const bool months = letters.find("mo", end) != letters.npos || number > 5;
  const int years = months ? (number + 11) / 12 : number;
  const std::string key = "reserved_" + std::to_string(std::max(years, 1)) + "y";
  const bool known =
      std::ranges::any_of(kPriceTiers, [&](const RentTier& tier) { return tier.key == key; });
  return known ? key : "";
}

}  // namespace

std::vector<CalledEntry> called_tiers() {
  std::vector<CalledEntry> all;
  for (const RentTier& tier : kPriceTiers) all.push_back({tier.key, {tier.key, tier.words}});
  return all;
}

std::string tier_key(const std::string& asked) {
  return asked.empty() ? asked : resolved("tier", asked, called_tiers());
}

std::string tier_of_flag(const std::string& name) {
  if (contains({"--spot", "--preemptible", "--interruptible", "--use-spot"}, name)) return "spot";
  return contains({"--on-demand", "--ondemand"}, name) ? "on_demand" : "";
}

std::string tier_of_option(const std::string& name, const std::string& value) {
  if (const std::string tier = tier_of_flag(name); !tier.empty()) return tier;
  if (contains({"--reserved", "--reservation", "--commitment", "--committed", "--term"}, name)) {
    return reserved_tier(value);
  }
  if (!contains({"--pricing", "--provisioning-model", "--capacity-type"}, name)) return "";
  try {
    return tier_key(small_letters(value));
  } catch (const InputError&) {
    return "";
  }
}

}  // namespace sizesheet
