// SPDX-License-Identifier: Apache-2.0
// What a run is sized as whose checkpoint has a quantization_config: as it is stored, as it is
// dequantised on loading, or refused by name. tests/oracles/quantised_configs.json.
#include <gtest/gtest.h>

#include "catalog/models/model_entry.h"
#include "sizing/named_configs.h"
#include "sizing/sized.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {
namespace {

Json request_of(const Json& config, const Json& method) {
  return {{"model", config}, {"method", method}, {"layout", {{"dp", 1}, {"tp", 1}}}};
}

/// The entry that import-model makes of the config.
Json entry_of(const Json& config) {
  Faults faults;
  const EntryKeys keys = model_entry(config, "c", {"x", "X", "", "the Hub", "2026-11"}, faults);
  EXPECT_EQ(texts_of(faults), Texts{}) << config;
  Json entry = Json::object();
  for (const auto& [key, value] : keys) entry[key] = value;
  return entry;
}

Texts of_the_config(const Sizing& sizing) {
  Texts found;
  for (const std::string& warning : sizing.warnings) {
    if (warning.starts_with("config.json: ")) found.push_back(warning);
  }
  return found;
}

TEST(QuantisedConfigs, AreSizedAsTheyTrain) {
  const Json file = oracle("quantised_configs.json");
  for (const Json& row : file.at("sized")) {
    SCOPED_TRACE(row.at("name"));
    const Json config = quantised_config(file, row);
    const Json like = to_json(sized(request_of(file.at("config"), row.at("like"))));
    for (const Json& model : {config, entry_of(config)}) {
      const Sizing sizing = sized(request_of(model, row.at("method")));
      EXPECT_EQ(to_json(sizing).at("memory"), like.at("memory"));
      EXPECT_EQ(to_json(sizing).at("parameters"), like.at("parameters"));
      EXPECT_EQ(of_the_config(sizing), row.at("warnings").get<Texts>());
    }
  }
}

TEST(QuantisedConfigs, AreRefusedByName) {
  const Json file = oracle("quantised_configs.json");
  for (const Json& row : file.at("refused")) {
    SCOPED_TRACE(row.at("name"));
    const Json config = quantised_config(file, row);
    if (row.contains("method")) {
      for (const Json& model : {config, entry_of(config)}) {
        EXPECT_EQ(refusal(request_of(model, row.at("method")).dump()), row.at("refusal"));
      }
      continue;
    }
    const std::string fault = row.at("fault");
    Faults faults;
    EXPECT_TRUE(model_entry(config, "c", {"x", "X", "", "the Hub", "2026-11"}, faults).empty());
    EXPECT_EQ(texts_of(faults), Texts{"c:" + fault});
    std::string dotted = "model" + fault;
    for (std::size_t at = 0; at < dotted.find(": "); ++at) {
      if (dotted[at] == '/') dotted[at] = '.';
    }
    EXPECT_EQ(refusal(request_of(config, {{"kind", "full"}}).dump()), dotted);
  }
}

}  // namespace
}  // namespace sizesheet
