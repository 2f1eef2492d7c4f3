// SPDX-License-Identifier: Apache-2.0
// One mutation at a time on a sound catalog: exactly that fault, whole text.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "catalog/sample_catalog.h"

namespace sizesheet {
namespace {

struct Mutation {
  std::string path;
  std::string pointer;
  std::optional<Json> value;  ///< nullopt: the key is taken out
  std::string fault;          ///< without the path
};

Documents mutated(const Mutation& mutation) {
  Documents documents = sample_documents();
  Json& document = documents.at(mutation.path);
  document = changed_at(document, mutation.pointer, mutation.value);
  return documents;
}

void expect_exactly(const std::vector<Mutation>& mutations) {
  for (const Mutation& mutation : mutations) {
    EXPECT_EQ(faults_in(mutated(mutation)),
              std::vector<std::string>{mutation.path + ":" + mutation.fault})
        << mutation.path << " " << mutation.pointer;
  }
}

const char* const kModel = "models/small.json";
const char* const kGpu = "gpus/h100.json";
const char* const kStack = "stacks/hf.json";

TEST(CatalogFaults, the_sample_has_none) {
  EXPECT_EQ(faults_in(sample_documents()), std::vector<std::string>{});
}

TEST(CatalogFaults, of_every_entry) {
  expect_exactly({
      {kGpu, "/id", "h200", R"(/id: expected "h100", the name of the file, got "h200")"},
      {kGpu, "/id", "H 1",
       R"(/id: expected an id of lower-case letters, digits, . and -, got "H 1")"},
      {kGpu, "/date", "2026-02-30",
       R"(/date: expected a date YYYY-MM-DD or YYYY-MM, got "2026-02-30")"},
      {kGpu, "/source", " ", R"(/source: expected text that is not empty, got " ")"},
      {kGpu, "/source", std::nullopt, "/source: expected text, got nothing"},
      {kGpu, "/source", "see http://example.org",
       R"(/source: expected addresses that begin with https://, got "http://…")"},
      {kModel, "/published/0/source", "ftp://example.org",
       R"(/published/0/source: expected addresses that begin with https://, got "ftp://…")"},
      {kGpu, "/bandwith_gb_per_s", 1,
       R"(/bandwith_gb_per_s: unknown key (did you mean "bandwidth_gb_per_s"?))"},
      {kStack, "/kinds/full/1/note", nullptr,
       "/kinds/full/1/note: expected a value or no such key, got null"},
      {"methods/full.json", "", Json::array(), " expected an object, got []"},
  });
}

TEST(CatalogFaults, of_models) {
  expect_exactly({
      {kModel, "/head_dim", std::nullopt, "/head_dim: expected an integer, got nothing"},
      {kModel, "/qk_norm", std::nullopt,
       "/qk_norm: expected one of none, per_head, full; got nothing"},
      {kModel, "/sliding_window", std::nullopt,
       "/sliding_window: expected an integer or null, got nothing"},
      {kModel, "/sliding_window", 0,
       "/sliding_window: expected an integer of at least 1 or null, got 0"},
      {kModel, "/num_hidden_layers", 4.5, "/num_hidden_layers: expected an integer, got 4.5"},
      {kModel, "/num_attention_heads", 0,
       "/num_attention_heads: expected an integer from 1 to 65536, got 0"},
      {kModel, "/num_key_value_heads", 3,
       "/num_key_value_heads: expected a divisor of num_attention_heads 8, got 3"},
      {kModel, "/rope_theta", 8, "/rope_theta: unknown key"},
      {kModel, "/fused_linears", Json::array({"qkv_pro"}),
       "/fused_linears: expected qkv_proj, gate_up_proj or query_key_value, got \"qkv_pro\" "
       "(did you mean \"qkv_proj\"?)"},
      {kModel, "/hybrid_pattern", "-*-*-",
       "/hybrid_pattern: expected 4 letters, one a layer, got 5"},
      {kModel, "/hybrid_pattern", "--X-",
       "/hybrid_pattern: expected the letters M, E, * and -, got \"X\" at place 3"},
      {kModel, "/hybrid_pattern", "--M-",
       "/hybrid_pattern: has the letter M, but the model has no mamba"},
      {kModel, "/blocks", Json::parse(R"([{"attention": true, "mlp_width": 8, "count": 3}])"),
       "/blocks: expected counts that add up to num_hidden_layers 4, got 3"},
      {kModel, "/blocks", Json::parse(R"([{"attention": false, "count": 4}])"),
       "/blocks/0: expected a block with attention, an MLP or both, got neither"},
      {kModel, "/moe", Json::parse(R"({"num_experts": 4, "experts_per_token": 5,
         "moe_intermediate_size": 8, "shared_expert_intermediate_size": 0, "first_k_dense": 0,
         "moe_layer_step": 1, "router_bias": false, "expert_bias": false, "shared_gate": false,
         "latent_size": 0, "gated": true})"),
       "/moe/experts_per_token: expected an integer from 1 to 4, got 5"},
      {kModel, "/mla", Json::parse(R"({"kv_lora_rank": 4, "qk_nope_head_dim": 4,
         "qk_rope_head_dim": 4, "v_head_dim": 4})"),
       "/mla/q_lora_rank: expected an integer, got nothing"},
      {kModel, "/published/0/covers", Json::array(),
       "/published/0/covers: expected a list that begins with \"text\", got []"},
      {kModel, "/published/0/covers", Json::array({"text", "bufers"}),
       "/published/0/covers: no extra \"bufers\" in this entry (did you mean \"buffers\"?)"},
      {kModel, "/vocab_size", 1LL << 40,
       "/vocab_size: expected an integer from 1 to 16777216, got 1099511627776"},
  });
}

TEST(CatalogFaults, of_a_model_too_large_to_count) {
  Documents documents = sample_documents();
  documents[kModel].update({{"hidden_size", 1 << 20}, {"intermediate_size", 1 << 24}});
  documents[kModel]["num_hidden_layers"] = 10000;
  EXPECT_EQ(
      faults_in(documents),
      std::vector<std::string>{"models/small.json: expected a model of at most 10^15 parameters"});
}

TEST(CatalogFaults, of_gpus) {
  expect_exactly({
      {kGpu, "/torch_total_gib", std::nullopt,
       "/torch_total_gib: expected a number or null, got nothing"},
      {kGpu, "/torch_total_gib", 0,
       "/torch_total_gib: expected a number from 0.01 to 1000000, got 0"},
      {kGpu, "/rentable_counts", Json::array({1, 4, 2}),
       "/rentable_counts: expected ascending counts, at least one, got [1,4,2]"},
      {kGpu, "/max_gpus", 4,
       "/max_gpus: expected at least the largest rentable count 8, or 0, got 4"},
      {kGpu, "/os_reserve_gib", 4,
       "/os_reserve_gib: expected 0 where unified_memory is false, got 4"},
  });
}

TEST(CatalogFaults, of_prices) {
  const std::string cloud = "prices/cloud.json";
  expect_exactly({
      {cloud, "/rows/0/gpu", "h10", R"(/rows/0/gpu: no GPU "h10" in the catalog)"},
      {cloud, "/rows/0/tier", "on-demand",
       "/rows/0/tier: expected one of on_demand, spot, reserved_1y, reserved_3y, reserved_5y, "
       "capacity_block, reserved_unstated; got \"on-demand\" (did you mean \"on_demand\"?)"},
      {cloud, "/rows/0/usd_per_instance_hour", 0,
       "/rows/0/usd_per_instance_hour: expected a price above 0, got 0"},
      {cloud, "/rows/0/usd_per_instance_hour", 1.2345678,
       "/rows/0/usd_per_instance_hour: expected US dollars, not negative, with at most six "
       "decimals, got 1.2345678"},
      {cloud, "/rows/0/as_of", "2026",
       R"(/rows/0/as_of: expected a date YYYY-MM-DD or YYYY-MM, got "2026")"},
      {cloud, "/rows", Json::array(), "/rows: expected a list with at least one entry, got []"},
      {"prices/excluded.json", "/excluded/0/reason", "",
       R"(/excluded/0/reason: expected text that is not empty, got "")"},
  });
}

TEST(CatalogFaults, of_a_price_that_stands_twice) {
  Documents documents = sample_documents();
  documents["prices/other.json"] = documents["prices/cloud.json"];
  EXPECT_EQ(
      faults_in(documents),
      std::vector<std::string>{"prices/other.json:/rows/0: expected a price key that stands once, "
                               "got \"cloud/any/p5/h100/on_demand/8/2026-10-10\" again"});
}

TEST(CatalogFaults, of_purchases) {
  expect_exactly({
      {"purchase/nodes.json", "/nodes/0/gpu", "h200",
       R"(/nodes/0/gpu: no GPU "h200" in the catalog)"},
      {"purchase/cards.json", "/cards/0/gpu", "tpu",
       R"(/cards/0/gpu: no GPU "tpu" in the catalog)"},
      {"purchase/nodes.json", "/nodes/0/usd/typical", 5,
       "/nodes/0/usd: expected low <= typical <= high, got 1, 5, 3"},
      {"purchase/rates.json", "/rates/0/value/basis", "guess",
       R"(/rates/0/value/basis: expected one of source, part-assumption, assumption; got "guess")"},
      {"purchase/nodes.json", "/nodes/0/kw", std::nullopt,
       "/nodes/0/kw: expected an object, got nothing"},
  });
  Documents documents = sample_documents();
  documents["purchase/rates.json"]["rates"].push_back(documents["purchase/rates.json"]["rates"][0]);
  EXPECT_EQ(faults_in(documents),
            std::vector<std::string>{"purchase/rates.json:/rates/1/id: expected an "
                                     "id that stands once, got \"8x-h100\" again"});
}

TEST(CatalogFaults, of_methods_and_stacks) {
  expect_exactly({
      {"methods/full.json", "/request/kind", "lorra",
       R"(/request/kind: expected one of full, lora, dora, qlora; got "lorra" (did you mean "lora"?))"},
      {kStack, "/kinds/full/0/key", "kernel.loss",
       "/kinds/full/0/key: expected state, optimizer, optimizer_foreach or a key of method, "
       "kernels, "
       "layout, workload, overheads, such as kernels.loss; got \"kernel.loss\""},
      {kStack, "/kinds/full/0/value", std::nullopt,
       "/kinds/full/0/value: expected a value, got nothing"},
      {kStack, "/kinds/full/0/variants/0/when", "shard",
       "/kinds/full/0/variants/0/when: expected one of sharded, ddp, single; got \"shard\" (did "
       "you "
       "mean \"sharded\"?)"},
      {kStack, "/kinds/full/1/trap_value", std::nullopt,
       "/kinds/full/1/trap_value: expected trap and trap_value together, got nothing"},
      {kStack, "/kinds/full/1/key", "state",
       "/kinds/full/1/key: expected a key that stands once, got \"state\" again"},
      {kStack, "/kinds/qlor", Json::array(), "/kinds/qlor: unknown key (did you mean \"qlora\"?)"},
      {kStack, "/refused/full", "no", "/refused/full: refused, but kinds has settings for full"},
      {kStack, "/refused/qlora+vpp", "no",
       "/refused/qlora+vpp: expected sharding, out_proj, mxfp4, tp, pp, cp, ep, a kind of method, "
       "or a "
       "kind with a "
       "dimension (+tp) or with +multi-gpu; got \"qlora+vpp\""},
      {kStack, "/warnings", Json::array({""}), "/warnings: expected no empty text in the list"},
  });
}

TEST(CatalogFaults, of_the_engine) {
  const std::string engine = "engine.json";
  expect_exactly({
      {engine, "/constants/0/current", "x", R"(/constants/0/current: expected a number, got "x")"},
      {engine, "/constants/0/id", "block",
       R"(/constants/0/id: expected an id such as overhead.context_gib, got "block")"},
      {engine, "/recipes/0/current/wieght", 1,
       R"(/recipes/0/current/wieght: unknown key (did you mean "weight"?))"},
      {engine, "/optimizers/0/reference/vector", -1,
       "/optimizers/0/reference/vector: expected a number from 0 to 1024, got -1"},
      {engine, "/losses/0/current", std::nullopt,
       "/losses/0/current: expected an object, got nothing"},
      {engine, "/speeds/0/id", "h1000", R"(/speeds/0/id: no GPU "h1000" in the catalog)"},
      {engine, "/speeds/0/matmul_efficiency", 1.5,
       "/speeds/0/matmul_efficiency: expected a number from 0.001 to 1, got 1.5"},
  });
}

TEST(CatalogFaults, are_all_found_in_one_pass) {
  Documents documents = sample_documents();
  documents[kGpu]["tdp_w"] = "x";
  documents[kModel]["vocab_size"] = 0;
  EXPECT_EQ(faults_in(documents),
            (std::vector<std::string>{
                "models/small.json:/vocab_size: expected an integer from 1 to 16777216, got 0",
                "gpus/h100.json:/tdp_w: expected a number, got \"x\""}));
}

}  // namespace
}  // namespace sizesheet
