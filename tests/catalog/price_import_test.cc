// SPDX-License-Identifier: Apache-2.0
// Prices from files of others: what is taken, and the words for what is not, by the files of
// tests/oracles/price_files.json.

#include "catalog/import/price_import.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "catalog/import/csv.h"
#include "catalog/prices/price.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/text.h"

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
                      const std::string& provider = "aws", const ImportRules& rules = {}) {
  return take_prices(
      read_feed_prices(*price_feed(feed), parse_csv(text, "vms.csv"), "vms.csv", provider,
                       "2026-11-21", "a catalog", small_catalog().feeds.at(feed)),
      small_catalog(), rules);
}

PriceImport from_ours(const std::string& text, const std::string& as_of = "",
                      const ImportRules& rules = {}) {
  return take_prices(read_sizesheet_prices(parse_csv(text, "aws.csv"), "aws.csv", "aws", as_of, ""),
                     small_catalog(), rules);
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
    const char* kinds[] = {"refused", "dropped", "warning", "left out"};
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
  ImportRules rules{{}, row.value("today", ""), row.value("newest", "")};
  const Json accepted = row.value("accept", Json::array());
  for (const std::string key : accepted) rules.accepted.push_back(key);
  if (feed == "ours") return from_ours(text, row.value("as_of", ""), rules);
  return from_feed(feed, text, row.value("provider", "aws"), rules);
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

TEST(PriceFiles, AnAcceptedKeyIsOneOfTheFile) {
  const std::string file =
      "InstanceType,AcceleratorName,AcceleratorCount,Price,Region\nm,H100-SXM,1,0.5,east\n";
  const ImportRules rules{{"lambda/east/m/h100-sxm/on_demand/1/2026-11-20"}, "", ""};
  EXPECT_EQ(refusal_of([&] { from_feed("skypilot", file, "lambda", rules); }),
            "--accept: expected the key of a row, got "
            "\"lambda/east/m/h100-sxm/on_demand/1/2026-11-20\" (did you mean "
            "\"lambda/east/m/h100-sxm/on_demand/1/2026-11-21\"?)");
}

TEST(PriceFiles, OfASellerWithUsualRowsAnotherLikeThemIsUsual) {
  Catalog catalog;
  catalog.gpus = project_catalog().gpus;
  for (const auto& [provider, usd] : {std::pair{"a", 3.0}, {"b", 4.0}, {"own", 1.4}}) {
    catalog.prices.push_back(known_price("h100-sxm", "on_demand", 1, usd));
    catalog.prices.back().provider = provider;
  }
  const std::string header =
      "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source\n";
  const auto taken = [&](const std::string& seller, const std::string& usd) {
    const std::string text = header + "h100-sxm,any,1x,1,on_demand,list," + usd + ",2026-11-20,s\n";
    const PriceImport import = take_prices(
        read_sizesheet_prices(parse_csv(text, "f.csv"), "f.csv", seller, "", ""), catalog);
    return import.prices.size();
  };
  EXPECT_EQ(taken("own", "1.1"), 1U) << "near its own, though below a third of 3.50";
  EXPECT_EQ(taken("own", "0.9"), 0U);
  EXPECT_EQ(taken("new", "0.99"), 0U) << "of three sellers the median is 3";
  EXPECT_EQ(taken("new", "1.01"), 1U);
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
