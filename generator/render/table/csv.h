// SPDX-License-Identifier: Apache-2.0
// Tables as CSV: their text, prices and charges under FOCUS names, and the rows of a grid.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheet/measures.h"
#include "sheet/sheet.h"

namespace sizesheet {

/// A cell as RFC 4180 wants it; text that a spreadsheet would run as a formula gets a leading
/// quote.
std::string csv_cell(const std::string& text);

// ---- Prices and charges under the names of the FinOps Open Cost and Usage Specification
// (FOCUS 1.3), so that they can be laid beside a bill. What FOCUS has no name for starts with x_.

/// The columns of the specification that the tables and the workbook fill.
namespace focus {
inline constexpr const char* kProvider = "ServiceProviderName";
inline constexpr const char* kRegion = "RegionId";
inline constexpr const char* kSku = "SkuId";
inline constexpr const char* kSkuPrice = "SkuPriceId";
inline constexpr const char* kPricingCategory = "PricingCategory";
inline constexpr const char* kPricingQuantity = "PricingQuantity";
inline constexpr const char* kPricingUnit = "PricingUnit";
inline constexpr const char* kListUnitPrice = "ListUnitPrice";
inline constexpr const char* kListCost = "ListCost";
inline constexpr const char* kEffectiveCost = "EffectiveCost";
}  // namespace focus

/// prices.csv: every price row of the sheet's GPUs. A unit price is for an hour of one instance.
std::string focus_prices(const Sheet& sheet);

/// charges.csv: what each row of the sheet would be billed: a run on demand, on spot or in a
/// capacity block, a month of a reservation, the purchase, and a run on the owned machine.
/// ListUnitPrice x PricingQuantity is ListCost to within a micro-dollar; a purchase is billed whole
/// and its effective cost is zero, because the runs on the machine carry it.
std::string focus_charges(const Sheet& sheet);

/// The header, with a line end.
std::string grid_csv_header();
std::string grid_csv_line(const Row& row);

/// One object and a line end.
std::string grid_json_line(const Row& row);

}  // namespace sizesheet
