// SPDX-License-Identifier: Apache-2.0
// `check`: what is wrong with the catalog.
#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "catalog/files/loader.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "support/error.h"

namespace sizesheet {

struct Catalog;

void add_check(CLI::App& app, const Streams& streams, Command& chosen);

struct CheckOptions {
  CatalogLayers catalog = default_catalog();
  std::string as_of;  ///< "" falls back to SOURCE_DATE_EPOCH, then to the latest day of the sheets
  bool json = false;  ///< faults and warnings as JSON, all of it on `out`
  std::string sheet = {};  ///< an id or a file: this specification alone; "" the catalog
};

/// Exit code 0 without a fault, warnings or not, else 1. A specification is only looked at once the
/// catalog has no fault, which is told instead. Unreadable or malformed files throw
/// InputError. Faults go to `out`, warnings to `err`.
int run_check(const CheckOptions& options, std::ostream& out, std::ostream& err);

/// Each odd price of the catalog, as of a sheet's day, with its place.
std::vector<Fault> odd_prices(const Catalog& catalog, const std::string& day);
/// A line for each.
void print_warnings(const std::vector<Fault>& odd, std::ostream& err);

}  // namespace sizesheet
