// SPDX-License-Identifier: Apache-2.0
// The ownership part of a sheet specification, and every figure that owning a machine rests on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "catalog/prices/purchase.h"
#include "support/json.h"
#include "support/named.h"

namespace sizesheet {

struct OwnershipTerms;

/// Ids of purchase rates. What is optional is "" where it is left out, and counts for nothing then.
struct SpecOwnership {
  double planned_hours_per_month = 0;
  std::string life;
  std::string residual;     ///< a share of the purchase; either this or value_decay
  std::string value_decay;  ///< orders of magnitude a year
  std::string cost_of_capital;
  std::string idle_power;
  std::string pue;
  std::string electricity;
  std::string colocation;
  std::string support;
  std::string network;
  std::string hours_per_month;
  std::string utilisation;         ///< optional: how far the planned hours may be off
  std::string cabling;             ///< optional: a share of the nodes' price
  std::string staff_fte_per_node;  ///< optional, with the next one
  std::string usd_per_fte_year;
  std::string licence;  ///< optional: a year and GPU

  /// Every rate in use, in the order of the page: its key of a rent-or-buy question, and its id.
  std::vector<std::pair<std::string, std::string>> rates() const;
};

/// Reads `ownership` of a spec; every rate is looked up, and one that covers what another rate in
/// use counts is refused. Faults are recorded.
SpecOwnership read_spec_ownership(ObjectReader reader, const Purchase& purchase);

/// What a rate that a sheet names is for: the one list of them, in the order of the page.
struct OwnershipRole {
  enum class Named { kAlways, kAtWill, kWithStaff };

  const char* key;   ///< in `ownership` of a sheet, or in its `staff`
  const char* name;  ///< its key of a rent-or-buy question
  std::string SpecOwnership::*rate;
  Named named;
  const char* unit;  ///< of rate_unit; the rate must have it
  const char* words;
  void (*set)(OwnershipTerms& terms, double value);  ///< nullptr: only the range of planned hours
};

std::span<const OwnershipRole> ownership_roles();

/// Its basis may also be "choice".
struct OwnershipInput : Estimate {
  std::string id;    ///< rate id, kUsdPerNode, kKwPerNode or kPlannedHours
  std::string role;  ///< what it does
  std::string title;
  std::string unit;
  bool varies = true;  ///< false: a convention, no uncertainty
  void (*set)(OwnershipTerms& terms, double value) = nullptr;
};
BOOST_DESCRIBE_STRUCT(OwnershipInput, (Estimate), (id, role, title, unit))

/// The inputs of owning these machines; `joined`: several of them, behind a network. The planned
/// hours come last, since they need the hours of a month.
std::vector<OwnershipInput> ownership_inputs(const Purchase& purchase, const SpecOwnership& own,
                                             const PurchaseNode& node, bool joined);

/// The terms with every input at its typical value.
OwnershipTerms typical_terms(const std::vector<OwnershipInput>& inputs, const PurchaseNode& node,
                             std::int64_t gpus);

}  // namespace sizesheet
