// SPDX-License-Identifier: Apache-2.0
// A table of prices from a feed: rows are taken, dropped or refused, and what is taken is a price
// file that the catalog reads, or is merged into another.
#include <filesystem>
#include <map>

#include "catalog/catalog.h"
#include "catalog/import/csv.h"
#include "catalog/import/price_import.h"
#include "catalog/prices/price.h"
#include "cli/import_prices.h"
#include "fuzz/target.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/temp_dir.h"
#include "support/text.h"

namespace sizesheet::fuzz {
namespace {

constexpr const char* kPriceFile = "prices.csv";
constexpr const char* kDay = "2026-01-01";

PriceImport candidates(std::string_view format, std::string_view text) {
  const CsvTable table = parse_csv(text, kPriceFile);
  if (const PriceFeed* feed = price_feed(format)) {
    return read_feed_prices(*feed, table, kPriceFile, "fuzzed", kDay, "a feed",
                            project_catalog().feeds.at(feed->id));
  }
  const bool dated = table.column("as_of").has_value();
  const bool sourced = table.column("source").has_value();
  return read_sizesheet_prices(table, kPriceFile, "fuzzed", dated ? "" : kDay,
                               sourced ? "" : "a feed");
}

PriceImport imported(std::string_view bytes) {
  const auto [format, text] = cut(bytes, "\n");
  return take_prices(candidates(format, text), project_catalog());
}

MergePlan merged(const std::vector<Price>& base, const std::vector<Price>& more) {
  static const TempDir kFolder;
  std::filesystem::create_directory(kFolder.path() / "prices");
  Catalog catalog;
  catalog.prices = base;
  for (Price& price : catalog.prices) {  // as they are loaded from the provider's file
    price.file = shown_path(kFolder.path() / "prices/fuzzed.json");
  }
  return plan_merge("fuzzed", more, catalog, kFolder.path());
}

/// The rows of a price file as the catalog reads them.
std::vector<Price> rows_of(const std::string& text) {
  const Json file = parse_json(text, "fuzzed.json");
  std::vector<Price> prices;
  Faults faults;
  for (const Json& row : file.at("rows")) {
    ObjectReader reader(row, "fuzzed.json", "/rows", faults);
    prices.push_back(read_price(reader, "fuzzed", project_catalog().exchange));
  }
  expect(faults.empty(), "the catalog takes what import-prices writes: " +
                             (faults.empty() ? std::string() : to_text(faults.all().front())));
  return prices;
}

}  // namespace

void price_pair(std::string_view bytes) {
  refusal_of([&] {
    const auto [older, newer] = cut(bytes, "\n---\n");
    const std::vector<Price> base = imported(older).prices;
    const std::vector<Price> more = imported(newer).prices;
    const MergePlan plan = merged(base, more);
    const std::vector<Price> rows = rows_of(plan.text);
    std::map<std::string, MicroUsd> known;
    for (const Price& row : rows) known[row.key()] = row.usd_per_instance_hour;
    for (const Price& row : base) {
      expect(known.at(row.key()) == row.usd_per_instance_hour, "no row is lost or changed");
    }
    for (const Price& row : more) expect(known.contains(row.key()), "each new row is there");
    expect(rows.size() == known.size(), "no row is there twice");
    expect(!merged(rows, more).changes, "the same again changes nothing");
  });
}

void price_csv(std::string_view bytes) {
  PriceImport import;
  const std::string refusal = refusal_of([&] { import = imported(bytes); });
  if (refusal != "no refusal") return;
  rows_of(price_file_text(import.provider, import.prices));
}

}  // namespace sizesheet::fuzz
