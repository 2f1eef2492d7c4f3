// SPDX-License-Identifier: Apache-2.0
// Published config.json files of every family: each becomes an entry, and each count is exact.
#include <gtest/gtest.h>

#include "catalog/models/architecture.h"
#include "catalog/models/family_keys.h"
#include "catalog/models/model.h"
#include "catalog/models/model_entry.h"
#include "sizing/model/parameters.h"
#include "sizing/model/tower_counts.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

const std::string kFolder = SIZESHEET_SOURCE_DIR "/tests/catalog/";

Json read_document(const std::string& name) { return parse_json(read_file(kFolder + name), name); }

Json entry_of(const Json& config, const std::string& id) {
  const ModelIdentity identity{id, id, "", "the Hub", "2026-10-10"};
  Faults faults;
  Json entry = Json::object();
  for (const auto& [key, value] : model_entry(config, "c", identity, faults)) entry[key] = value;
  EXPECT_EQ(texts_of(faults), Texts{}) << id;
  return entry;
}

Texts entry_faults(const Json& config,
                   const ModelIdentity& identity = {"x", "X", "", "the Hub", "2026-10-10"}) {
  Faults faults;
  model_entry(config, "c", identity, faults);
  return texts_of(faults);
}

std::int64_t counted(const Json& entry) {
  Faults faults;
  const Model model = read_model(ObjectReader(entry, "entry", "", faults));
  EXPECT_EQ(texts_of(faults), Texts{});
  return count_parameters(model.architecture).total();
}

/// Of a family whose layers differ an entry keeps the config itself.
const Json& config_in(const Json& entry) {
  return entry.contains("config") ? entry.at("config") : entry;
}

TEST(Import, every_published_config_becomes_an_entry_with_the_published_count) {
  int published = 0;
  int new_to_the_catalog = 0;
  const std::vector<std::string> files = list_files(kFolder + "import");
  EXPECT_EQ(files.size(), 84U);
  for (const std::string& file : files) {
    const Json facts = read_document("import/" + file);
    const std::string id = file.substr(0, file.size() - std::string(".json").size());
    const Json entry = entry_of(facts.at("config"), id);
    const std::int64_t text = counted(entry);
    EXPECT_EQ(facts.at("text"), text) << file;
    if (!project_catalog().models.contains(id)) ++new_to_the_catalog;
    if (!facts.contains("published")) continue;
    ++published;
    const Json& count = facts.at("published");
    const std::int64_t beside =
        count.contains("beside_the_text") ? count.at("beside_the_text").at("value").get<int>() : 0;
    EXPECT_EQ(text + beside, count.at("value")) << file << ": " << count.at("source");
    if (entry.contains("vision")) {
      Faults faults;
      const Model model = read_model(ObjectReader(entry, "entry", "", faults));
      EXPECT_EQ(count_tower(*model.architecture.tower).total(), beside) << file;
    }
  }
  EXPECT_EQ(published, 55);
  EXPECT_EQ(new_to_the_catalog, 63);
}

/// The catalog's own entries use the same names; importing one must not change its shape.
TEST(Import, every_entry_of_the_catalog_comes_back_with_the_same_shape) {
  for (const auto& [id, model] : project_catalog().models) {
    Json config = config_in(model.raw);
    if (model.raw.contains("vision")) config["vision"] = model.raw.at("vision");
    const Json again = entry_of(config, id);
    Faults faults;
    EXPECT_EQ(read_model(ObjectReader(again, "c", "", faults)).architecture, model.architecture)
        << id;
  }
}

TEST(Import, short_configs_of_a_request_are_counted) {
  const Json rows = read_document("short_configs.json").at("configs");
  EXPECT_EQ(rows.size(), 21U);
  for (const Json& row : rows) {
    Faults faults;
    ObjectReader reader(row.at("config"), "c", "", faults);
    const Architecture model = read_architecture(reader);
    EXPECT_EQ(texts_of(faults), Texts{}) << row;
    const std::int64_t tower = model.tower ? count_tower(*model.tower).total() : 0;
    EXPECT_EQ(count_parameters(model).total() + tower, row.at("total")) << row;
  }
}

TEST(Import, every_family_but_those_in_the_catalog_has_a_config_here) {
  std::set<std::string> seen;
  for (const std::string& file : list_files(kFolder + "import")) {
    const Json config = read_document("import/" + file).at("config");
    seen.insert(config.contains("text_config") ? config.at("text_config").at("model_type")
                                               : config.at("model_type"));
  }
  for (const auto& [id, model] : project_catalog().models) {
    seen.insert(config_in(model.raw).at("model_type"));
  }
  std::vector<std::string> missing;
  for (const std::string& type : known_model_types()) {
    if (!seen.contains(type)) missing.push_back(type);
  }
  // Read as a sibling that is here: the same keys, the same code.
  EXPECT_EQ(missing, (std::vector<std::string>{"exaone4", "granitemoeshared", "internlm3",
                                               "ministral", "ministral3", "qwen2_5_vl_text",
                                               "qwen2_vl", "qwen2_vl_text"}));
}

TEST(Import, a_list_of_layers_is_also_their_number) {
  Json config = read_document("import/nemotron-3-ultra-550b-a55b.json").at("config");
  EXPECT_EQ(entry_of(config, "x").at("num_hidden_layers"), 108);
  config["layers_block_type"] = Json::array();
  EXPECT_EQ(entry_faults(config),
            Texts{"c:/layers_block_type: expected from 1 to 10000 layers, got 0"});
  config["layers_block_type"] = {"mamba", "moe"};
  config["num_hidden_layers"] = 3;
  EXPECT_EQ(entry_faults(config),
            Texts{"c:/layers_block_type: expected 3 letters, one a layer, got 2"});
}

TEST(Import, a_flag_for_what_the_family_always_has_may_only_be_true) {
  Json config = read_document("import/qwen3-coder-480b-a35b.json").at("config");
  config["use_qk_norm"] = false;
  EXPECT_EQ(entry_faults(config),
            Texts{"c:/use_qk_norm: expected true, got false: attention without norms of queries "
                  "and keys is not modelled"});
}

TEST(Import, what_the_catalog_needs_and_the_config_lacks_is_named) {
  Json config = read_document("import/yi-34b.json").at("config");
  config.erase("max_position_embeddings");
  EXPECT_EQ(entry_faults(config),
            Texts{"c:/max_position_embeddings: expected an integer, got nothing"});
}

TEST(Import, what_the_catalog_would_refuse_is_refused_at_once) {
  const Json config = read_document("import/yi-34b.json").at("config");
  const ModelIdentity identity{"Yi 34B", "Yi", "", "http://example.org/yi", "yesterday"};
  EXPECT_EQ(entry_faults(config, identity),
            (Texts{"models/Yi 34B.json:/id: expected an id of lower-case letters, digits, . and -, "
                   "got \"Yi 34B\"",
                   "models/Yi 34B.json:/date: expected a date YYYY-MM-DD or YYYY-MM, got "
                   "\"yesterday\"",
                   "models/Yi 34B.json:/source: expected addresses that begin with https://, got "
                   "\"http://…\""}));
}

TEST(Import, layers_with_experts_are_told_in_the_shortest_way) {
  Json config = read_document("import/qwen3-235b-a22b.json").at("config");
  config["num_hidden_layers"] = 6;
  const auto places = [&] {
    const Json moe = entry_of(config, "x").at("moe");
    return std::tuple{moe.at("first_k_dense"), moe.at("moe_layer_step"),
                      moe.value("dense_layers", Json(nullptr))};
  };
  EXPECT_EQ(places(), (std::tuple<Json, Json, Json>{0, 1, nullptr}));
  config["decoder_sparse_step"] = 2;
  EXPECT_EQ(places(), (std::tuple<Json, Json, Json>{0, 2, nullptr}));
  config["decoder_sparse_step"] = 1;
  config["mlp_only_layers"] = {0, 1};
  EXPECT_EQ(places(), (std::tuple<Json, Json, Json>{2, 1, nullptr}));
  config["mlp_only_layers"] = {1, 4};
  EXPECT_EQ(places(), (std::tuple<Json, Json, Json>{0, 1, {1, 4}}));
}

TEST(Import, a_text_part_without_a_type_is_what_the_model_has) {
  for (const char* id : {"qwen3-vl-8b", "gemma-3-12b"}) {
    const Json config = read_document("import/" + std::string(id) + ".json").at("config");
    Json untyped = config;
    untyped["text_config"].erase("model_type");
    EXPECT_EQ(entry_of(untyped, id), entry_of(config, id));
  }
}

TEST(Import, what_the_checkpoint_holds_beside_the_text_is_noted) {
  EXPECT_EQ(entry_of(read_document("import/glm-4.5-air.json").at("config"), "x").at("note"),
            "Multi-token-prediction layers of the checkpoint are not counted.");
  EXPECT_EQ(entry_of(read_document("import/glm-4.1v-9b.json").at("config"), "x").at("note"),
            "Text part of a model with a vision tower.");
  EXPECT_FALSE(entry_of(read_document("import/yi-34b.json").at("config"), "x").contains("note"));
}

}  // namespace
}  // namespace sizesheet
