// SPDX-License-Identifier: Apache-2.0
// Prices from files of others: what is taken, and the words for what is not, by the files of
// tests/oracles/price_files.json.
#include "catalog/prices/price_import.h"

#include <gtest/gtest.h>

#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

Price known_price(const std::string& gpu, const std::string& tier, std::int64_t gpus, double usd) {
  Price price;
  price.provider = "aws";
  price.gpu = gpu;
  price.tier = tier;
  price.gpus = gpus;
  price.usd_per_instance_hour = rounded_usd(usd);
  return price;
}

/// The project's GPUs and names; of prices only three of the H100.
const Catalog& small_catalog() {
  static const Catalog kCatalog = [] {
    Catalog catalog;
    catalog.gpus = project_catalog().gpus;
    catalog.feeds = project_catalog().feeds;
    catalog.prices = {known_price("h100-sxm", "on_demand", 8, 24),
                      known_price("h100-sxm", "on_demand", 1, 4),
                      known_price("h100-sxm", "on_demand", 8, 40)};
    return catalog;
  }();
  return kCatalog;
}

/// A file of a feed.
PriceImport from_feed(const std::string& feed, const std::string& text,
                      const std::string& provider = "aws") {
  return take_prices(
      read_feed_prices(*price_feed(feed), parse_csv(text, "vms.csv"), "vms.csv", provider,
                       "2026-11-21", "a catalog", small_catalog().feeds.at(feed)),
      small_catalog());
}

PriceImport from_ours(const std::string& text, const std::string& as_of = "") {
  return take_prices(read_sizesheet_prices(parse_csv(text, "aws.csv"), "aws.csv", "aws", as_of, ""),
                     small_catalog());
}

Texts keys_of(const PriceImport& import) {
  Texts keys;
  for (const Price& price : import.prices) {
    keys.push_back(price.key() + " $" + format_usd(price.usd_per_instance_hour, 2));
  }
  return keys;
}

Texts notes_of(const PriceImport& import) {
  Texts notes;
  for (const ImportNote& note : import.notes) {
    const char* kinds[] = {"refused", "dropped", "warning"};
    notes.push_back(std::to_string(note.line) + " " + kinds[static_cast<int>(note.kind)] + ": " +
                    note.text);
  }
  return notes;
}

/// The file of a case, as the feed or a table of our own reads it.
PriceImport import_of(const Json& headers, const Json& row) {
  const std::string feed = row.at("feed");
  std::string text;
  const Json parts = row.value("text", Json::array());
  for (const std::string part : parts) text += part;
  const Json lines = row.value("lines", Json::array());
  if (!lines.empty()) text = headers.at(feed).get<std::string>() + "\n";
  for (const std::string line : lines) text += line + "\n";
  if (feed == "ours") return from_ours(text, row.value("as_of", ""));
  return from_feed(feed, text, row.value("provider", "aws"));
}

TEST(PriceFiles, AreTakenRowByRowOrRefusedInWords) {
  const Json file = oracle("price_files.json");
  for (const Json& row : file.at("files")) {
    SCOPED_TRACE(row.at("case").get<std::string>());
    const PriceImport import = import_of(file.at("headers"), row);
    EXPECT_EQ(Json(keys_of(import)), row.at("prices"));
    EXPECT_EQ(Json(notes_of(import)), row.at("notes"));
    EXPECT_EQ(import.without_gpu, row.value("without_gpu", 0));
    EXPECT_EQ(import.other_zones, row.value("other_zones", 0));
    Json written = Json::array();
    for (const Price& price : import.prices) written.push_back(price_row(price));
    const Json has = row.value("has", Json::object());
    for (const auto& [place, value] : has.items()) {
      EXPECT_EQ(written.at(Json::json_pointer(place)), value) << place;
    }
    const Json lacks = row.value("lacks", Json::array());
    for (const std::string place : lacks) {
      EXPECT_FALSE(written.contains(Json::json_pointer(place))) << place;
    }
  }
}

TEST(PriceFiles, OfManyContradictionsTheFirstAreNamed) {
  std::string lines = "InstanceType,AcceleratorName,AcceleratorCount,Price,Region\n";
  for (int i = 1; i <= 10; ++i) lines += "m,L4,1," + std::to_string(i) + ",east\n";
  const PriceImport import = from_feed("skypilot", lines);
  EXPECT_EQ(import.notes.size(), 10U);
  EXPECT_EQ(
      import.notes.back().text,
      "expected one price of aws/east/m/l4/on_demand/1/2026-11-21, got $1 in line 2, $2 in line "
      "3, $3 in line 4, $4 in line 5, $5 in line 6, $6 in line 7, $7 in line 8, $8 in line 9, 2 "
      "more");
}

TEST(PriceFiles, MissingColumnsEndTheImport) {
  const auto refused = [](const std::string& feed, const std::string& header) {
    return refusal_of([&] { from_feed(feed, header); });
  };
  EXPECT_EQ(refused("skypilot", "InstanceType,AcceleratorName,AcceleratorCount,price,Region\n"),
            "vms.csv: expected a column \"Price\", got InstanceType, AcceleratorName, "
            "AcceleratorCount, price, Region (did you mean \"price\"?)");
  EXPECT_EQ(refused("gpuhunt", "instance_name,location,price,gpu_count,gpu_name\n"),
            "vms.csv: expected a column \"spot\", got instance_name, location, price, gpu_count, "
            "gpu_name");
}

TEST(PriceFiles, ADayStandsInItsColumnOrInItsOption) {
  const std::string dated =
      "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source\n";
  const std::string undated = "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,source\n";
  const auto refused = [](const std::string& text, const std::string& as_of) {
    return refusal_of([&] { from_ours(text, as_of); });
  };
  EXPECT_EQ(refused(dated, "2026-11-21"),
            "--as-of: expected no such option, since aws.csv has a column \"as_of\"");
  EXPECT_EQ(
      refused(undated, ""),
      "aws.csv: expected a column \"as_of\" or the option --as-of, got gpu, region, instance, "
      "gpus, tier, offer, usd_per_instance_hour, source");
}

}  // namespace
}  // namespace sizesheet
