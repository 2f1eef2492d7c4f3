// SPDX-License-Identifier: Apache-2.0
// The quantities by kind; guide_quantity.cc joins them into one set.
#pragma once

#include <map>
#include <string>

#include "evidence/guide_quantity.h"

namespace sizesheet {

using Quantity = GuideValue (*)(const GuideQuestion&);
using Quantities = std::map<std::string, Quantity>;

Quantities memory_quantities();  ///< bytes, and parameters they are bytes of
Quantities count_quantities();   ///< GPUs, micro-batches, sequence lengths, what fits
Quantities plain_quantities();   ///< sums, products, shares: prices, hours, ratios

GuideValue guide_value(double number);
GuideValue guide_value(bool answer);
GuideValue guide_value(std::vector<double> numbers);

/// Numbers under `key`: a list, or one number as a list of one.
std::vector<double> numbers_at(ObjectReader& inputs, const std::string& key);
/// The sum of the numbers under `key`.
double sum_at(ObjectReader& inputs, const std::string& key);

}  // namespace sizesheet
