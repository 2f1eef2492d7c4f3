// SPDX-License-Identifier: Apache-2.0
// A card that is not in the catalog is one file of a layer: memory is sized without its speed, and
// what needs a speed or a number format says which key the file lacks.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/program.h"
#include "cli/small_sheet.h"
#include "sheet/quarterly.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

Json builtin_fact(const std::string& path) {
  return parse_json(read_file(std::filesystem::path(kCatalog) / path), path);
}

/// A layer of the card acme-x1, which is an H100 without speed and number formats, and a price.
class NewCard : public InFolder {
 protected:
  NewCard() : card_(builtin_fact("gpus/h100-sxm.json")) {
    for (const char* key : {"speed", "formats", "compute_capability"}) card_.erase(key);
    card_.update(
        {{"id", "acme-x1"}, {"name", "Acme X1"}, {"short_name", "X1"}, {"tiny_name", "X1"}});
    dir_.write("ours/prices/acme.json", price_file("acme", "acme-x1", "2026-11-19").dump(2));
    write_card();
  }

  void write_card() const { dir_.write("ours/gpus/acme-x1.json", card_.dump(2)); }

  Outcome layered(const Words& words, const std::string& in = "") const {
    return told(with(words, {"--catalog", "builtin", "--catalog", at("ours")}), in);
  }

  Json answer(const std::string& gpu, const Json& more = Json::object()) const {
    Json request = {{"id", "a"},
                    {"model", "llama-3.1-8b"},
                    {"gpu", gpu},
                    {"method", {{"kind", "full"}}},
                    {"state", "bf16-fp32-moments"},
                    {"layout", {{"gpus", 8}, {"dp", 8}, {"shard", "zero3"}}},
                    {"workload", {{"tokens", 50000000}}}};
    request.update(more);
    return parse_json(layered({"estimate"}, request.dump()).out, "answer");
  }

  Json card_;
};

const Words kAsk{"ask", "llama-3.1-8b", "--method", "lora-r16", "--gpu", "acme-x1"};

TEST_F(NewCard, is_sized_without_a_speed_and_has_no_hours) {
  EXPECT_EQ(layered({"check"}).code, 0);
  const Json sized = answer("acme-x1");
  EXPECT_EQ(sized.at("memory"), answer("h100-sxm").at("memory"));
  EXPECT_TRUE(sized.at("throughput").is_null());
  const std::string lacks = "no speed of GPU acme-x1 is known";
  const Json asked = parse_json(layered(with(kAsk, {"--json"})).out, "answer");
  EXPECT_EQ(asked.at("answers").at(0).at("pick").at("rent_why"), lacks + "; it fits on 1 × X1");
  EXPECT_NE(layered(kAsk).out.find(lacks + ", so no hours"), std::string::npos);
  Json sheet = quarterly_of({"llama-3.1-8b"}, {"lora-r16"}, {"acme-x1"});
  sheet.update({{"id", "acme"}, {"series_seq_lens", {4096}}});
  dir_.write("ours/sheets/acme.json", sheet.dump(2));
  const Outcome built = layered({"build", "--sheet", "acme", "--out", at("out")});
  ASSERT_EQ(built.code, 0) << built.err;
  const Json edition = parse_json(read_file(at("out/sheet.json")), "sheet.json");
  EXPECT_EQ(edition.at("picks").at(0).at("rent_why"), lacks + "; it fits on 1 × X1");
}

TEST_F(NewCard, is_timed_and_rented_with_a_speed_in_its_file) {
  card_["speed"] = builtin_fact("gpus/h100-sxm.json").at("speed");
  write_card();
  EXPECT_EQ(layered({"check"}).code, 0);
  const Json timed = answer("acme-x1");
  EXPECT_TRUE(timed.at("throughput").is_object());
  EXPECT_EQ(timed.at("throughput"), answer("h100-sxm").at("throughput"));
  const Json asked = parse_json(layered(with(kAsk, {"--json"})).out, "answer");
  EXPECT_EQ(asked.at("answers").at(0).at("pick").at("provider"), "acme");
}

TEST_F(NewCard, lacks_the_peak_of_its_precision) {
  card_["speed"] = builtin_fact("gpus/h100-sxm.json").at("speed");
  card_["bf16_dense_tflops"] = nullptr;
  write_card();
  const Json asked = parse_json(layered(with(kAsk, {"--json"})).out, "answer");
  EXPECT_EQ(asked.at("answers").at(0).at("pick").at("rent_why"),
            "no bf16_dense_tflops of GPU acme-x1 is known; it fits on 1 × X1");
}

TEST_F(NewCard, runs_the_fp8_recipes_whose_formats_its_file_has) {
  const Json mxfp8 = {{"kernels", {{"precision", "fp8"}, {"fp8_recipe", "mxfp8"}}}};
  EXPECT_EQ(answer("acme-x1", mxfp8).at("error"),
            "kernels.fp8_recipe: \"mxfp8\" needs products in mxfp8, and the formats of gpu "
            "\"acme-x1\" are not known (\"formats\" in catalog/gpus/acme-x1.json)");
  EXPECT_EQ(
      answer("acme-x1", {{"kernels", {{"precision", "fp8"}, {"fp8_recipe", "delayed"}}}}).at("ok"),
      true);
  card_["formats"] = {{"products", {"fp16", "bf16", "fp8", "mxfp8"}},
                      {"source", "data sheet"},
                      {"date", "2026-11-19"}};
  write_card();
  EXPECT_EQ(answer("acme-x1", mxfp8).at("ok"), true);
}

TEST_F(NewCard, is_refused_in_the_engines_file) {
  Json engine = builtin_fact("engine.json");
  engine["speeds"] = Json::array({Json{{"id", "acme-x1"}}});
  dir_.write("ours/engine.json", engine.dump(2));
  EXPECT_EQ(
      layered({"check"}),
      (Outcome{1,
               "ours/engine.json:/speeds: expected no such key: the speed of a card is in the "
               "card's own file now; move each entry without its id to \"speed\" of "
               "gpus/ID.json\n",
               ""}));
}

}  // namespace
}  // namespace sizesheet
