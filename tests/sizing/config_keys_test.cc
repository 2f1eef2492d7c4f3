// SPDX-License-Identifier: Apache-2.0
// Keys of a config.json that nothing reads are known to change nothing, are told, or are refused as
// slips. docs/requests.md lists all keys.
#include "catalog/models/config_keys.h"

#include <gtest/gtest.h>

#include <set>

#include "catalog/models/architecture.h"
#include "catalog/models/silent_keys.h"
#include "sizing/named_configs.h"
#include "sizing/sized.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"

namespace sizesheet {
namespace {

TEST(ConfigKeys, AFaultIsToldWhereFurtherPredictionsAreKept) {
  const Json model = {{"model_type", "mimo"},     {"hidden_size", 64},
                      {"intermediate_size", 256}, {"num_hidden_layers", 0},
                      {"num_attention_heads", 8}, {"num_key_value_heads", 8},
                      {"vocab_size", 100},        {"num_nextn_predict_layers", 1}};
  EXPECT_EQ(refusal_of([&] {
              static_cast<void>(sized({{"model", model}, {"mtp", "kept"}}));
            }),
            "model.num_hidden_layers: expected an integer from 1 to 10000, got 0");
}

TEST(ConfigKeys, TwoNamesOfOneSizeAgree) {
  const Json base = {{"model_type", "qwen3_moe"},     {"hidden_size", 64},
                     {"intermediate_size", 256},      {"moe_intermediate_size", 32},
                     {"num_hidden_layers", 4},        {"num_attention_heads", 8},
                     {"num_key_value_heads", 8},      {"num_experts", 8},
                     {"num_experts_per_tok", 2},      {"vocab_size", 100},
                     {"max_position_embeddings", 512}};
  const auto faults_with = [&](const Json& more) {
    Json config = base;
    config.update(more);
    Faults faults;
    ObjectReader reader(config, "c", "", faults);
    static_cast<void>(read_config(reader));
    return texts_of(faults);
  };
  EXPECT_EQ(faults_with(Json::object()), Texts{});
  EXPECT_EQ(
      faults_with({{"decoder_sparse_step", 1}, {"interleave_moe_layer_step", 2}}),
      Texts{"c:/decoder_sparse_step: expected the same as interleave_moe_layer_step, 2, got 1"});
  EXPECT_EQ(
      faults_with({{"intermediate_size_mlp", 64}, {"dense_intermediate_size", 128}}),
      Texts{"c:/dense_intermediate_size: expected the same as intermediate_size_mlp, 64, got 128"});
  EXPECT_EQ(
      faults_with(Json{{"fused_linears", Json::array({"qkv"})}}),
      Texts{
          "c:/fused_linears: expected qkv_proj, gate_up_proj or query_key_value, got \"qkv\" (did "
          "you mean \"qkv_proj\"?)"});
}

const Json kPlain = {{"model_type", "llama"},    {"hidden_size", 64},
                     {"intermediate_size", 256}, {"num_hidden_layers", 4},
                     {"num_attention_heads", 8}, {"num_key_value_heads", 8},
                     {"vocab_size", 100},        {"max_position_embeddings", 512}};

/// The remarks on the plain config with one key more.
Texts remarks_with(const std::string& key, const Json& value) {
  Json config = kPlain;
  config[key] = value;
  Faults faults;
  ObjectReader reader(config, "c", "", faults);
  Texts found = read_config(reader).remarks;
  for (const std::string& fault : texts_of(faults)) found.push_back(fault);
  return found;
}

TEST(ConfigKeys, TheSilentOnesAreSilent) {
  std::set<std::string> all;
  for (const SilentKeys& list : silent_keys()) {
    for (const std::string& key : list.keys) {
      EXPECT_TRUE(all.insert(key).second) << key << " twice";
      if (key == "dtype" || key == "torch_dtype") continue;
      const bool is_name = key.find("act") != std::string::npos;  // of a function, read as a text
      EXPECT_EQ(remarks_with(key, is_name ? Json("gelu") : Json(12345)), Texts{}) << key;
    }
  }
  for (const ToldKey& told : told_keys()) {
    for (const std::string& key : told.keys) {
      EXPECT_TRUE(all.insert(key).second) << key << " twice";
      for (const Json& usual : told.usual) EXPECT_EQ(remarks_with(key, usual), Texts{}) << key;
      EXPECT_EQ(remarks_with(key, 12345), Texts{"config.json: " + key + " 12345 " + told.words});
    }
  }
}

TEST(ConfigKeys, OthersAreToldOrRefused) {
  const Json file = oracle("quantised_configs.json");
  for (const Json& row : file.at("keys")) {
    EXPECT_EQ(remarks_with(row.at(0), row.at(1)), row.at(2).get<Texts>()) << row;
  }
}

/// docs/requests.md lists the keys by what they do.
TEST(ConfigKeys, AreAllInTheDocument) {
  const std::string document = read_file(SIZESHEET_SOURCE_DIR "/docs/requests.md");
  std::set<std::string> keys;
  for (const auto* lists : {&silent_keys(), &silent_keys_of_towers()}) {
    for (const SilentKeys& list : *lists) keys.insert(list.keys.begin(), list.keys.end());
  }
  for (const ToldKey& told : told_keys()) keys.insert(told.keys.begin(), told.keys.end());
  for (const auto& [name, config] : all_configs()) {
    Faults faults;
    ObjectReader reader(config, name, "", faults);
    KeyLog log;
    reader.write_down(&log);
    static_cast<void>(read_architecture(reader));
    for (const std::string& pointer : log.read) {
      const std::size_t end = pointer.rfind('/');
      if (pointer.substr(0, end).ends_with("/config_groups")) continue;  // of the writer's choice
      const std::string key = pointer.substr(end + 1);
      if (key.find_first_not_of("0123456789") != std::string::npos) keys.insert(key);
    }
  }
  std::string missing;
  for (const std::string& key : keys) {
    if (document.find("`" + key + "`") == std::string::npos) missing += " `" + key + "`,";
  }
  EXPECT_EQ(missing, "");
}

}  // namespace
}  // namespace sizesheet
