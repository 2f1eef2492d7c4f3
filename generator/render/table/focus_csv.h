// SPDX-License-Identifier: Apache-2.0
// Prices and charges under the names of the FinOps Open Cost and Usage Specification (FOCUS 1.3),
// so that they can be laid beside a bill. What FOCUS has no name for starts with x_.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// prices.csv: every price row of the sheet's GPUs. A unit price is for an hour of one instance.
std::string focus_prices(const Sheet& sheet);

/// charges.csv: what each row of the sheet would be billed: a run on demand, on spot or in a
/// capacity block, a month of a reservation, the purchase, and a run on the owned machine.
/// ListUnitPrice x PricingQuantity is ListCost to within a micro-dollar; a purchase is billed whole
/// and its effective cost is zero, because the runs on the machine carry it.
std::string focus_charges(const Sheet& sheet);

}  // namespace sizesheet
