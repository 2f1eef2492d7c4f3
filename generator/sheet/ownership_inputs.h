// SPDX-License-Identifier: Apache-2.0
// Every figure that the ownership of a machine rests on, and where it enters the arithmetic: the
// one list behind the terms, the printed assumptions and the sensitivities.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "catalog/purchase.h"
#include "cost/ownership.h"
#include "sheet/spec_ownership.h"

namespace sizesheet {

inline constexpr const char* kUsdPerNode = "usd_per_node";
inline constexpr const char* kKwPerNode = "kw_per_node";
inline constexpr const char* kPlannedHours = "planned-hours-per-month";

/// What a rate that a sheet names is for: the one list of them, in the order of the page.
struct OwnershipRole {
  const char* key;   ///< in `ownership` of a sheet, or in its `staff`
  const char* name;  ///< its key of a rent-or-buy question
  std::string SpecOwnership::*rate;
  const char* unit;  ///< of rate_unit; the rate must have it
  const char* words;
  void (*set)(OwnershipTerms& terms, double value);  ///< nullptr: only the range of planned hours
};

std::span<const OwnershipRole> ownership_roles();

struct OwnershipInput {
  std::string id;    ///< rate id, kUsdPerNode, kKwPerNode or kPlannedHours
  std::string role;  ///< what it does
  std::string title;
  std::string unit;
  double low = 0;
  double typical = 0;
  double high = 0;
  std::string basis;  ///< source | part-assumption | assumption | choice
  std::string source;
  std::string date;
  bool varies = true;  ///< false: a convention, no uncertainty
  void (*set)(OwnershipTerms& terms, double value) = nullptr;
};

/// The inputs of owning these machines; `joined`: several of them, behind a network. The planned
/// hours come last, since they need the hours of a month.
std::vector<OwnershipInput> ownership_inputs(const Purchase& purchase, const SpecOwnership& own,
                                             const PurchaseNode& node, bool joined);

/// The terms with every input at its typical value.
OwnershipTerms typical_terms(const std::vector<OwnershipInput>& inputs, const PurchaseNode& node,
                             std::int64_t gpus);

}  // namespace sizesheet
