// SPDX-License-Identifier: Apache-2.0
// The import-model command: an entry on stdout, and what it asks for.
#include <gtest/gtest.h>

#include "cli/program.h"
#include "sheet/quarterly.h"
#include "support/files.h"
#include "support/json.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

constexpr const char* kConfig = R"({"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 8,
  "n_positions": 32, "vocab_size": 100, "activation_function": "gelu_new", "torch_dtype": "float32"})";

Outcome import_model(const std::string& config, const Words& more) {
  const TempDir dir;
  dir.write("config.json", config);
  const std::string at = dir.path().string() + "/";
  Outcome outcome = program(with({"import-model", at + "config.json", "--id", "tiny"}, more));
  outcome.err = without(outcome.err, at);
  return outcome;
}

TEST(ImportModel, prints_a_complete_entry) {
  const Outcome outcome =
      import_model(kConfig, {"--title", "Tiny", "--source", "https://example.org/tiny", "--date",
                             "2026-10-10", "--repository", "example/tiny"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, R"({
  "id": "tiny",
  "title": "Tiny",
  "family": "gpt2",
  "repository": "example/tiny",
  "model_type": "gpt2",
  "hidden_size": 64,
  "intermediate_size": 256,
  "num_hidden_layers": 2,
  "num_attention_heads": 8,
  "num_key_value_heads": 8,
  "head_dim": 8,
  "vocab_size": 100,
  "tie_word_embeddings": true,
  "hidden_act": "gelu_new",
  "max_position_embeddings": 32,
  "attention_qkv_bias": true,
  "attention_o_bias": true,
  "mlp_bias": true,
  "gated_mlp": false,
  "norm_type": "layernorm",
  "norm_has_bias": true,
  "norms_per_layer": 2,
  "qk_norm": "none",
  "sliding_window": null,
  "fused_linears": ["query_key_value"],
  "learned_positions": 32,
  "published": [],
  "extras": [],
  "source": "https://example.org/tiny",
  "date": "2026-10-10"
}
)");
}

TEST(ImportModel, needs_no_more_than_a_config_and_an_id) {
  const Outcome bare = import_model(kConfig, {"--catalog", kCatalog});
  EXPECT_EQ(bare.code, 0);
  const std::string& day = quarterly_spec().as_of;
  EXPECT_EQ(bare.err,
            "date: " + day + ", the day of the sheet in " + kCatalog + "; --date gives another\n");
  const Json entry = Json::parse(bare.out);
  EXPECT_EQ(entry.at("source"), "config.json");
  EXPECT_EQ(entry.at("date"), day);
  const Outcome dated = import_model(kConfig, {"--as-of", "2026-10-10"});
  EXPECT_EQ(dated.err, "");
  EXPECT_EQ(Json::parse(dated.out).at("date"), "2026-10-10");
  const Outcome folder_to_be = import_model(kConfig, {"--catalog", "/none"});
  EXPECT_EQ(folder_to_be.code, 2);
  EXPECT_EQ(folder_to_be.err,
            "date: " + day +
                ", the day of the sheet in builtin; --date gives another\n"
                "sizesheet: /none: expected a folder of facts or builtin, got nothing\n");
}

TEST(ImportModel, names_what_it_does_not_count) {
  Json config = Json::parse(kConfig);
  config["vision_config"] = {{"depth", 2}};
  config["num_nextn_predict_layers"] = 1;
  EXPECT_EQ(import_model(config.dump(), {"--date", "2026-10"}).err,
            "config.json:/vision_config: not counted: a vision tower\n"
            "config.json:/num_nextn_predict_layers: not counted: layers that predict further "
            "tokens\n");
}

TEST(ImportModel, shows_a_merge_and_writes_it_only_when_told) {
  const TempDir dir;
  const std::string catalog = dir.path().string();
  const std::string file = catalog + "/models/tiny.json";
  dir.write("models/tiny.json", "");  // what a redirect of a failed command leaves
  std::vector<std::string> merge{"--date", "2026-10", "--catalog", catalog, "--merge"};
  const std::string plain = import_model(kConfig, {"--date", "2026-10"}).out;
  const std::string laid_over =
      catalog + " is laid over the built-in catalog: it has no engine.json\n";
  EXPECT_EQ(import_model(kConfig, merge),
            (Outcome{0, plain + file + ": new\n",
                     laid_over + "nothing is written; --yes writes " + file + "\n"}));
  EXPECT_EQ(read_file(file), "");
  merge.emplace_back("--yes");
  EXPECT_EQ(import_model(kConfig, merge).err, laid_over + "written: " + file + "\n");
  EXPECT_EQ(read_file(file), plain);
  EXPECT_EQ(import_model(kConfig, merge),
            (Outcome{0, file + ": 0 keys differ\n", laid_over + "nothing to write\n"}));
  Json known = Json::parse(plain);
  known["hidden_size"] = 128;
  known["$schema"] = "../schema/model.schema.json";
  known["title"] = "Tiny";
  dir.write("models/tiny.json", known.dump());
  EXPECT_EQ(import_model(kConfig, merge).out,
            "changed\thidden_size\t128 -> 64\n" + file + ": 1 keys differ\n");
  known["hidden_size"] = 64;
  EXPECT_EQ(Json::parse(read_file(file)), known);
}

TEST(ImportModel, takes_limits_that_python_writes_as_infinite) {
  const std::string plain(kConfig);
  const std::string limited = plain.substr(0, plain.size() - 1) +
                              R"(, "time_step_limit": [0.0, Infinity, -Infinity], )"
                              R"("_name_or_path": "to \"Infinity"})";
  const Outcome outcome = import_model(limited, {"--date", "2026-10-10"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, import_model(kConfig, {"--date", "2026-10-10"}).out);
  const Outcome unsound = import_model(R"({"a": Infinity, "b": })", {"--date", "2026-10-10"});
  EXPECT_EQ(unsound.code, 2);
  EXPECT_EQ(unsound.err, import_model(R"({"a": null    , "b": })", {"--date", "2026-10-10"}).err);
}

TEST(ImportModel, what_cannot_be_read_ends_in_2) {
  const std::vector<std::string> origin{"--source", "the Hub", "--date", "2026-10"};
  const std::pair<const char*, const char*> cases[] = {
      {R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
           "num_attention_heads": 8, "intermediate_size": 128})",
       "/vocab_size: expected an integer, got nothing"},
      {R"({"model_type": "zamba2"})",
       "/model_type: expected a model that is counted here, got \"zamba2\": its shared attention "
       "layers are not counted"},
      {"[]", " expected an object, got []"},
  };
  for (const auto& [config, words] : cases) {
    EXPECT_EQ(import_model(config, origin),
              (Outcome{2, "", "sizesheet: config.json:" + std::string(words) + "\n"}));
  }
}

TEST(ImportModel, merges_into_a_folder_only) {
  const TempDir dir;  // without a catalog
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  const Outcome alone = import_model(kConfig, {"--date", "2026-11", "--merge"});
  std::filesystem::current_path(before);
  EXPECT_EQ(alone, (Outcome{2, "",
                            "sizesheet: --merge: expected --catalog, a folder to write to, got "
                            "builtin\n"}));
}

}  // namespace
}  // namespace sizesheet
