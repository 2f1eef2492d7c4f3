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
  /// Of `ask` alone: so many runs take the place of the planned hours.
  std::optional<double> planned_runs_per_month;
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
  std::string licence;             ///< optional: a year and GPU
  std::string used_life;           ///< of used machines, in the place of `life`
  std::string used_residual;       ///< likewise, of `residual` or `value_decay`
  std::string least_fte_per_node;  ///< of the catalog alone: people are paid for at least these
  std::string staff_fte_per_site;  ///< optional: or for these, where they are more

  /// Every rate that is named, in the order of the page: what it is for, and its id.
  std::vector<std::pair<std::string, std::string>> rates() const;
};

/// Reads `ownership` of a spec; every rate is looked up, and one that covers what another rate in
/// use counts is refused. Faults are recorded.
SpecOwnership read_spec_ownership(ObjectReader reader, const Purchase& purchase);

/// Those of them that machines with these GPU types need: the rates of used machines only where one
/// is sold.
std::vector<std::pair<std::string, std::string>> rates_in_use(const Purchase& purchase,
                                                              const SpecOwnership& own,
                                                              const std::vector<std::string>& gpus);

/// What a rate that a sheet names is for: the one list of them, in the order of the page.
struct OwnershipRole {
  enum class Named { kAlways, kAtWill, kWithStaff, kByCatalog };

  const char* key;   ///< in `ownership` of a sheet, or in its `staff`
  const char* name;  ///< its key of a rent-or-buy question; of used machines "used_" before it
  std::string SpecOwnership::*rate;
  Named named;
  const char* unit;  ///< of rate_unit; the rate must have it
  const char* words;
  void (*set)(OwnershipTerms& terms, double value);  ///< nullptr: only the range of planned hours
  const char* otherwise = nullptr;  ///< id of the catalog's rate where the sheet names none
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
