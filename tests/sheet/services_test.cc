// SPDX-License-Identifier: Apache-2.0
// What services ask for the runs of a sheet: which offers it has, what its rows and forms say of
// them, and that nothing else of the sheet depends on them.
#include "sheet/services.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/prices/service.h"
#include "render/phrases.h"
#include "sheet/measures.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet {
namespace {

SheetSpec service_spec() {
  return spec_of(quarterly_of({"llama-3.1-8b", "size-7b", "size-70b"},
                              {"full", "lora-r16", "qlora-r16", "dora-r16"}, {"h100-sxm"}));
}

const Sheet& serviced_sheet() {
  static const Sheet kSheet = sized_alone(project_catalog(), service_spec());
  return kSheet;
}

std::vector<std::string> offers_for(const Sheet& sheet, const std::string& model,
                                    const std::string& method) {
  std::vector<std::string> words;
  for (const SheetService& offer : services_for(sheet, model, method)) {
    words.push_back(service_words(offer));
  }
  return words;
}

TEST(SheetServices, SayWhatEachServiceAsks) {
  const Sheet& sheet = serviced_sheet();
  EXPECT_EQ(offers_for(sheet, "llama-3.1-8b", "lora-r16"),
            (std::vector<std::string>{
                "Together LoRA $17.0 ($0.340 per million tokens), you get the weights",
                "Fireworks LoRA $25.0 ($0.500 per million tokens), you get the weights"}));
  EXPECT_EQ(offers_for(sheet, "llama-3.1-8b", "full"),
            (std::vector<std::string>{
                "Together full $190 ($0.380 per million tokens), you get the weights",
                "Fireworks full $500 ($1.00 per million tokens)"}));
  EXPECT_EQ(offers_for(sheet, "size-70b", "qlora-r16").front(),
            "Together LoRA $102 ($2.03 per million tokens, assumed), you get the weights");
  EXPECT_EQ(offers_for(sheet, "size-7b", "lora-r16"), offers_for(sheet, "llama-3.1-8b", "lora-r16"))
      << "a shape is known by its size alone";
  EXPECT_TRUE(offers_for(sheet, "llama-3.1-8b", "dora-r16").empty()) << "nobody trains it";
}

TEST(SheetServices, TheMinimumIsSaidWhereItApplies) {
  SheetSpec spec = service_spec();
  spec.adapter_tokens = 1'000'000;
  const Sheet sheet = sized_alone(project_catalog(), spec);
  const std::vector<SheetService> offers = services_for(sheet, "llama-3.1-8b", "lora-r16");
  ASSERT_EQ(offers.size(), 2U);
  EXPECT_EQ(service_words(offers[0]),
            "Fireworks LoRA $0.50 ($0.500 per million tokens), you get the weights");
  EXPECT_EQ(service_words(offers[1]),
            "Together LoRA $4.00 (its minimum; $0.340 per million tokens), you get the weights");
}

TEST(SheetServices, EveryRowOfTheMainScenarioHasTheCheapest) {
  const Sheet& sheet = quarterly_sheet();
  std::size_t known = 0;
  for (const Row& row : sheet.rows) {
    const std::vector<SheetService> offers = services_for(sheet, row.model, row.method);
    const bool has = sheet.is_main(row) && !offers.empty();
    ASSERT_EQ(row.service.has_value(), has) << row.key();
    const Json provider = json_of(measure("service_provider").of(row));
    EXPECT_EQ(provider, has ? Json(offers.front().provider) : Json()) << row.key();
    if (!has) continue;
    ++known;
    EXPECT_EQ(row.service->key, offers.front().key);
    for (const SheetService& offer : offers) EXPECT_LE(row.service->usd_per_run, offer.usd_per_run);
    EXPECT_EQ(json_of(measure("service_usd_per_run").of(row)), to_usd(row.service->usd_per_run));
  }
  EXPECT_GT(known, 100U);
}

TEST(SheetServices, OfTheQuarterlySheetKeepToTheirRules) {
  const Sheet& sheet = quarterly_sheet();
  std::set<std::string> seen;
  for (const SheetService& offer : sheet.services) {
    EXPECT_TRUE(seen.insert(offer.model + "/" + offer.method + "/" + offer.provider).second);
    EXPECT_GE(offer.usd_per_run, offer.minimum_usd.value_or(MicroUsd{})) << offer.key;
    EXPECT_EQ(offer.tokens, sheet.method(offer.method).tokens) << offer.key;
    EXPECT_LE(offer.as_of, sheet.meta.as_of) << offer.key;
    EXPECT_FALSE(offer.source.empty()) << offer.key;
    EXPECT_TRUE(!offer.by_name || !starts_with(offer.model, "size-")) << offer.key;
  }
  EXPECT_GT(sheet.services.size(), 20U);
}

TEST(SheetServices, MoveNoRowAndNoPick) {
  Catalog catalog = project_catalog();
  catalog.services.clear();
  Sheet without = sized_alone(catalog, service_spec());
  Sheet with = serviced_sheet();
  EXPECT_TRUE(without.services.empty());
  EXPECT_FALSE(without.inputs.contains("services"));
  EXPECT_EQ(with.inputs.at("services").size(), project_catalog().services.size());
  for (Row& row : with.rows) row.service.reset();
  with.services.clear();
  with.inputs = without.inputs;
  EXPECT_EQ(to_json(with), to_json(without));
}

TEST(SheetServices, NoneOutsideItsDays) {
  SheetSpec spec = service_spec();
  for (const char* day : {"2026-09-10", "2026-09-11", "2027-02-01", "2028-01-01"}) {
    spec.as_of = day;
    const Sheet sheet = sized_alone(project_catalog(), spec);
    std::size_t found = 0;
    for (const SheetService& offer : sheet.services) {
      const auto row =
          std::ranges::find_if(project_catalog().services,
                               [&](const Service& service) { return service.key() == offer.key; });
      ASSERT_NE(row, project_catalog().services.end()) << offer.key;
      EXPECT_LE(row->as_of, day) << offer.key;
      EXPECT_LE(row->valid_from.value_or(day), day) << offer.key;
      EXPECT_GE(row->valid_until.value_or(day), day) << offer.key;
      ++found;
    }
    EXPECT_EQ(found == 0, std::string(day) == "2028-01-01") << "all are too old then";
  }
}

TEST(SheetServices, AreReadBackAndHaveAModelOfTheSheet) {
  const Sheet& sheet = serviced_sheet();
  const Json json = to_json(sheet);
  const Sheet read = sheet_from_json(json, "sheet.json");
  EXPECT_EQ(to_json(read), json);
  EXPECT_EQ(read.services.size(), sheet.services.size());
  EXPECT_EQ(json.at("services").at(0).at("usd_per_million_tokens"), 0.38);
  EXPECT_EQ(json.at("rows").at(0).at("service").at("provider"), "together");
}

}  // namespace
}  // namespace sizesheet
