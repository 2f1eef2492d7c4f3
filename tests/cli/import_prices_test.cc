// SPDX-License-Identifier: Apache-2.0
// The import-prices command: a price file on stdout, words on stderr, a merge that shows before it
// writes.
#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "cli/program.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

constexpr const char* kVms =
    "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n"
    "cpu_4x,,,0.2,,us-east-1\n"
    "gpu_8x_h100_sxm5,H100,8.0,31.92,,us-east-1\n"
    "gpu_8x_h100_sxm5,H100,8.0,31.92,,us-east-1\n";

const Words kRead = {"--format", "skypilot", "--as-of", "2026-11-21"};
const Words kMerge = with(kRead, {"--merge", "--yes"});

/// A copy of the project's catalog, and files to import.
class ImportPrices : public InFolder {
 protected:
  ImportPrices() {
    std::filesystem::copy(kCatalog, dir_.path() / "catalog",
                          std::filesystem::copy_options::recursive);
  }

  Outcome import(const std::string& file, const Words& more) const {
    return told(with({"import-prices", at(file), "--catalog", at("catalog")}, more));
  }

  std::string catalog_file(const std::string& name) const {
    return read_file(dir_.path() / "catalog/prices" / name);
  }
  Catalog catalog() const { return load_sound_catalog(dir_.path() / "catalog"); }
};

TEST_F(ImportPrices, PrintsAPriceFile) {
  dir_.write("lambda/vms.csv", kVms);
  const Outcome outcome = import("lambda/vms.csv", kRead);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, R"({
  "provider": "lambda",
  "rows": [
    {
      "gpu": "h100-sxm",
      "region": "us-east-1",
      "instance": "gpu_8x_h100_sxm5",
      "gpus": 8,
      "tier": "on_demand",
      "offer": "list",
      "usd_per_instance_hour": 31.92,
      "as_of": "2026-11-21",
      "source": "SkyPilot catalog, lambda/vms.csv"
    }
  ]
}
)");
  EXPECT_EQ(outcome.err,
            "lambda/vms.csv:4: dropped: line 3 says the same of "
            "lambda/us-east-1/gpu_8x_h100_sxm5/h100-sxm/on_demand/8/2026-11-21\n"
            "lambda: 1 prices taken, 0 refused, 1 dropped, 0 warnings; 1 machines without a GPU\n");
}

TEST_F(ImportPrices, WhatWasRefusedIsSaidOnceAndEndsIn1) {
  dir_.write("vast.csv",
             "InstanceType,AcceleratorName,AcceleratorCount,Price,Region\n"
             "a,L40,1,1,x\nb,L40,1,1,x\nc,L4,1,0.6,x\nd,L40,1,1,x\ne,L40,1,1,x\nf,L40,1,1,x\n");
  const Outcome outcome = import("vast.csv", kRead);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(
      outcome.err,
      "vast.csv:2: refused: AcceleratorName: \"L40\" is not in the catalog (also line 3, 5 to 7)\n"
      "vast.ai: 1 prices taken, 5 refused, 0 dropped, 0 warnings\n");
  EXPECT_NE(outcome.out.find("\"offer\": \"marketplace\""), std::string::npos);
}

TEST_F(ImportPrices, WhatCannotBeReadEndsIn2) {
  dir_.write("lambda.csv", "InstanceType,Price\n\"open\n");
  const std::vector<std::pair<Words, std::string>> cases = {
      {kRead, "lambda.csv:2: expected a closing quote, got the end of the file"},
      {{"--format", "skypilot"},
       "--as-of: expected the day the prices were read, YYYY-MM-DD, since files of SkyPilot have "
       "no "
       "dates; got nothing"},
      {{"--format", "skypilot", "--as-of", "yesterday"},
       "--as-of: expected a date YYYY-MM-DD, got \"yesterday\""},
      {{"--format", "skypilot", "--provider", "Lambda Labs"},
       "--provider: expected a name of lower-case letters, digits, . and -, got \"Lambda Labs\""},
  };
  for (const auto& [more, words] : cases) {
    EXPECT_EQ(import("lambda.csv", more), (Outcome{2, "", "sizesheet: " + words + "\n"}));
  }
  EXPECT_EQ(import("lambda.csv", {"--format", "skypilot", "--yes"}).code, 2);
  EXPECT_EQ(import("lambda.csv", {"--format", "gpuhunt"}).code, 2);
}

TEST_F(ImportPrices, ANewProviderIsSaidWithItsNearMissAndItsClass) {
  dir_.write("lamda.csv", kVms);
  const Outcome outcome = import("lamda.csv", kRead);
  EXPECT_EQ(outcome.err.substr(0, outcome.err.find("lamda.csv")),
            "provider \"lamda\" is new to the catalog (did you mean \"lambda\"?)\n"
            "its rows are taken as offers of kind \"list\"; \"offer\" of its entry in "
            "providers.json says another\n");
}

/// Floors of an auction, as a feed published them.
constexpr const char* kFloors =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region,GpuInfo\n"
    "neb-b200.sxm.1x,B200,1,20,200,0.01,0.01,us-central2-b,\n";
constexpr const char* kFloorKey =
    "mithril/us-central2-b/neb-b200.sxm.1x/b200/on_demand/1/2026-11-21";

TEST_F(ImportPrices, WhereNoRowIsLeftItEndsIn1) {
  dir_.write("mithril/vms.csv", kFloors);
  const Outcome outcome = import("mithril/vms.csv", kRead);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "{\n  \"provider\": \"mithril\",\n  \"rows\": [\n  ]\n}\n");
  const std::string usual = outcome.err.substr(outcome.err.find("of $") + 4, 4);
  EXPECT_GT(std::stod(usual), 3) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with(
      "mithril/vms.csv:2: left out: $0.01 per GPU-hour is below a third of $"))
      << outcome.err;
  EXPECT_NE(outcome.err.find("; is it the floor of an auction? --accept \"" +
                             std::string(kFloorKey) + "\" takes it\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with(
      ", the median of other sellers; is it the floor of an auction? --accept "
      "\"mithril/us-central2-b/neb-b200.sxm.1x/b200/spot/1/2026-11-21\" takes it\n"
      "mithril: 0 prices taken, 0 refused, 0 dropped, 0 warnings; 2 left out\n"
      "no row is left to take\n"))
      << outcome.err;
}

TEST_F(ImportPrices, WhatIsAcceptedIsConfirmedAndCounts) {
  dir_.write("mithril/vms.csv", kFloors);
  const Outcome outcome = import("mithril/vms.csv", with(kMerge, {"--accept", kFloorKey}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<Price> prices = catalog().prices;
  const auto row =
      std::ranges::find_if(prices, [](const Price& price) { return price.key() == kFloorKey; });
  ASSERT_NE(row, prices.end());
  EXPECT_EQ(row->confirmed, "accepted by name when it was imported");
  EXPECT_EQ(row->doubt, "");
  EXPECT_EQ(row->offer, "marketplace");
}

TEST_F(ImportPrices, TheColumnsTellTheFormat) {
  dir_.write("lambda/vms.csv", kVms);
  EXPECT_EQ(import("lambda/vms.csv", {"--as-of", "2026-11-21"}), import("lambda/vms.csv", kRead));
}

TEST_F(ImportPrices, WhatIsNoTableOfCommasSaysWhatItIs) {
  const std::string columns =
      "gpu, region, instance, gpus, tier, offer, usd_per_instance_hour, as_of and source";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"data": {"offers": [{"gpu": "H100"}]}})",
       "f.csv: expected CSV, got JSON; write one line an offer with the columns " + columns +
           ", for instance with jq and its @csv, and import that with --format sizesheet"},
      {R"([{"gpu": "H100"}])",
       "f.csv: expected CSV, got JSON; write one line an offer with the columns " + columns +
           ", for instance with jq and its @csv, and import that with --format sizesheet"},
      {R"({"provider": "acme", "rows": []})",
       "f.csv: expected CSV, got JSON, a price file of a catalog; it needs no import: put it into "
       "prices/ of the catalog"},
      {R"({"meta": {}, "rows": []})",
       "f.csv: expected CSV, got JSON, the sheet.json of an edition; --format focus reads the "
       "prices.csv beside it"},
      {"gpu;region;usd_per_instance_hour\nh100-sxm;any;24\n",
       "f.csv:1: expected commas between fields, got semicolons; save the table as CSV with "
       "commas"},
      {"gpu\tregion\n",
       "f.csv:1: expected commas between fields, got tabs; save the table as CSV "
       "with commas"},
  };
  for (const auto& [text, words] : cases) {
    dir_.write("f.csv", text);
    EXPECT_EQ(import("f.csv", {"--format", "sizesheet", "--provider", "aws"}),
              (Outcome{2, "", "sizesheet: " + words + "\n"}));
  }
}

TEST_F(ImportPrices, ADayThatIsToComeIsRefused) {
  dir_.write("lambda/vms.csv", kVms);
  const Outcome outcome =
      import("lambda/vms.csv", {"--format", "skypilot", "--as-of", "2999-01-01"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(
      outcome.err.starts_with("sizesheet: --as-of: expected a day that has come, got "
                              "\"2999-01-01\" (more than a year after 2026-11-"))
      << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with(", the newest price of the catalog)\n")) << outcome.err;
}

constexpr const char* kFocus =
    "ServiceProviderName,RegionId,SkuId,ListUnitPrice,PricingUnit,PricingCurrency,x_Tier,x_Offer,"
    "x_GpuId,x_GpusPerInstance,x_AsOf,x_Source\n"
    "aws,us-east-1,p5,55.04,Hours,USD,on_demand,list,h100-sxm,8,2026-11-20,a page\n"
    "lambda,any,8x,31.92,Hours,USD,on_demand,list,h100-sxm,8,2026-11-20,a page\n"
    "lambda,any,9x,31.92,Hours,EUR,on_demand,list,h100-sxm,8,2026-11-20,a page\n";

TEST_F(ImportPrices, ATableOfSeveralSellersAsksForOne) {
  dir_.write("prices.csv", kFocus);
  EXPECT_EQ(import("prices.csv", {"--format", "focus"}),
            (Outcome{2, "",
                     "sizesheet: --provider: expected the one seller to import, since prices.csv "
                     "has 2: aws, lambda\n"}));
  const Outcome outcome = import("prices.csv", {"--provider", "lambda"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err,
            "prices.csv:4: refused: PricingCurrency: expected USD, got \"EUR\"\n"
            "lambda: 1 prices taken, 1 refused, 0 dropped, 0 warnings; 1 rows of other sellers\n");
  EXPECT_EQ(
      import("prices.csv", {"--provider", "aws", "--as-of", "2026-11-20"}).err,
      "sizesheet: --as-of: expected no such option, since each row of a prices.csv says it\n");
}

TEST_F(ImportPrices, ChargesAreNoPrices) {
  dir_.write("charges.csv", "x_RowKey,x_ChargeFor,ServiceProviderName\na,run,aws\n");
  EXPECT_EQ(import("charges.csv", {"--format", "focus", "--provider", "aws"}).err,
            "sizesheet: charges.csv: expected the prices.csv of an edition, got its charges.csv, "
            "which has what runs cost\n");
}

constexpr const char* kOurHeader =
    "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source\n";

TEST_F(ImportPrices, AMergeShowsWhatItWouldChangeAndWritesNothing) {
  dir_.write("catalog/prices/lambda.json", R"({"provider": "lambda", "rows": [
      {
      "gpu": "h100-sxm", "region": "any", "instance": "8x", "gpus": 8, "tier": "on_demand",
      "offer": "list", "usd_per_instance_hour": 31.92, "as_of": "2026-10-10", "source": "s"},
      {
      "gpu": "l4", "region": "any", "instance": "1x", "gpus": 1, "tier": "on_demand",
      "offer": "list", "usd_per_instance_hour": 0.8, "as_of": "2026-10-10", "source": "s"},
      {
      "gpu": "t4", "region": "any", "instance": "1x", "gpus": 1, "tier": "on_demand",
      "offer": "list", "usd_per_instance_hour": 0.5, "as_of": "2026-10-10", "source": "s",
      "note": "n"}]})");
  dir_.write("lambda.csv", std::string(kOurHeader) +
                               "h100-sxm,any,8x,8,on_demand,list,30,2026-11-21,page\n"
                               "h100-sxm,any,8x,8,on_demand,list,33,2026-09-01,page\n"
                               "l4,any,1x,1,on_demand,list,0.8,2026-11-21,page\n"
                               "l4,any,1x,1,on_demand,list,0.8,2026-10-10,page\n"
                               "t4,any,1x,1,on_demand,list,0.6,2026-10-10,page\n"
                               "l40s,any,1x,1,on_demand,list,1.5,2026-11-21,page\n");
  const std::string before = catalog_file("lambda.json");
  const Outcome outcome = import("lambda.csv", {"--format", "sizesheet", "--merge"});
  EXPECT_EQ(outcome.code, 1);  // for the conflict
  EXPECT_EQ(
      outcome.out,
      "unchanged\tlambda/any/1x/l4/on_demand/1\t$0.8 (2026-10-10)\n"
      "again\tlambda/any/1x/l4/on_demand/1\t$0.8 (2026-10-10) -> $0.8 (2026-11-21)\n"
      "added\tlambda/any/1x/l40s/on_demand/1\t$1.5\n"
      "conflict\tlambda/any/1x/t4/on_demand/1\t$0.5 (2026-10-10), imported $0.6 (2026-10-10): "
      "not merged\n"
      "older\tlambda/any/8x/h100-sxm/on_demand/8\t$33 (2026-09-01), kept beside $31.92 "
      "(2026-10-10)\n"
      "changed\tlambda/any/8x/h100-sxm/on_demand/8\t$31.92 (2026-10-10) -> $30 (2026-11-21)\n"
      "catalog/prices/lambda.json: 1 added, 1 again, 1 changed, 1 conflict, 1 older, 1 "
      "unchanged, 0 kept as they are\n");
  EXPECT_EQ(outcome.err,
            "lambda: 6 prices taken, 0 refused, 0 dropped, 0 warnings\n"
            "nothing is written; --yes writes catalog/prices/lambda.json\n");
  EXPECT_EQ(catalog_file("lambda.json"), before);
}

TEST_F(ImportPrices, WhatIsMergedIsLoadedAndHistoryAndOtherFilesStay) {
  const std::filesystem::path prices = dir_.path() / "catalog/prices";
  const std::size_t before = catalog().prices.size();
  dir_.write("lambda/vms.csv", kVms);
  const std::string theirs = R"({"provider": "lambda", "rows": []})";
  const Texts others = {"#lambda.json#", ".sizesheet-a1b2c3/lambda.json", "aside/lambda.json"};
  for (const std::string& name : others) dir_.write("catalog/prices/" + name, theirs);
  const std::vector<std::string> names = list_files(prices);
  const Outcome outcome = import("lambda/vms.csv", kMerge);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("\nwritten: catalog/prices/lambda.json\n"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(catalog().prices.size(), before + 1);
  for (const std::string& name : others) EXPECT_EQ(catalog_file(name), theirs) << name;
  const Outcome again = import("lambda/vms.csv", kMerge);
  EXPECT_NE(again.out.find("1 unchanged"), std::string::npos) << again.out;
  EXPECT_NE(again.err.find("nothing to write\n"), std::string::npos);
  EXPECT_EQ(list_files(prices), names) << "no leftovers";
  for (const std::string& name : others) std::filesystem::remove(prices / name);
  const Outcome check = program({"check", "--catalog", at("catalog")});
  EXPECT_EQ(check.code, 0) << check.out << check.err;
}

TEST_F(ImportPrices, AMergeThatNoCatalogCouldHoldIsRefused) {
  Json file = parse_json(catalog_file("lambda.json"), "");
  const Json row = file.at("rows").at(0);
  const std::string note(4000, 'x');
  for (int i = 0; i < 3890; ++i) {
    Json more = row;
    more["instance"] = "instance " + std::to_string(i);
    more["note"] = note;
    file["rows"].push_back(more);
  }
  dir_.write("catalog/prices/lambda.json", file.dump());
  const std::string before = catalog_file("lambda.json");
  ASSERT_LT(before.size(), kMostCatalogBytes);
  dir_.write("lambda/vms.csv", kVms);
  const Outcome outcome = import("lambda/vms.csv", kMerge);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(outcome.err.ends_with(
      " bytes, and a file of a catalog has at most 16777216: nothing is written\n"))
      << outcome.err;
  EXPECT_EQ(catalog_file("lambda.json"), before);
}

TEST_F(ImportPrices, ANewProviderGetsAFileOfItsName) {
  dir_.write("prime.csv",
             std::string(kOurHeader) + "l4,any,1x,1,on_demand,list,0.7,2026-11-21,p\n");
  const Outcome outcome = import(
      "prime.csv", {"--format", "sizesheet", "--provider", "prime.example", "--merge", "--yes"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(parse_json(catalog_file("prime-example.json"), "").at("provider"), "prime.example");
}

TEST(PriceFile, TheCatalogsOwnFilesReadBackFromTheirText) {
  std::map<std::string, std::vector<Price>> prices;
  for (const Price& price : project_catalog().prices) prices[price.provider].push_back(price);
  for (const auto& [provider, rows] : prices) {
    Json file = parse_json(read_file(rows.front().file), provider);
    file.erase("$schema");
    EXPECT_EQ(parse_json(price_file_text(provider, rows), provider), file);
  }
}

}  // namespace
}  // namespace sizesheet
