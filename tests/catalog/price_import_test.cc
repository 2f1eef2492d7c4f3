// SPDX-License-Identifier: Apache-2.0
// Prices from files of others: what is taken, and the words for what is not.
#include "catalog/prices/price_import.h"

#include <gtest/gtest.h>

#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

constexpr const char* kHeader =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,"
    "AvailabilityZone\n";

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

PriceImport from_skypilot(const std::string& lines, const std::string& provider = "aws") {
  return from_feed("skypilot", kHeader + lines, provider);
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

TEST(SkyPilotPrices, AMachineBecomesAPriceOnDemandAndOneOnSpot) {
  const PriceImport import = from_skypilot(
      "p5.48xlarge,H100,8.0,192.0,2048.0,\"{'Gpus': [{'Name': 'H100', 'Count': 8}]}\",55.04,"
      "22.016,us-east-1,use1-az2\n");
  EXPECT_EQ(notes_of(import), Texts{});
  ASSERT_EQ(import.prices.size(), 2U);
  EXPECT_EQ(price_row(import.prices[0]),
            Json::parse(R"({"gpu": "h100-sxm", "region": "us-east-1", "instance": "p5.48xlarge",
              "gpus": 8, "tier": "on_demand", "offer": "list", "usd_per_instance_hour": 55.04,
              "as_of": "2026-11-21", "source": "a catalog"})"));
  EXPECT_EQ(import.prices[1].tier, "spot");
  EXPECT_EQ(import.prices[1].usd_per_instance_hour, MicroUsd{22'016'000});
}

TEST(SkyPilotPrices, ColumnsComeInAnyOrderAndSomeNotAtAll) {
  const PriceImport import =
      from_feed("skypilot",
                "\xEF\xBB\xBFRegion,Price,AcceleratorCount,AcceleratorName,InstanceType\r\n"
                "us-south-1,2.49,1.0,L40S,gpu_1x_l40s\r\n",
                "lambda");
  EXPECT_EQ(keys_of(import),
            Texts{"lambda/us-south-1/gpu_1x_l40s/l40s/on_demand/1/2026-11-21 $2.49"});
}

TEST(SkyPilotPrices, PricesAreRoundedToAMicroDollar) {
  const PriceImport import =
      from_skypilot("p4d.24xlarge,A100,8.0,96.0,1152.0,,32.772600000000004,,us-east-1,\n");
  EXPECT_EQ(import.prices.at(0).usd_per_instance_hour, MicroUsd{32'772'600});
}

TEST(SkyPilotPrices, NamesThatMayMeanSeveralCardsAreSettledByASignOrSaid) {
  const PriceImport import = from_skypilot(
      "gpu_1x_h100_pcie,H100,1.0,26,200,,3.29,,a,\n"
      "Standard_NC40ads_H100_v5,H100,1.0,40,320,,6.98,,b,\n"
      "1x_A100-80GB_SECURE,A100-80GB,1.0,8,117,\"{'Name': 'A100 PCIe'}\",1.64,,c,\n"
      "gpu-h100x8,H100,8.0,1,1,,23.92,,d,\n",
      "lambda");
  EXPECT_EQ(keys_of(import),
            (Texts{"lambda/a/gpu_1x_h100_pcie/h100-pcie/on_demand/1/2026-11-21 $3.29",
                   "lambda/b/Standard_NC40ads_H100_v5/h100-nvl/on_demand/1/2026-11-21 $6.98",
                   "lambda/c/1x_A100-80GB_SECURE/a100-80-pcie/on_demand/1/2026-11-21 $1.64",
                   "lambda/d/gpu-h100x8/h100-sxm/on_demand/8/2026-11-21 $23.92"}));
  EXPECT_EQ(notes_of(import),
            Texts{"5 warning: \"H100\" may be PCIe, NVL or SXM: taken as h100-sxm"});
}

TEST(SkyPilotPrices, AGpuAndItsHostPricedApartAreBothRefused) {
  const PriceImport import = from_skypilot(
      "a2-highgpu-1g,,,12.0,85.0,,0.94803,0.39794,asia-northeast1,asia-northeast1-a\n"
      ",A100,1.0,,,,2.93,0.88,us-central1,us-central1-a\n"
      ",tpu-v5p,8.0,,,,33.6,,us-east5,us-east5-a\n"
      "n2-standard-8,,,8.0,32.0,,0.39,0.09,us-central1,us-central1-a\n",
      "gcp");
  EXPECT_EQ(import.prices.size(), 0U);
  EXPECT_EQ(import.without_gpu, 1);
  EXPECT_EQ(notes_of(import),
            (Texts{"2 refused: \"a2-highgpu-1g\": expected the price of a whole instance, got a "
                   "host without its GPUs",
                   "3 refused: \"A100\": expected the price of a whole instance, got a GPU without "
                   "its host",
                   "4 refused: \"tpu-v5p\": expected the price of a whole instance, got a GPU "
                   "without its host"}));
}

TEST(SkyPilotPrices, RowsThatCannotBeAreRefusedOneByOne) {
  const PriceImport import = from_skypilot(
      "m,H1000,1,1,1,,1,,r,\n"
      "m,A30,1,1,1,,1,,r,\n"
      "m,L4,0,1,1,,1,,r,\n"
      "m,L4,,1,1,,1,,r,\n"
      "m,L4,0.5,1,1,,1,,r,\n"
      "m,,8,1,1,,1,,r,\n"
      "m,L4,1,1,1,,,,r,\n"
      "m,L4,1,1,1,,0,,r,\n"
      "m,L4,1,1,1,,-0.5,,r,\n"
      "m,L4,1,1,1,,nan,,r,\n"
      "m,L4,1,1,1,,1,inf,r,\n"
      "m,L4,1,1,1,,2000000,,r,\n"
      "m,L4,1,1,1,,$1,,r,\n"
      "m,L4,1,1,1,,1\n");
  EXPECT_EQ(import.prices.size(), 0U);
  const std::string dollars = ": expected US dollars above 0 and at most 1000000, got ";
  EXPECT_EQ(
      notes_of(import),
      (Texts{"2 refused: AcceleratorName: expected a known name, got \"H1000\"",
             "3 refused: AcceleratorName: \"A30\" is not in the catalog",
             "4 refused: AcceleratorCount: expected a whole number from 1 to 65536, got \"0\"",
             "5 refused: AcceleratorCount: expected a whole number from 1 to 65536, got \"\"",
             "6 refused: AcceleratorCount: expected a whole number from 1 to 65536, got "
             "\"0.5\"",
             "7 refused: AcceleratorName: expected a name beside AcceleratorCount 8, got nothing",
             "8 refused: Price: expected a price in Price or SpotPrice, got nothing",
             "9 refused: Price" + dollars + "\"0\"", "10 refused: Price" + dollars + "\"-0.5\"",
             "11 refused: Price" + dollars + "\"nan\"",
             "12 refused: SpotPrice" + dollars + "\"inf\"",
             "13 refused: Price" + dollars + "\"2000000\"",
             "14 refused: Price" + dollars + "\"$1\"", "15 refused: expected 10 fields, got 7"}));
}

TEST(SkyPilotPrices, ZonesWithOnePriceAreOneRowAndOthersARowEach) {
  const PriceImport import = from_skypilot(
      "m,L4,1,1,1,,1,0.4,east,az1\n"
      "m,L4,1,1,1,,1,0.5,east,az2\n"
      "m,L4,1,1,1,,1,0.5,east,az3\n");
  EXPECT_EQ(keys_of(import),
            (Texts{"aws/az1/m/l4/spot/1/2026-11-21 $0.40", "aws/az2/m/l4/spot/1/2026-11-21 $0.50",
                   "aws/az3/m/l4/spot/1/2026-11-21 $0.50",
                   "aws/east/m/l4/on_demand/1/2026-11-21 $1.00"}));
  EXPECT_EQ(price_row(import.prices[0]).at("region"), "az1");
  EXPECT_EQ(import.other_zones, 2);
  EXPECT_EQ(notes_of(import), Texts{});
}

TEST(SkyPilotPrices, OfManyContradictionsTheFirstAreNamed) {
  std::string lines;
  for (int i = 1; i <= 10; ++i) lines += "m,L4,1,1,1,," + std::to_string(i) + ",,east,\n";
  const PriceImport import = from_skypilot(lines);
  EXPECT_EQ(import.notes.size(), 10U);
  EXPECT_EQ(
      import.notes.back().text,
      "expected one price of aws/east/m/l4/on_demand/1/2026-11-21, got $1 in line 2, $2 in line "
      "3, $3 in line 4, $4 in line 5, $5 in line 6, $6 in line 7, $7 in line 8, $8 in line 9, 2 "
      "more");
}

TEST(SkyPilotPrices, TheSameAgainIsDroppedAndAContradictionIsRefused) {
  const PriceImport import = from_skypilot(
      "m,L4,1,1,1,,1,,east,az1\n"
      "m,L4,1,1,1,,1,,east,az1\n"
      "n,L4,1,1,1,,1,,east,\n"
      "n,L4,1,1,1,,2,,east,\n"
      "o,L4,1,1,1,,1,,east,az1\n"
      "o,L4,1,1,1,,2,,east,az1\n"
      "o,L4,1,1,1,,3,,east,az2\n");
  EXPECT_EQ(keys_of(import), (Texts{"aws/az2/o/l4/on_demand/1/2026-11-21 $3.00",
                                    "aws/east/m/l4/on_demand/1/2026-11-21 $1.00"}));
  const std::string n =
      "expected one price of aws/east/n/l4/on_demand/1/2026-11-21, got $1 in line 4, "
      "$2 in line 5";
  const std::string o =
      "expected one price of aws/east/o/l4/on_demand/1/2026-11-21, got $1 in line 6, "
      "$2 in line 7";
  EXPECT_EQ(notes_of(import),
            (Texts{"3 dropped: line 2 says the same of aws/east/m/l4/on_demand/1/2026-11-21",
                   "4 refused: " + n, "5 refused: " + n, "6 refused: " + o, "7 refused: " + o}));
}

TEST(SkyPilotPrices, APriceOfOneGpuAndASpotAboveOnDemandAreSaid) {
  const PriceImport import = from_skypilot(
      "p5,H100,8,1,1,,4.50,,east,\n"
      "p6,H100,8,1,1,,32,33,east,\n");
  EXPECT_EQ(import.prices.size(), 3U);
  EXPECT_EQ(notes_of(import),
            (Texts{"2 warning: aws/east/p5/h100-sxm/on_demand/8/2026-11-21: $0.5625 a GPU-hour "
                   "($4.5 / 8) is below a third of $4, the median of the catalog; is it the price "
                   "of one GPU?",
                   "3 warning: aws/east/p6/h100-sxm/spot/8/2026-11-21: spot at $33 is above on "
                   "demand at $32"}));
  // Exactly a third is not below it.
  EXPECT_EQ(notes_of(from_skypilot("p5,H100,3,1,1,,4.000000,,east,\n")), Texts{});
}

TEST(SkyPilotPrices, MissingColumnsEndTheImport) {
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

constexpr const char* kGpuhuntHeader =
    "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,"
    "gpu_vendor,flags,cpu_arch,provider_data\n";

TEST(GpuhuntPrices, ALineIsAPriceOnDemandOrOnSpotAndTheMemoryTellsCardsApart) {
  const PriceImport import =
      from_feed("gpuhunt",
                std::string(kGpuhuntHeader) +
                    "p5.48xlarge,us-east-1,55.04,192,2048.0,8,H100,80.0,False,,nvidia,[],x86,{}\n"
                    "p5.48xlarge,us-east-1,22.016,192,2048.0,8,H100,80.0,True,,nvidia,[],x86,{}\n"
                    "p4d.24xlarge,us-east-1,21.957,96,1152.0,8,A100,40.0,False,,nvidia,[],x86,{}\n"
                    "p4de.24xlarge,us-east-1,27.447,96,1152.0,8,A100,80.0,false,,nvidia,[],x86,{}\n"
                    "m5.large,us-east-1,0.096,2,8.0,0,,,False,,,[],x86,{}\n");
  EXPECT_EQ(notes_of(import), Texts{});
  EXPECT_EQ(import.without_gpu, 1);
  EXPECT_EQ(keys_of(import),
            (Texts{"aws/us-east-1/p4d.24xlarge/a100-40/on_demand/8/2026-11-21 $21.96",
                   "aws/us-east-1/p4de.24xlarge/a100-80-sxm/on_demand/8/2026-11-21 $27.45",
                   "aws/us-east-1/p5.48xlarge/h100-sxm/on_demand/8/2026-11-21 $55.04",
                   "aws/us-east-1/p5.48xlarge/h100-sxm/spot/8/2026-11-21 $22.02"}));
}

TEST(GpuhuntPrices, WhatIsUnclearIsSaidAndWhatCannotBeIsRefused) {
  const PriceImport import =
      from_feed("gpuhunt",
                std::string(kGpuhuntHeader) +
                    "1xA100,any,1.64,8,117,1,A100,80,False,,nvidia,[],x86,{}\n"
                    "m,any,1,1,1,1,L4,24,maybe,,nvidia,[],x86,{}\n"
                    "m,any,,1,1,1,L4,24,True,,nvidia,[],x86,{}\n"
                    "m,any,1,1,1,1,A16,16,False,,nvidia,[],x86,{}\n"
                    "m,any,1,1,1,2,,,False,,nvidia,[],x86,{}\n",
                "runpod");
  EXPECT_EQ(keys_of(import), Texts{"runpod/any/1xA100/a100-80-sxm/on_demand/1/2026-11-21 $1.64"});
  EXPECT_EQ(notes_of(import),
            (Texts{"2 warning: \"A100\" may be PCIe or SXM, or of 40 GB: taken as a100-80-sxm",
                   "3 refused: spot: expected true or false, got \"maybe\"",
                   "4 refused: price: expected a price, got nothing",
                   "5 refused: gpu_name: \"A16\" is not in the catalog",
                   "6 refused: gpu_name: expected a name beside gpu_count 2, got nothing"}));
}

TEST(SizesheetPrices, ColumnsAreTheKeysOfAPriceRow) {
  const PriceImport import = from_ours(
      "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source,note\n"
      "h100-sxm,any,8x,8,reserved_1y,list,20.5,2026-11-20,a page,\n"
      "h100-sxm,any,,1,on_demand,community,4,2026-11,a page,\"one, two\"\n");
  EXPECT_EQ(notes_of(import), Texts{});
  EXPECT_EQ(keys_of(import), (Texts{"aws/any//h100-sxm/on_demand/1/2026-11 $4.00",
                                    "aws/any/8x/h100-sxm/reserved_1y/8/2026-11-20 $20.50"}));
  EXPECT_EQ(import.prices[0].note, "one, two");
  EXPECT_FALSE(price_row(import.prices[1]).contains("note"));
}

TEST(SizesheetPrices, WhatAnOfferSaysOfItselfIsReadAndWrittenBack) {
  const PriceImport import = from_ours(
      "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source,stock,interconnect,"
      "minimum_gpus,minimum_term_days\n"
      "h100-sxm,any,cluster,8,on_demand,list,32,2026-11-20,a page,in stock,infiniband,16,14\n"
      "h100-sxm,any,1x,1,on_demand,list,4,2026-11-20,a page,,,,\n");
  EXPECT_EQ(notes_of(import), Texts{});
  ASSERT_EQ(import.prices.size(), 2U);
  const Json bare = price_row(import.prices[0]);
  const Json row = price_row(import.prices[1]);
  EXPECT_EQ(row.at("stock"), "in stock");
  EXPECT_EQ(row.at("interconnect"), "infiniband");
  EXPECT_EQ(row.at("minimum_gpus"), 16);
  EXPECT_EQ(row.at("minimum_term_days"), 14);
  for (const char* key : {"stock", "interconnect", "minimum_gpus", "minimum_term_days"}) {
    EXPECT_FALSE(bare.contains(key)) << key;
  }
}

TEST(SizesheetPrices, WhatAnOfferCannotSayIsRefused) {
  const PriceImport import = from_ours(
      "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source,stock,interconnect,"
      "minimum_gpus,minimum_term_days\n"
      "h100-sxm,any,a,8,on_demand,list,32,2026-11-20,a page,sold out,,,\n"
      "h100-sxm,any,b,8,on_demand,list,32,2026-11-20,a page,,infini-band,,\n"
      "h100-sxm,any,c,8,on_demand,list,32,2026-11-20,a page,,,8,\n"
      "h100-sxm,any,d,8,reserved_1y,list,32,2026-11-20,a page,,,,365\n");
  EXPECT_EQ(notes_of(import),
            (Texts{"2 refused: stock: expected one of in stock, low, none; got \"sold out\"",
                   "3 refused: interconnect: expected one of none, nvlink, xgmi, nvlink-rack, "
                   "infiniband, roce, efa; got \"infini-band\" (did you mean \"infiniband\"?)",
                   "4 refused: minimum_gpus: expected more GPUs than the 8 of an instance, got 8",
                   "5 refused: minimum_term_days: expected no such key: a row of tier reserved_1y "
                   "is a term already"}));
}

TEST(SizesheetPrices, FaultsAreThoseOfTheCatalog) {
  const std::string header =
      "provider,gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,source\n";
  const PriceImport import =
      from_ours(header +
                    "aws,h100-sxmm,any,8x,8,on_demand,list,20,s\n"
                    "gcp,h100-sxm,any,8x,8,on_demand,list,20,s\n"
                    "aws,h100-sxm,any,8x,0,ondemand,list,0,s\n"
                    "aws,h100-sxm,any,8x,8.5,on_demand,list,-1,s\n"
                    "aws,h100-sxm,any,8x,8,on_demand,list,nan,s\n"
                    "aws,h100-sxm,any,8x,8,on_demand,list,1000000.5,http://example.org\n"
                    "aws,h100-sxm,,8x,8,on_demand,list,1.2345678,s\n",
                "2026-11-21");
  EXPECT_EQ(import.prices.size(), 0U);
  const std::string usd =
      "usd_per_instance_hour: expected US dollars, not negative, with at most six "
      "decimals, got ";
  EXPECT_EQ(
      notes_of(import),
      (Texts{"2 refused: gpu: no GPU \"h100-sxmm\" in the catalog (did you mean \"h100-sxm\"?)",
             "3 refused: provider: expected \"aws\", the one provider of this import, got \"gcp\"",
             "4 refused: gpus: expected an integer from 1 to 65536, got 0; tier: expected one of "
             "on_demand, spot, reserved_1y, reserved_3y, reserved_5y, capacity_block, "
             "reserved_unstated; got \"ondemand\" (did you mean \"on_demand\"?); "
             "usd_per_instance_hour: expected a price above 0, got 0",
             "5 refused: gpus: expected an integer, got 8.5; " + usd + "-1",
             "6 refused: " + usd + "\"nan\"",
             "7 refused: usd_per_instance_hour: expected a price of at most 1,000,000 an hour, got "
             "1000000.5; source: expected addresses that begin with https://, got \"http://…\"",
             "8 refused: region: expected text, got nothing; " + usd + "1.2345678"}));
}

TEST(SizesheetPrices, ADayStandsInItsColumnOrInItsOption) {
  const std::string dated =
      "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source\n";
  const std::string undated = "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,source\n";
  const auto refused = [](const std::string& text, const std::string& as_of) {
    try {
      from_ours(text, as_of);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
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
