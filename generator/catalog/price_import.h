// SPDX-License-Identifier: Apache-2.0
// Prices on their way from someone's file into the catalog: rows are taken, dropped or refused,
// each with its line and the reason.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "support/csv.h"

namespace sizesheet {

struct ImportNote {
  enum class Kind { kRefuse, kDrop, kWarn };

  std::int64_t line = 0;
  Kind kind = Kind::kRefuse;
  std::string text;
};

/// A row that its format's reader understood, as a row of a price file.
struct PriceCandidate {
  std::int64_t line = 0;
  std::string zone;  ///< within the region, or ""
  Json row;
};

/// What a format's reader made of a table.
struct PriceCandidates {
  std::string provider;
  std::vector<PriceCandidate> rows;
  std::vector<ImportNote> notes;
  std::int64_t without_gpu = 0;  ///< machines that have none
};

struct PriceImport {
  std::string provider;
  std::vector<Price> prices;      ///< by key, each once
  std::vector<ImportNote> notes;  ///< by line
  std::int64_t without_gpu = 0;
  std::int64_t other_zones = 0;  ///< repeat a price for another zone of its region
};

/// Checks every candidate as the catalog would, and against its prices. Rows of one key with one
/// price become one; zones that differ in price become regions; else rows of one key are refused.
PriceImport take_prices(PriceCandidates candidates, const Catalog& catalog);

/// Rows of SkyPilot's vms.csv. `provider` is ours; the day and the source stand in no column.
PriceCandidates read_skypilot_prices(const CsvTable& table, const std::string& file,
                                     const std::string& provider, const std::string& as_of,
                                     const std::string& source, const AcceleratorNames& names);

/// Rows whose columns are the keys of a price row. `as_of` and `source` fill columns that are
/// missing, and are refused beside them.
PriceCandidates read_sizesheet_prices(const CsvTable& table, const std::string& file,
                                      const std::string& provider, const std::string& as_of,
                                      const std::string& source);

}  // namespace sizesheet
