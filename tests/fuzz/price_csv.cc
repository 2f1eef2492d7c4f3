// SPDX-License-Identifier: Apache-2.0
// A table of prices from a feed: rows are taken, dropped or refused, and what is taken is a price
// file that the catalog reads.
#include "catalog/price_file.h"
#include "catalog/price_import.h"
#include "fuzz/target.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet::fuzz {
namespace {

constexpr const char* kPriceFile = "prices.csv";
constexpr const char* kDay = "2026-01-01";

PriceCandidates candidates(std::string_view format, std::string_view text) {
  const CsvTable table = parse_csv(text, kPriceFile);
  if (format == "skypilot") {
    return read_skypilot_prices(table, kPriceFile, "fuzzed", kDay, "a feed",
                                project_catalog().skypilot);
  }
  const bool dated = table.column("as_of").has_value();
  const bool sourced = table.column("source").has_value();
  return read_sizesheet_prices(table, kPriceFile, "fuzzed", dated ? "" : kDay,
                               sourced ? "" : "a feed");
}

}  // namespace

void price_csv(std::string_view bytes) {
  PriceImport import;
  const std::string refusal = refusal_of([&] {
    const auto [format, text] = cut(bytes, "\n");
    import = take_prices(candidates(format, text), project_catalog());
  });
  if (refusal != "no refusal") return;
  std::vector<Json> rows;
  for (const Price& price : import.prices) rows.push_back(*price.raw);
  const Json file = parse_json(price_file_text(import.provider, rows), "fuzzed.json");
  Faults faults;
  for (const Json& row : file.at("rows")) {
    ObjectReader reader(row, "fuzzed.json", "/rows", faults);
    read_price(reader, "fuzzed", project_catalog().exchange);
  }
  expect(faults.empty(), "the catalog takes what import-prices writes: " +
                             (faults.empty() ? std::string() : to_text(faults.all().front())));
}

}  // namespace sizesheet::fuzz
