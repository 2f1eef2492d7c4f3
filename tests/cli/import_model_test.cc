// SPDX-License-Identifier: Apache-2.0
// The import-model command: an entry on stdout, and what it asks for.
#include "cli/import_model.h"

#include <gtest/gtest.h>

#include "cli/program.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

constexpr const char* kConfig = R"({"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 8,
  "n_positions": 32, "vocab_size": 100, "activation_function": "gelu_new", "torch_dtype": "float32"})";

Outcome import_model(const std::string& config, std::vector<std::string> more) {
  const TempDir dir;
  dir.write("config.json", config);
  const std::string path = (dir.path() / "config.json").string();
  std::vector<std::string> arguments{"import-model", path, "--id", "tiny"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Outcome outcome = program(arguments);
  const std::size_t at = outcome.err.find(path);
  if (at != std::string::npos) outcome.err.replace(at, path.size(), "config.json");
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

TEST(ImportModel, an_entry_says_where_its_facts_stand) {
  EXPECT_EQ(import_model(kConfig, {}).err,
            "sizesheet: import-model: a catalog entry needs --source (where the config stands) and "
            "--date (when it was read, YYYY-MM-DD)\n");
  const Outcome outcome = import_model(kConfig, {"--source", "the Hub"});
  EXPECT_EQ(outcome.err,
            "sizesheet: import-model: a catalog entry needs --date (when it was read, "
            "YYYY-MM-DD)\n");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
}

TEST(ImportModel, what_cannot_be_read_ends_in_2) {
  const std::vector<std::string> origin{"--source", "the Hub", "--date", "2026-10"};
  const Outcome missing = import_model(R"({"model_type": "llama", "hidden_size": 64,
    "num_hidden_layers": 2, "num_attention_heads": 8, "intermediate_size": 128})",
                                       origin);
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.err, "sizesheet: config.json:/vocab_size: expected an integer, got nothing\n");
  const Outcome refused = import_model(R"({"model_type": "zamba2"})", origin);
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "sizesheet: config.json:/model_type: expected a model that is counted here, got "
            "\"zamba2\": its shared attention layers are not counted\n");
  EXPECT_EQ(import_model("[]", origin).err, "sizesheet: config.json: expected an object, got []\n");
}

}  // namespace
}  // namespace sizesheet
