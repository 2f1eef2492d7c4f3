// SPDX-License-Identifier: Apache-2.0
// Rates of fine-tuning services: what a file says, which methods they are for, and the catalog's
// own. Faults of a file: tests/oracles/catalog_faults.json.
#include "catalog/prices/service.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/sample_catalog.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Documents with_services() {
  Documents documents = sample_documents();
  documents["services/tuner.json"] =
      oracle("catalog_faults.json").at("worlds").at("services").at("services/tuner.json");
  return documents;
}

TEST(Services, KeepWhatTheFileSays) {
  const std::vector<Service> services = loaded(with_services()).services;
  ASSERT_EQ(services.size(), 2U);
  const Service& named = services[0];
  EXPECT_EQ(named.key(), "tuner/small/lora_sft/2026-10-10");
  EXPECT_EQ(named.title, "Tuner");
  EXPECT_EQ(named.usd_per_million_tokens, MicroUsd{500'000});
  EXPECT_EQ(named.minimum_usd, MicroUsd{4'000'000});
  EXPECT_EQ(named.basis, "source");
  EXPECT_EQ(named.valid_until, "2026-12-31");
  const Service& sized = services[1];
  EXPECT_EQ(sized.key(), "tuner/0-16B/full_sft/2026-10");
  EXPECT_FALSE(sized.minimum_usd);
  EXPECT_EQ(sized.weights, "unknown");
  EXPECT_EQ(sized.basis, "assumption");
}

TEST(Services, OneKeyIsThereOnce) {
  Documents documents = with_services();
  Json& rows = documents["services/tuner.json"]["rows"];
  rows.push_back(rows[1]);
  EXPECT_EQ(faults_in(documents),
            Texts{"services/tuner.json:/rows/2: expected every service key once, got "
                  "\"tuner/0-16B/full_sft/2026-10\" again"});
}

TEST(Services, ArePartOfTheHashAndMayLack) {
  const Catalog without = loaded();
  const Catalog with = loaded(with_services());
  EXPECT_TRUE(without.services.empty());
  EXPECT_NE(without.hash, with.hash);
}

TEST(Services, AnInputReadsBackAsItWas) {
  std::vector<Service> services = loaded(with_services()).services;
  for (const Service& own : project_catalog().services) services.push_back(own);
  for (const Service& service : services) {
    const Json row = service_row(service);
    Faults faults;
    ObjectReader reader(row, "sheet.json", "/inputs/services/0", faults);
    const Service read = read_service_input(reader);
    EXPECT_TRUE(faults.empty()) << service.key();
    EXPECT_EQ(service_row(read), row);
    EXPECT_EQ(read.key(), service.key());
  }
}

TEST(Services, ABandHasItsUpperEnd) {
  const ParameterBand band{16, 80};
  EXPECT_FALSE(band.contains(16'000'000'000));
  EXPECT_TRUE(band.contains(16'000'000'001));
  EXPECT_TRUE(band.contains(80'000'000'000));
  EXPECT_FALSE(band.contains(80'000'000'001));
  EXPECT_EQ(band.words(), "16-80B");
  const ParameterBand open{300};
  EXPECT_TRUE(open.contains(9'000'000'000'000));
  EXPECT_FALSE(open.contains(300'000'000'000));
  EXPECT_EQ(open.words(), "300B-");
}

/// By method of the catalog, what services call it; "" where they do not train it.
TEST(Services, TrainTheseMethods) {
  const std::map<std::string, std::string> expected = {
      {"full", "full_sft"},      {"lora-r16", "lora_sft"},
      {"lora-r64", "lora_sft"},  {"lora-r8-qv", "lora_sft"},
      {"qlora-r16", "lora_sft"}, {"qlora-r64", "lora_sft"},
      {"dpo-full", "full_dpo"},  {"dpo-lora-r16", "lora_dpo"},
      {"grpo-lora-r16", "rl"},   {"grpo-full", ""},
      {"dora-r16", ""},          {"orpo-lora-r16", ""},
      {"simpo-lora-r16", ""},    {"reward-lora-r16", ""}};
  ASSERT_EQ(expected.size(), project_catalog().methods.size());
  for (const auto& [id, method] : project_catalog().methods) {
    std::vector<std::string> trained;
    for (const ServiceMethod& service : kServiceMethods) {
      if (trains(service, method)) trained.emplace_back(service.key);
    }
    EXPECT_EQ(join(trained, " "), expected.at(id)) << id;
  }
}

TEST(Services, OfTheCatalogNameModelsAndSourcesThatPeopleCanFind) {
  const Catalog& catalog = project_catalog();
  EXPECT_GE(catalog.services.size(), 75U);
  std::set<std::string> providers;
  for (const Service& service : catalog.services) {
    providers.insert(service.provider);
    for (const std::string& id : service.models) {
      EXPECT_TRUE(catalog.models.contains(id)) << service.key();
      EXPECT_FALSE(starts_with(id, "size-")) << "a shape is no model that is sold";
    }
    for (const char* word : {"index file", "shelf"}) {
      EXPECT_EQ((service.source + service.note).find(word), std::string::npos) << service.key();
    }
    EXPECT_EQ(service.prices_runs(), service.method != "rl") << service.key();
  }
  EXPECT_EQ(providers,
            (std::set<std::string>{"fireworks", "prime-intellect", "tinker", "together"}));
}

}  // namespace
}  // namespace sizesheet
