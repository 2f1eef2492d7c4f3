// SPDX-License-Identifier: Apache-2.0
// `sizesheet check`: every fault in the catalog, one a line, and what looks odd in its prices.
#pragma once

#include <iosfwd>
#include <string>

#include "catalog/catalog.h"

namespace sizesheet {

struct CheckOptions {
  std::string catalog = "catalog";
  std::string as_of;  ///< "" falls back to SOURCE_DATE_EPOCH, then to the latest day of the sheets
};

/// Exit code 0 without a fault, warnings or not, else 1. Unreadable or malformed files throw
/// InputError. Faults go to `out`, warnings to `err`.
int run_check(const CheckOptions& options, std::ostream& out, std::ostream& err);

/// A line for each odd price of the catalog, as of a sheet's day; how many there were.
std::size_t warn_of_prices(const Catalog& catalog, const std::string& day, std::ostream& err);

}  // namespace sizesheet
