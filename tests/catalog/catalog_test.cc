// SPDX-License-Identifier: Apache-2.0
// Loading: what is kept, what is required, how it is looked up, and the hash.

#include "catalog/catalog.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "catalog/facts/engine_constants.h"
#include "catalog/files/loader.h"
#include "catalog/sample_catalog.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

TEST(Catalog, keeps_every_entry) {
  const Catalog catalog = loaded(sample_documents());
  EXPECT_EQ(catalog.model("small").title, "Small 1B");
  EXPECT_EQ(catalog.model("small").extras.at(0).value, 10);
  EXPECT_EQ(catalog.model("small").published.at(0).covers,
            (std::vector<std::string>{"text", "buffers"}));
  EXPECT_EQ(catalog.gpu("h100").fp8_dense_tflops, std::nullopt);
  EXPECT_EQ(catalog.method("full").request, Json({{"kind", "full"}}));
  EXPECT_EQ(catalog.stack("hf").refused.at("qlora+tp"), "no such path");
  EXPECT_EQ(catalog.stack("hf").kinds.at("full").at(0).variants.at(0).value, "fsdp-mixed");
  EXPECT_EQ(catalog.stack("hf").kinds.at("full").at(1).trap_value, "legacy");
  EXPECT_EQ(catalog.prices.at(0).usd_per_instance_hour.value, 30500000);
  EXPECT_EQ(catalog.prices.at(0).key(), "cloud/any/p5/h100/on_demand/8/2026-10-10");
  EXPECT_EQ(catalog.excluded_prices.at(0).reason, "undated");
  EXPECT_EQ(catalog.purchase.nodes.at(0).usd.typical, 2);
  EXPECT_EQ(catalog.sheets, std::vector<std::string>{"quarterly"});
}

TEST(Catalog, keeps_both_sets_of_engine_constants) {
  const EngineCatalog engine = loaded(sample_documents()).engine;
  EXPECT_EQ(engine.reference.value("nf4.block"), 64);
  EXPECT_EQ(engine.reference.recipes.at("hf-amp").weight, 4);
  EXPECT_EQ(engine.current.recipes.at("hf-amp").weight, 2);
  EXPECT_TRUE(engine.current.recipes.at("hf-amp").ddp_bucket);
  EXPECT_EQ(engine.reference.optimizers.at("adamw").per_row, 0);
  EXPECT_EQ(engine.current.optimizers.at("adamw").per_row, 4);
  EXPECT_EQ(engine.current.losses.at("hf").backward, 12);
  EXPECT_EQ(engine.reference.speeds.at("h100").bus_gb_per_s, 340);
  // An edition of an earlier program may lack one.
  EXPECT_EQ(refusal_of([] { static_cast<void>(EngineConstants{}.value("nf4.block")); }),
            "no engine constant \"nf4.block\"");
}

TEST(Catalog, suggests_the_name_that_was_meant) {
  const Catalog catalog = loaded(sample_documents());
  EXPECT_EQ(refusal_of([&] { static_cast<void>(catalog.gpu("h10")); }),
            "GPU \"h10\" is not in the catalog");
  EXPECT_EQ(refusal_of([&] { static_cast<void>(catalog.model("banana")); }),
            "model \"banana\" is not in the catalog");
  EXPECT_EQ(refusal_of([&] { static_cast<void>(catalog.method("fulll")); }),
            "method \"fulll\" is not in the catalog (did you mean \"full\"?)");
  EXPECT_EQ(refusal_of([&] { static_cast<void>(catalog.stack("hg")); }),
            "stack \"hg\" is not in the catalog (did you mean \"hf\"?)");
  EXPECT_EQ(refusal_of([&] { static_cast<void>(catalog.purchase.rate("8x-h10")); }),
            "purchase rate \"8x-h10\" is not in the catalog");
}

TEST(Catalog, requires_its_files) {
  for (const char* path : {"engine.json", "prices/excluded.json", "purchase/rates.json"}) {
    Documents documents = sample_documents();
    documents.erase(path);
    const TempDir dir;
    write_documents(dir, documents);
    EXPECT_EQ(refusal_of([&] { load_sound_catalog(dir.path()); }),
              (dir.path() / path).string() + ": this file is required");
  }
  Documents documents = sample_documents();
  documents.erase("gpus/h100.json");
  const TempDir dir;
  write_documents(dir, documents);
  EXPECT_EQ(refusal_of([&] { load_sound_catalog(dir.path()); }),
            (dir.path() / "gpus").string() + ": expected at least one .json file");
}

TEST(Catalog, malformed_text_is_placed) {
  const TempDir dir;
  write_documents(dir, sample_documents());
  dir.write("gpus/h100.json", "{\n  \"id\": \"h100\",\n  \"id\": \"h100\"\n}\n");
  EXPECT_EQ(refusal_of([&] { load_sound_catalog(dir.path()); }),
            (dir.path() / "gpus/h100.json").string() + ":3:6: duplicate key \"id\"");
}

TEST(Catalog, a_command_that_needs_a_sound_one_lists_every_fault) {
  const TempDir dir;
  Documents documents = sample_documents();
  documents["gpus/h100.json"]["tdp_w"] = "x";
  documents["methods/full.json"]["title"] = "";
  write_documents(dir, documents);
  const std::string at = dir.path().string();
  EXPECT_EQ(refusal_of([&] { load_sound_catalog(dir.path()); }),
            at + "/gpus/h100.json:/tdp_w: expected a number, got \"x\"\n" + at +
                "/methods/full.json:/title: expected text that is not empty, got \"\"");
}

TEST(Catalog, hash_covers_every_path_and_byte) {
  const auto hash = [](const Documents& documents) { return loaded(documents).hash; };
  const std::string before = hash(sample_documents());
  EXPECT_EQ(before.size(), 64U);
  EXPECT_EQ(hash(sample_documents()), before);  // wherever it lies
  Documents renamed = sample_documents();
  renamed["sheets/yearly.json"] = renamed["sheets/quarterly.json"];
  renamed.erase("sheets/quarterly.json");
  EXPECT_NE(hash(renamed), before);
  Documents changed = sample_documents();
  changed["gpus/h100.json"]["note"] = "x";
  EXPECT_NE(hash(changed), before);
}

TEST(Catalog, hash_is_of_path_length_and_bytes) {
  const TempDir dir;
  write_documents(dir, sample_documents());
  std::string all;
  for (const std::string& path : list_files(dir.path())) {
    const std::string bytes = read_file(dir.path() / path);
    all += path + "\n" + std::to_string(bytes.size()) + "\n" + bytes;
  }
  EXPECT_EQ(load_sound_catalog(dir.path()).hash, sha256_hex(all));
}

TEST(Catalog, what_systems_and_editors_leave_is_no_part_of_it) {
  const TempDir dir;
  write_documents(dir, sample_documents());
  const std::string before = load_sound_catalog(dir.path()).hash;
  for (const char* name :
       {".DS_Store", "gpus/.h100.json.swp", "gpus/#h100.json#", "gpus/h100.json~",
        "gpus/.#h100.json", "prices/.sizesheet-a1b2c3/left.json", "README"}) {
    dir.write(name, "{");
  }
  EXPECT_EQ(load_sound_catalog(dir.path()).hash, before);
}

TEST(Catalog, a_part_is_loaded_without_the_files_of_others) {
  const TempDir dir;
  write_documents(dir, sample_documents());
  for (const char* path :
       {"prices/cloud.json", "providers.json", "measured/bench.json", "conventions/simple.json"}) {
    dir.write(path, "[NaN]");
  }
  const Catalog sizing = load_sound_catalog(dir.path(), {});
  EXPECT_EQ(sizing.gpu("h100").id, "h100");
  EXPECT_EQ(sizing.sheets, std::vector<std::string>{"quarterly"});
  EXPECT_EQ(sizing.hash, "");
  dir.write("prices/cloud.json", sample_documents().at("prices/cloud.json").dump());
  std::filesystem::remove(dir.path() / "providers.json");
  EXPECT_EQ(load_sound_catalog(dir.path(), {CatalogPart::kMoney}).prices.size(), 1U);
  EXPECT_EQ(refusal_of([&] { load_sound_catalog(dir.path()); }).substr(dir.path().string().size()),
            "/measured/bench.json:1:2: not JSON near '[N'");
}

/// What editors are told changes nothing, at the top of any file.
TEST(Catalog, a_schema_is_named_at_the_top_of_a_file_only) {
  Documents documents = sample_documents();
  for (auto& [path, document] : documents) document["$schema"] = "http://example.org/schema.json";
  EXPECT_EQ(faults_in(documents), Texts{});
  EXPECT_EQ(loaded(documents).model("small").raw, loaded().model("small").raw);
  EXPECT_EQ(loaded(documents).engine.raw, loaded().engine.raw);
}

TEST(Catalog, every_schema_allows_its_own_name) {
  const std::string folder = SIZESHEET_SOURCE_DIR "/catalog/schema/";
  for (const std::string& file : list_files(folder)) {
    const Json schema = parse_json(read_file(folder + file), file);
    EXPECT_EQ(schema.at("properties").at("$schema"), Json({{"type", "string"}})) << file;
  }
}

TEST(Catalog, of_the_project_is_sound) {
  const Catalog& catalog = project_catalog();
  EXPECT_GE(catalog.models.size(), 72U);
  EXPECT_FALSE(catalog.prices.empty());
}

/// The sample with a second model of the same shape.
Documents two_models() {
  Documents documents = sample_documents();
  Json other = sample_model();
  other["id"] = "other";
  documents["models/other.json"] = other;
  return documents;
}

TEST(Renames, are_read_and_kept_in_the_raw_entry) {
  Documents documents = two_models();
  documents.at("models/small.json")["was"] = {"tiny", "small-1b"};
  documents.at("gpus/h100.json")["was"] = {"h100-80"};
  documents.at("methods/full.json")["was"] = {"all"};
  const Catalog catalog = loaded(documents);
  EXPECT_EQ((Texts{"tiny", "small-1b"}), catalog.model("small").was);
  EXPECT_EQ(Json({"tiny", "small-1b"}), catalog.model("small").raw.at("was"));
  EXPECT_EQ(Texts{"h100-80"}, catalog.gpu("h100").was);
  EXPECT_EQ(Texts{"all"}, catalog.method("full").was);
  EXPECT_TRUE(catalog.model("other").was.empty());
}

TEST(Renames, an_earlier_id_belongs_to_one_entry) {
  Documents documents = two_models();
  documents.at("models/small.json")["was"] = {"tiny"};
  documents.at("models/other.json")["was"] = {"tiny"};
  EXPECT_EQ(faults_in(documents),
            Texts{"models/small.json:/was: expected ids that no other model had, got \"tiny\", "
                  "which other had"});
}

}  // namespace
}  // namespace sizesheet
