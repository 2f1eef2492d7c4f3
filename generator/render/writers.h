// SPDX-License-Identifier: Apache-2.0
// Names that several writers use: files of the calculator, and columns of FOCUS.
#pragma once

namespace sizesheet {

/// The engine of the calculator's page and its facts, in an edition that was built with them.
inline constexpr const char* kCalculatorEngine = "calculator-engine.js";
inline constexpr const char* kCalculatorFacts = "calculator-facts.js";

}  // namespace sizesheet

namespace sizesheet::focus {

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

}  // namespace sizesheet::focus
