// SPDX-License-Identifier: Apache-2.0
// When a machine that a plan buys is there, and why it may not be bought.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalog/prices/purchase.h"

namespace sizesheet {

struct PlanDemand;

/// From order to delivery; `weeks` where the months follow from the catalog's.
struct Delivery {
  double months = 0;
  std::optional<LeadTime> weeks;

  /// The first month that the machine is there; months count from 0.
  std::int64_t from_month() const;
  /// "36 to 52 weeks", "3 months".
  std::string words() const;
};

/// What the sheet says of the machine, else the catalog, else what the sheet says of all.
Delivery delivery_of(const PlanDemand& plan, const PurchaseNode& node);

/// Why the plan cannot buy it; "" where it can.
std::string why_left_out(const PlanDemand& plan, const PurchaseNode& node);

}  // namespace sizesheet
