// SPDX-License-Identifier: Apache-2.0
// The ownership part of a sheet specification: how an owned machine is used, and which purchase
// rates its cost rests on.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catalog/purchase.h"
#include "support/json.h"

namespace sizesheet {

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

}  // namespace sizesheet
