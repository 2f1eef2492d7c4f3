// SPDX-License-Identifier: Apache-2.0
// Prices on their way from someone's file into the catalog: comma-separated tables in (RFC 4180 and
// its users), rows taken, dropped or refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/import/csv.h"
#include "catalog/prices/price.h"
#include "support/json.h"

namespace sizesheet {

struct AcceleratorNames;

struct ImportNote {
  enum class Kind { kRefuse, kDrop, kWarn, kLeaveOut };

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

/// A table on its way in: what its format's reader made of it, then what was taken.
struct PriceImport {
  std::string provider;
  std::vector<PriceCandidate> rows;  ///< understood; none is left once they are taken
  std::vector<Price> prices;         ///< by key, each once
  std::vector<ImportNote> notes;     ///< by line
  std::int64_t without_gpu = 0;      ///< machines that have none
  std::int64_t other_zones = 0;      ///< repeat a price for another zone of its region
  std::int64_t other_sellers = 0;    ///< rows of sellers that were not asked for
};

/// A cell of a table as a row of a price file has it: counts with a blank between them ("1 2 8"),
/// and "true"; other words stay words, which the reader of the row refuses.
Json counts_of(const std::string& cell);
Json truth_of(const std::string& cell);

/// False, with a note, for a row that is not as wide as the header.
bool is_whole_row(const CsvTable& table, const CsvRow& row, PriceImport& result);

/// What an import takes beyond the rules, and what it does not take.
struct ImportRules {
  std::vector<std::string> accepted;  ///< keys of rows that are taken however odd they look
  std::string today;   ///< YYYY-MM-DD: no row may be dated more than a day later; "" unknown
  std::string newest;  ///< price known, YYYY-MM-DD: where `today` is unknown, no row may be dated
                       ///< more than a year later; "" any may
};

/// "" or why `as_of` is a day that is to come, as far as the rules can tell. The clock of the
/// machine is not asked: the same files lead to the same bytes.
std::string why_to_come(const std::string& as_of, const ImportRules& rules);

/// Checks every candidate as the catalog would, and against its prices. Rows of one key with one
/// price become one; zones that differ in price become regions; else rows of one key are refused. A
/// doubtful row (`price_warnings`) is left out unless it is accepted by its key, which confirms it.
/// Throws InputError for an accepted key that no row has.
PriceImport take_prices(PriceImport import, const Catalog& catalog, const ImportRules& rules = {});

/// Someone's table of machines: what it calls its columns, "" for those it does not have. What it
/// calls GPUs and providers stands in catalog/import/ID.json.
struct PriceFeed {
  const char* id;     ///< of --format
  const char* title;  ///< of those who publish it
  const char* files;  ///< what a file of one provider ends in
  const char* instance;
  const char* gpu;
  const char* count;  ///< of GPUs
  const char* price;  ///< US dollars per hour
  const char* region;
  const char* spot_price;  ///< beside that on demand
  const char* is_spot;     ///< what the one price is of: true or false
  const char* zone;        ///< within the region
  const char* words;       ///< that describe the GPU; SizeInMiB in them is its memory
  const char* memory_gb;   ///< of a GPU; a sign of its name reads "80gb"
};

inline constexpr PriceFeed kPriceFeeds[] = {
    {"skypilot", "SkyPilot", "/vms.csv", "InstanceType", "AcceleratorName", "AcceleratorCount",
     "Price", "Region", "SpotPrice", "", "AvailabilityZone", "GpuInfo", ""},
    {"gpuhunt", "gpuhunt", ".csv", "instance_name", "gpu_name", "gpu_count", "price", "location",
     "", "spot", "", "", "gpu_memory"}};

/// nullptr for no feed.
const PriceFeed* price_feed(std::string_view id);

/// Rows of a feed. `provider` is ours; the day and the source stand in no column.
PriceImport read_feed_prices(const PriceFeed& feed, const CsvTable& table, const std::string& file,
                             const std::string& provider, const std::string& as_of,
                             const std::string& source, const AcceleratorNames& names);

/// Rows whose columns are the keys of a price row, but `confirmed`, which only an edit of the
/// catalog or an accepted key sets. `as_of` and `source` fill columns that are missing, and are
/// refused beside them.
PriceImport read_sizesheet_prices(const CsvTable& table, const std::string& file,
                                  const std::string& provider, const std::string& as_of,
                                  const std::string& source);

}  // namespace sizesheet
