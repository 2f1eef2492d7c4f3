// SPDX-License-Identifier: Apache-2.0
// Catalogs laid over one another: what a company keeps beside the built-in one is found by every
// command, and a fault in it is told at its own place.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cli/program.h"
#include "cli/small_sheet.h"
#include "sheet/quarterly.h"
#include "support/files.h"
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
  EXPECT_TRUE(layered({"list", "models"}).out.starts_with("acme-8b\t8030261248\tAcme 8B\n"));
  EXPECT_EQ(layered({"list", "prices", "--provider", "acme"}).out,
            "acme/own/8x/h100-sxm/on_demand/8/2026-11-19\t12\t\n");
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
      "\"prices\" or \"price_history.json\"?)\n"
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

TEST_F(Layers, the_variable_holds_several) {
  setenv("SIZESHEET_CATALOG", ("builtin:" + at("ours")).c_str(), 1);
  const Outcome listed = program({"list", "prices", "--provider", "acme"});
  setenv("SIZESHEET_CATALOG", "builtin:", 1);
  const Outcome empty = program({"list", "models"});
  unsetenv("SIZESHEET_CATALOG");
  EXPECT_EQ(listed.out, "acme/own/8x/h100-sxm/on_demand/8/2026-11-19\t12\t\n");
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
  EXPECT_EQ(
      told({"diff", "builtin", at("ours"), "--sheet", "quarterly"}).err,
      "sizesheet: ours: expected sheet.json of an edition or engine.json of a catalog in this "
      "folder, got neither; builtin:FOLDER lays a folder over the built-in catalog\n");
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
            "sizesheet: --merge: expected --catalog, a folder to write to, got builtin\n");
}

}  // namespace
}  // namespace sizesheet
