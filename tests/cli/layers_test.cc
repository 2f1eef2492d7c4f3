// SPDX-License-Identifier: Apache-2.0
// Catalogs laid over one another: what a company keeps beside the built-in one is found by every
// command, and a fault in it is told at its own place.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "catalog/catalog.h"
#include "catalog/files/layer.h"
#include "catalog/files/loader.h"
#include "cli/program.h"
#include "cli/small_sheet.h"
#include "sheet/quarterly.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

Json fact(const std::string& path) {
  return parse_json(read_file(std::filesystem::path(kCatalog) / path), path);
}

Json sheet_of_one_cell(const std::string& id, const std::string& model) {
  Json sheet = quarterly_of({model}, {"lora-r16"}, {"h100-sxm"});
  sheet.update({{"id", id}, {"series_seq_lens", {4096}}});
  return sheet;
}

/// A folder of one price, one model and one sheet, to be laid over the built-in catalog.
class Layers : public InFolder {
 protected:
  Layers() {
    Json model = fact("models/llama-3.1-8b.json");
    model.erase("was");
    model.update({{"id", "acme-8b"}, {"title", "Acme 8B"}, {"repository", "acme/acme-8b"}});
    write("ours/models/acme-8b.json", model);
    write("ours/prices/acme.json", price_file("acme", "h100-sxm", "2026-11-19"));
    write("ours/sheets/acme.json", sheet_of_one_cell("acme", "acme-8b"));
  }

  void write(const std::string& name, const Json& json) const { dir_.write(name, json.dump(2)); }

  /// The command over both layers.
  Outcome layered(const Words& words, const std::string& in = "") const {
    return told(with(words, {"--catalog", "builtin", "--catalog", at("ours")}), in);
  }
};

TEST_F(Layers, a_model_and_a_price_of_ones_own_are_listed_and_rented) {
  EXPECT_NE(layered({"list", "models"}).out.find("\nfalcon-7b\t"), std::string::npos);
  EXPECT_TRUE(layered({"list", "models"}).out.starts_with("acme-8b\t8030261248\tAcme 8B\t"));
  EXPECT_EQ(layered({"list", "prices", "--provider", "acme"}).out,
            "1.50\t*\th100-sxm\tacme\ton_demand\t8\town\t8x\tlist\t2026-11-19\t12\t\t\tacme/own/8x/"
            "h100-sxm/on_demand/8/2026-11-19\n");
  const Outcome asked = layered(
      {"estimate"},
      R"({"id": "a", "model": "acme/acme-8b", "gpu": "h100-sxm", "stack": "hf-trl", "method": "full",)"
      R"( "workload": {"tokens": 50000000}, "objective": "money", "answer": ["money"]})");
  EXPECT_EQ(asked.code, 0) << asked.out;
  EXPECT_EQ(asked.err, "model \"acme/acme-8b\" is acme-8b\n");
  EXPECT_EQ(parse_json(asked.out, "answer").at("offer").at("provider"), "acme");
  EXPECT_EQ(layered({"ask", "acme-8b", "--sheet", "acme"}).code, 0);
}

TEST_F(Layers, an_edition_is_made_of_both) {
  const Outcome built = layered({"build", "--sheet", "acme", "--out", at("out")});
  ASSERT_EQ(built.code, 0) << built.err;
  const Json sheet = parse_json(read_file(at("out/sheet.json")), "sheet.json");
  EXPECT_EQ(sheet.at("picks")[0].at("model"), "acme-8b");
  EXPECT_EQ(sheet.at("picks")[0].at("provider"), "acme");
  EXPECT_EQ(layered({"build", "--sheet", "acme", "--out", at("ours/out")}).err,
            "sizesheet: --out: expected a folder outside the catalog, got \"ours/out\"\n");
}

TEST_F(Layers, the_hash_is_that_of_what_was_merged) {
  write("ours/gpus/h100-sxm.json", [] {
    Json gpu = fact("gpus/h100-sxm.json");
    gpu["tdp_w"] = 650;
    return gpu;
  }());
  const Catalog both = load_sound_catalog(CatalogLayers({"builtin", at("ours")}));
  EXPECT_EQ(both.gpu("h100-sxm").raw.at("tdp_w"), 650);
  std::filesystem::copy(kCatalog, at("all"), std::filesystem::copy_options::recursive);
  std::filesystem::copy(
      at("ours"), at("all"),
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(load_sound_catalog(at("all")).hash, both.hash);
  EXPECT_EQ(
      load_sound_catalog(CatalogLayers({at("ours"), kCatalog})).gpu("h100-sxm").raw.at("tdp_w"),
      700)
      << "the later one counts";
}

TEST_F(Layers, a_fault_is_told_at_its_own_place) {
  write("ours/models/acme-8b.json", [&] {
    Json model = parse_json(read_file(at("ours/models/acme-8b.json")), "model");
    model["titel"] = "x";
    return model;
  }());
  write("ours/prices/acme.json", price_file("acme", "h100-sxn", "2026-11-19"));
  write("ours/price/more.json", Json::object());
  const std::string faults =
      "ours/price/more.json: expected a file of a catalog, which has no \"price\" (did you mean "
      "\"prices\", \"price_age.json\" or \"price_history.json\"?)\n"
      "ours/models/acme-8b.json:/titel: unknown key (did you mean \"title\"?)\n"
      "ours/prices/acme.json:/rows/0/gpu: no GPU \"h100-sxn\" in the catalog (did you mean "
      "\"h100-sxm\"?)\n";
  EXPECT_EQ(layered({"check"}), (Outcome{1, faults, ""}));
  const Outcome listed = layered({"list", "prices"});
  EXPECT_EQ(listed, (Outcome{2, "", "sizesheet: " + faults}));
}

TEST_F(Layers, a_layer_that_is_none_is_refused) {
  dir_.write("file", "");
  const std::string expected = ": expected a folder of facts or builtin, got ";
  for (const auto& [layer, got] :
       {std::pair<std::string, std::string>{"our", "nothing (did you mean \"ours\"?)"},
        {"our/", "nothing (did you mean \"ours\"?)"},
        {"built-in", "nothing (did you mean \"builtin\"?)"},
        {"file", "a file"}}) {
    const Outcome outcome = told({"check", "--catalog", "builtin", "--catalog", at(layer)});
    EXPECT_EQ(outcome, (Outcome{2, "", "sizesheet: " + layer + expected + got + "\n"}));
  }
}

/// Its files would take the place of one's own.
TEST_F(Layers, the_built_in_catalog_is_over_none) {
  const Outcome refused{2, "",
                        "ours is laid over the built-in catalog: it has no engine.json\n"
                        "sizesheet: --catalog: expected builtin first, got it over ours, whose "
                        "files it would replace\n"};
  EXPECT_EQ(told({"check", "--catalog", at("ours"), "--catalog", "builtin"}), refused);
}

TEST_F(Layers, the_variable_holds_several) {
  setenv("SIZESHEET_CATALOG", ("builtin:" + at("ours")).c_str(), 1);
  const Outcome listed = program({"list", "prices", "--provider", "acme"});
  setenv("SIZESHEET_CATALOG", "builtin:", 1);
  const Outcome empty = program({"list", "models"});
  unsetenv("SIZESHEET_CATALOG");
  EXPECT_EQ(listed.out,
            "1.50\t*\th100-sxm\tacme\ton_demand\t8\town\t8x\tlist\t2026-11-19\t12\t\t\tacme/own/8x/"
            "h100-sxm/on_demand/8/2026-11-19\n");
  EXPECT_EQ(
      empty,
      (Outcome{2, "", "sizesheet: \"\": expected a folder of facts or builtin, got nothing\n"}));
}

TEST_F(Layers, a_comparison_takes_them_too) {
  write("sheet.json", sheet_of_one_cell("sheet", "llama-3.1-8b"));
  const std::vector<std::string> command{
      "diff", "builtin", "builtin:" + at("ours"), "--sheet", at("sheet.json"), "--format", "json"};
  const Outcome compared = program(command);
  EXPECT_EQ(compared.code, 1) << compared.err;
  EXPECT_NE(compared.out.find("acme/own/8x/h100-sxm/on_demand/8/2026-11-19"), std::string::npos);
  const Outcome alone = told(
      with({"diff", "builtin", at("ours")}, {"--sheet", at("sheet.json"), "--format", "json"}));
  EXPECT_EQ(alone.out, compared.out);
  EXPECT_EQ(alone.err, "ours is laid over the built-in catalog: it has no engine.json\n");
  std::filesystem::create_directory(at("notes"));
  EXPECT_EQ(told({"diff", "builtin", at("notes")}).err,
            "sizesheet: notes: expected sheet.json of an edition or files of a catalog in this "
            "folder, got neither\n");
}

TEST_F(Layers, what_is_merged_goes_into_the_last) {
  dir_.write("config.json", fact("models/phi-4.json").dump());
  const Outcome model = layered({"import-model", at("config.json"), "--id", "phi-4", "--date",
                                 "2026-11", "--source", "us", "--merge", "--yes"});
  EXPECT_EQ(model.code, 0) << model.err;
  EXPECT_EQ(model.err, "written: ours/models/phi-4.json\n");
  EXPECT_NE(model.out.find("changed\tsource\t"), std::string::npos) << "against the one below";
  dir_.write("runpod.csv",
             "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source\n"
             "h100-sxm,own,1x,1,on_demand,list,2,2026-11-19,our contract\n");
  const Outcome prices =
      layered({"import-prices", at("runpod.csv"), "--format", "sizesheet", "--merge", "--yes"});
  EXPECT_EQ(prices.code, 0) << prices.err;
  const std::size_t upstream = fact("prices/runpod.json").at("rows").size();
  const Json merged = parse_json(read_file(at("ours/prices/runpod.json")), "merged");
  EXPECT_EQ(merged.at("rows").size(), upstream + 1) << "it takes the place of the file below";
  EXPECT_EQ(layered({"check"}).code, 0);
  EXPECT_EQ(told({"import-model", at("config.json"), "--id", "x", "--date", "2026-11", "--catalog",
                  at("ours"), "--catalog", "builtin", "--merge"})
                .err,
            "ours is laid over the built-in catalog: it has no engine.json\n"
            "sizesheet: --merge: expected --catalog, a folder to write to, got builtin\n");
}

// ---- A folder alone: a whole catalog, a layer, or neither.

TEST_F(Layers, a_layer_alone_is_laid_over_the_built_in_catalog_by_every_command) {
  const std::string said = "ours is laid over the built-in catalog: it has no engine.json\n";
  for (const Words& words :
       {Words{"list", "prices", "--provider", "acme"}, Words{"check"},
        Words{"ask", "acme-8b", "--method", "lora", "--gpu", "h100"},
        Words{"fits", "--gpu", "h100", "--gpus", "1", "--model", "acme-8b"},
        Words{"explain", "--model", "acme-8b", "--method", "lora-r16", "--gpu", "h100-sxm"},
        Words{"cost", "--gpu", "h100", "--gpus", "8"},
        Words{"build", "--sheet", "acme", "--out", at("out")}}) {
    const Outcome both = layered(words);
    const Outcome alone = told(with(words, {"--catalog", at("ours")}));
    EXPECT_EQ(alone.code, both.code) << words.front();
    EXPECT_EQ(alone.out, both.out) << words.front();
    EXPECT_EQ(alone.err, said + both.err) << words.front();
    EXPECT_EQ(both.err.find("is laid over"), std::string::npos)
        << "said where it was not asked for";
  }
}

TEST_F(Layers, the_variable_may_name_a_layer_alone) {
  setenv("SIZESHEET_CATALOG", at("ours").c_str(), 1);
  const Outcome listed = told({"list", "prices", "--provider", "acme"});
  const Outcome version = told({"--version"});
  const Outcome other = told({"list", "models", "--catalog", "builtin"});
  unsetenv("SIZESHEET_CATALOG");
  EXPECT_EQ(listed, (Outcome{0,
                             "1.50\t*\th100-sxm\tacme\ton_demand\t8\town\t8x\tlist\t2026-11-"
                             "19\t12\t\t\tacme/own/8x/h100-sxm/on_demand/8/2026-11-19\n",
                             "ours is laid over the built-in catalog: it has no engine.json\n* "
                             "counts on 2026-11-20 by the rules of the sheet quarterly\n"}));
  EXPECT_EQ(version.err, "");
  EXPECT_EQ(other.err, "") << "the option has the word";
}

TEST_F(Layers, a_layer_is_told_by_what_it_lacks_or_by_its_manifest) {
  write("prices/prices/acme.json", price_file("acme", "h100-sxm", "2026-11-19"));
  EXPECT_TRUE(told({"check", "--catalog", at("prices")})
                  .err.starts_with("prices is laid over the built-in catalog: it has no models\n"));
  write("engine/engine.json", fact("engine.json"));
  EXPECT_EQ(ground_words(CatalogLayers(at("engine"))),
            at("engine") + " is laid over the built-in catalog: it has no models");
  std::filesystem::copy(kCatalog, at("whole"), std::filesystem::copy_options::recursive);
  EXPECT_EQ(ground_words(CatalogLayers(at("whole"))), "");
  write("whole/layer.json", {{"over", "builtin"}});
  EXPECT_EQ(ground_words(CatalogLayers(at("whole"))),
            at("whole") + " is laid over the built-in catalog: its layer.json says so");
  EXPECT_EQ(told({"check", "--catalog", at("whole")}).code, 0);
  write("whole/layer.json", {{"over", "bultin"}});
  EXPECT_EQ(told({"check", "--catalog", at("whole")}).out,
            "whole/layer.json:/over: expected one of builtin; got \"bultin\" (did you mean "
            "\"builtin\"?)\n");
}

TEST_F(Layers, a_folder_that_holds_nothing_of_a_catalog_is_refused_by_name) {
  const std::string expected =
      ": expected a catalog, or what is laid over the built-in one (models, prices, sheets …), "
      "got ";
  std::filesystem::create_directories(at("empty"));
  dir_.write("notes/todo.txt", "x");
  dir_.write("edition/sheet.json", "{}");
  dir_.write("edition/manifest.json", "{}");
  dir_.write("edition/models/x.html", "");
  for (const auto& [folder, got] : {std::pair<std::string, std::string>{"empty", "an empty folder"},
                                    {"notes", "none of its files and folders, but \"todo.txt\""},
                                    {"edition", "an edition"}}) {
    const Outcome refused{2, "", "sizesheet: " + folder + expected + got + "\n"};
    EXPECT_EQ(told({"list", "gpus", "--catalog", at(folder)}), refused);
    EXPECT_EQ(told({"check", "--catalog", "builtin", "--catalog", at(folder)}), refused);
  }
}

/// What the check of a layer with this file says of it.
std::string said_of_file(const TempDir& dir, const std::string& file) {
  const std::string layer = "layer-" + std::to_string(std::hash<std::string>{}(file));
  dir.write(layer + "/prices/acme.json", price_file("acme", "h100-sxm", "2026-11-19").dump());
  dir.write(layer + "/" + file, "garbage");
  const std::string at = (dir.path() / layer).string();
  return without(program({"check", "--catalog", "builtin", "--catalog", at}).out, at + "/");
}

TEST_F(Layers, what_nobody_reads_is_refused_by_name) {
  const std::string below = " itself; nothing reads one in a folder below (did you mean ";
  const std::string ending = ": expected a name that ends in .json; nothing reads this file";
  for (const auto& [file, words] : std::vector<std::pair<std::string, std::string>>{
           {"prices/eu/acme.json",
            ": expected a file in \"prices\"" + below + "\"prices/acme.json\"?)"},
           {"models/ours/x.json",
            ": expected a file in \"models\"" + below + "\"models/x.json\"?)"},
           {"sheets/2026/q4.json",
            ": expected a file in \"sheets\"" + below + "\"sheets/q4.json\"?)"},
           {"conventions/figure/x.json",
            ": expected a file in \"conventions\"" + below + "\"conventions/x.json\"?)"},
           {"prices/acme.JSON", ending},
           {"prices/more.csv", ending + " (import-prices reads a CSV)"},
           {"prices/acme.yaml", ending},
           {"prices/acme.json.txt", ending},
           {"models/x.yml", ending},
           {"prices.csv", ending},
           {"engine.JSON", ending},
           {"price/acme.toml", ending},
           {"purchase/rates.jsonc", ending}}) {
    EXPECT_EQ(said_of_file(dir_, file), file + words + "\n") << file;
  }
}

TEST_F(Layers, what_people_and_editors_leave_beside_is_passed_over) {
  for (const char* file : {"README.md", "LICENSE", "prices/README.md", "prices/acme.json~",
                           ".gitkeep", "prices/.acme.json.swp", "#notes#", "sheets/logo.png",
                           "scripts/fetch.sh", "labels/pl.json"}) {
    EXPECT_EQ(said_of_file(dir_, file).find("expected"), std::string::npos) << file;
  }
}

// ---- A merge begins the folders that it said it would.

class Merges : public InFolder {
 protected:
  Merges() {
    dir_.write("config.json", fact("models/phi-4.json").dump());
    dir_.write("acme.csv",
               "gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source\n"
               "h100-sxm,own,8x,8,on_demand,list,24,2026-11-19,our contract\n");
  }

  /// The import with a model's config, or with prices, into this layer.
  Outcome merged(bool model, const std::string& layer, const Words& more) const {
    Words words =
        model ? Words{"import-model", at("config.json"), "--id", "acme-16b", "--date", "2026-11"}
              : Words{"import-prices", at("acme.csv"), "--format", "sizesheet"};
    words = with(words, {"--catalog", "builtin", "--catalog", at(layer), "--merge"});
    return told(with(words, more));
  }
};

TEST_F(Merges, folders_are_made_as_the_dry_run_said) {
  std::filesystem::create_directories(at("empty"));
  for (const bool model : {true, false}) {
    for (const std::string layer : {"empty", "missing", "deep/er/layer"}) {
      const std::string file = layer + (model ? "/models/acme-16b.json" : "/prices/acme.json");
      const Outcome dry = merged(model, layer, {});
      EXPECT_TRUE(dry.err.ends_with("nothing is written; --yes writes " + file + "\n")) << dry.err;
      EXPECT_FALSE(std::filesystem::exists(at(file))) << file;
      const Outcome done = merged(model, layer, {"--yes"});
      EXPECT_EQ(done.code, 0) << done.err;
      EXPECT_TRUE(done.err.ends_with("written: " + file + "\n")) << done.err;
      EXPECT_EQ(done.out, dry.out) << "what was said is what happened";
      EXPECT_TRUE(std::filesystem::exists(at(file))) << file;
      EXPECT_EQ(told({"check", "--catalog", at(layer)}).code, 0);
    }
    for (const char* layer : {"missing", "deep", "empty/models", "empty/prices"}) {
      std::filesystem::remove_all(at(layer));
    }
  }
}

TEST_F(Merges, a_folder_that_is_not_there_is_no_other_of_nearly_its_name) {
  std::filesystem::create_directories(at("ours"));
  const Outcome refused{2, "",
                        "sizesheet: our: expected a folder to write to, got nothing (did you mean "
                        "\"ours\"?)\n"};
  for (const bool model : {true, false}) {
    Outcome outcome = merged(model, "our", {"--yes"});
    outcome.err = outcome.err.substr(outcome.err.find("sizesheet: "));
    EXPECT_EQ(outcome, refused);
  }
  EXPECT_FALSE(std::filesystem::exists(at("our")));
}

TEST_F(Merges, what_cannot_be_written_is_not_said_to_be_there) {
  dir_.write("ours/prices/other.json", price_file("other", "h100-sxm", "2026-11-19").dump());
  dir_.write("ours/models", "no folder");
  const Outcome outcome = merged(true, "ours", {"--yes"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
}

}  // namespace
}  // namespace sizesheet
