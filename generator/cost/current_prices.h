// SPDX-License-Identifier: Apache-2.0
// The rows of a price table that count under one policy, found once for any number of questions.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "cost/price_policy.h"

namespace sizesheet {

class CurrentPrices {
 public:
  /// `all` must stay where it is. Throws InputError as check_policy does.
  CurrentPrices(const std::vector<Price>& all, PricePolicy policy);

  /// The rows for a GPU that the policy admits and no newer row of the same offer has replaced, in
  /// the order of the table.
  const std::vector<const Price*>& of(const std::string& gpu) const;

  /// "" when a row of the table counts, else the reason in words.
  std::string why_not(const Price& price) const;

 private:
  PricePolicy policy_;
  std::unordered_map<std::string, const Price*> newest_;  ///< by offer_key
  std::map<std::string, std::vector<const Price*>> by_gpu_;
};

}  // namespace sizesheet
