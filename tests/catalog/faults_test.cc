// SPDX-License-Identifier: Apache-2.0
// One change at a time to sound documents: exactly the faults of tests/oracles/catalog_faults.json,
// and those of more than one place.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

#include "catalog/published/worksheet.h"
#include "catalog/sample_catalog.h"
#include "support/error.h"
#include "support/json.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

/// The sample catalog with the documents of a world in it.
Documents world_of(const Json& documents) {
  Documents world = sample_documents();
  for (const auto& [path, document] : documents.items()) world[path] = document;
  return world;
}

/// The row's faults as they are told of this file.
Texts faults_told(const Json& row, const std::string& file) {
  Texts faults;
  for (std::size_t i = 2; i < row.size(); ++i) {
    faults.push_back(file + ":" + row.at(i).get<std::string>());
  }
  return faults;
}

TEST(CatalogFaults, OfEachChangeAreExactlyThose) {
  const Json file = oracle("catalog_faults.json");
  for (const Json& group : file.at("catalogs")) {
    const std::string path = group.at("file");
    const Documents world = world_of(file.at("worlds").at(group.at("world").get<std::string>()));
    EXPECT_EQ(faults_in(world), Texts{}) << group.at("world");
    for (const Json& row : group.at("faults")) {
      Documents changed = world;
      changed.at(path) = changed_at(world.at(path), row.at(0), change_of(row));
      EXPECT_EQ(faults_in(changed), faults_told(row, path)) << path << " " << row;
    }
  }
}

/// Reads a document by itself, under the name "d".
using ReadDocument = std::function<void(ObjectReader reader)>;

void expect_faults(const Json& document, const Json& rows, const ReadDocument& read) {
  for (const Json& row : rows) {
    const Json changed = changed_at(document, row.at(0), change_of(row));
    Faults faults;
    read(ObjectReader(changed, "d", "", faults));
    EXPECT_EQ(texts_of(faults), faults_told(row, "d")) << row;
  }
}

TEST(CatalogFaults, OfDocumentsReadAlone) {
  const Json file = oracle("catalog_faults.json");
  expect_faults(file.at("worksheet"), file.at("worksheet_faults"),
                [](ObjectReader reader) { read_worksheet(std::move(reader)); });
  expect_faults(shipped_document("frameworks/nemotron-3-nano-30b-a3b"),
                file.at("framework_set_faults"), [](ObjectReader reader) {
                  const FrameworkNames known{{"nemotron-3-nano-30b-a3b"}, {"h100-sxm", "h200-sxm"}};
                  read_framework_set(std::move(reader), known);
                });
  for (const auto& [topic, rows] : file.at("advice_faults").items()) {
    expect_faults(shipped_document("advice/" + topic), rows,
                  [](ObjectReader reader) { read_advice_topic(std::move(reader), advice_gpus()); });
  }
}

TEST(CatalogFaults, of_a_model_too_large_to_count) {
  Documents documents = sample_documents();
  documents["models/small.json"].update({{"hidden_size", 1 << 20}, {"intermediate_size", 1 << 24}});
  documents["models/small.json"]["num_hidden_layers"] = 10000;
  EXPECT_EQ(faults_in(documents),
            Texts{"models/small.json: expected a model of at most 10^15 parameters"});
}

TEST(CatalogFaults, of_a_price_that_is_there_twice) {
  Documents documents = sample_documents();
  documents["prices/other.json"] = documents["prices/cloud.json"];
  EXPECT_EQ(faults_in(documents),
            Texts{"prices/other.json:/rows/0: expected a price key that is used once, "
                  "got \"cloud/any/p5/h100/on_demand/8/2026-10-10\" again"});
}

TEST(CatalogFaults, of_a_rate_that_is_there_twice) {
  Documents documents = sample_documents();
  documents["purchase/rates.json"]["rates"].push_back(documents["purchase/rates.json"]["rates"][0]);
  EXPECT_EQ(faults_in(documents), Texts{"purchase/rates.json:/rates/1/id: expected an "
                                        "id that is used once, got \"8x-h100\" again"});
}

TEST(CatalogFaults, are_all_found_in_one_pass) {
  Documents documents = sample_documents();
  documents["gpus/h100.json"]["tdp_w"] = "x";
  documents["models/small.json"]["vocab_size"] = 0;
  EXPECT_EQ(faults_in(documents),
            (Texts{"models/small.json:/vocab_size: expected an integer from 1 to 16777216, got 0",
                   "gpus/h100.json:/tdp_w: expected a number, got \"x\""}));
}

TEST(CatalogFaults, of_a_provider_that_is_there_twice) {
  Documents documents = world_of(oracle("catalog_faults.json").at("worlds").at("provider"));
  Json& providers = documents["providers.json"]["providers"];
  providers.push_back(Json(providers[0]));
  EXPECT_EQ(faults_in(documents), Texts{"providers.json:/providers/1/id: expected an id that "
                                        "is used once, got \"cloud\" again"});
}

TEST(HostileEngine, lacks_or_adds_no_constant) {
  Documents renamed = sample_documents();
  renamed.at("engine.json")["constants"][0]["id"] = "nf4.blok";
  EXPECT_EQ(faults_in(renamed),
            (Texts{"engine.json:/constants/0/id: no constant of the engine is called \"nf4.blok\" "
                   "(did you mean \"nf4.block\"?)",
                   "engine.json:/constants: expected an entry \"nf4.block\", which the engine asks "
                   "for, got none"}));
  Documents no_loss = sample_documents();
  no_loss.at("engine.json")["losses"].erase(0);
  EXPECT_EQ(faults_in(no_loss),
            Texts{"engine.json:/losses: expected an entry \"hf\", which the engine asks for, got "
                  "none"});
}

}  // namespace
}  // namespace sizesheet
