// SPDX-License-Identifier: Apache-2.0
// Reads back an edition's prices.csv, whose columns have FOCUS names.
#pragma once

#include <string>
#include <vector>

#include "catalog/import/csv.h"

namespace sizesheet {

struct PriceImport;
struct Provider;

/// The sellers of the rows, each once, by name. Throws InputError for a table that is no
/// prices.csv.
std::vector<std::string> focus_sellers(const CsvTable& table, const std::string& file);

/// The rows of one seller; those of others are counted. `known` is its entry or nullptr: a tenancy
/// that is the seller's is not the row's own. Throws InputError as `focus_sellers` does.
PriceImport read_focus_prices(const CsvTable& table, const std::string& file,
                              const std::string& provider, const Provider* known);

}  // namespace sizesheet
