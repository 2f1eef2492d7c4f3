// SPDX-License-Identifier: Apache-2.0
// Every key of an estimate request: each documented value moves a named figure of the answer the
// way it must, and each key is refused in words where it cannot apply. The cases stand in
// tests/oracles/estimate_keys.json; the keys and values that they must cover stand here.
#include <gtest/gtest.h>

#include <filesystem>

#include "sizing/estimate.h"
#include "sizing/request/question.h"
#include "sizing/sized.h"
#include "support/files.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Values of a key that has a list of them; a key with a count, a number or a text has none.
struct DocumentedKey {
  const char* key;
  std::vector<Json> values;
};

const std::vector<Json> kFlag{true, false};

std::vector<DocumentedKey> method_keys() {
  return {
      {"method",
       {"full", "lora-r16", "lora-r64", "lora-r8-qv", "dora-r16", "qlora-r16", "qlora-r64",
        "dpo-lora-r16", "dpo-full", "orpo-lora-r16", "simpo-lora-r16", "reward-lora-r16",
        "grpo-full", "grpo-lora-r16"}},
      {"method.kind", {"full", "lora", "dora", "qlora"}},
      {"method.base", {"bf16", "fp32", "fp16", "int8", "fp8", "nf4", "mxfp4", "nvfp4"}},
      {"method.qat", {"none", "int8-int4", "int4", "fp8", "nvfp4"}},
      {"method.rank", {}},
      {"method.targets",
       {"all-linear",
        "attention",
        "qv",
        "q_proj",
        "k_proj",
        "v_proj",
        "o_proj",
        "gate_proj",
        "up_proj",
        "down_proj",
        "q_a_proj",
        "q_b_proj",
        "kv_a_proj",
        "kv_b_proj",
        "in_proj",
        "out_proj",
        "conv1d",
        "router",
        "lm_head",
        "embed_tokens",
        "shared_gate_proj",
        "shared_up_proj",
        "shared_down_proj",
        "g_proj",
        "in_proj_a",
        "in_proj_b",
        "in_proj_ba",
        "in_proj_qkv",
        "in_proj_qkvz",
        "in_proj_z",
        "per_layer_input_gate",
        "per_layer_projection"}},
      {"method.experts", {"none", "shared", "per-expert"}},
      {"method.adapter_dtype", {"bf16", "fp32-autocast", "fp32"}},
      {"method.dropout", {}},
      {"method.double_quant", kFlag},
      {"method.kbit_prep", kFlag},
      {"method.quantize_experts", kFlag},
      {"method.skip_modules", {}},
      {"method.transpose_cache", kFlag},
      {"method.fused_projections", {"none", "checkpoint", "megatron"}},
      {"method.modules_to_save", {"lm_head", "embed_tokens", "norm"}},
      {"method.token_indices", {}},
      {"method.vision", {"frozen", "projector", "trained"}},
  };
}

std::vector<DocumentedKey> request_keys() {
  return {
      {"id", {}},
      {"model", {"size-7b", "size-13b", "size-70b", "size-100b", "size-400b"}},
      {"added_tokens", {}},
      {"vocab_multiple", {}},
      {"mtp", {"dropped", "kept"}},
      {"gpu", {}},
      {"stack",
       {"hf-trl", "torchtune", "deepspeed", "megatron-bridge", "nemo-automodel", "unsloth",
        "litgpt"}},
      {"state",
       {"hf-amp", "pure-bf16", "bf16-fp32-moments", "fsdp-mixed", "megatron", "megatron-bf16-grads",
        "deepspeed", "peft-fp32"}},
      {"state.weight", {}},
      {"state.gradient", {}},
      {"state.master", {}},
      {"state.moments", {}},
      {"state.lazy", {}},
      {"optimizer",
       {"adamw", "paged-adamw", "adamw-8bit", "paged-adamw-8bit", "adafactor", "lion", "lion-8bit",
        "sgd", "sgd-momentum", "adam-mini", "muon"}},
      {"optimizer_foreach", kFlag},
      {"optimizer_in_backward", kFlag},
      {"ema", {"none", "bf16", "fp32"}},
      {"objective", {"memory", "time"}},  // money needs prices: tests/sheet
      {"objective.search", {"memory", "time"}},
      {"objective.kind",
       {"sft", "dpo", "ipo", "kto", "orpo", "simpo", "cpo", "reward", "distillation"}},
      {"objective.reference", {"adapter-off", "copy", "precomputed"}},
      {"objective.loss", {"trl", "trl-bf16", "liger"}},
      {"objective.teacher", {}},
      {"objective.beta", {}},
      {"headroom", {}},
      {"max_gpus", {}},
      {"workload.seq_len", {}},
      {"workload.micro_batch", {}},
      {"workload.grad_accum", {}},
      {"workload.tokens", {}},
      {"workload.examples", {}},
      {"workload.mean_length", {}},
      {"workload.epochs", {}},
      {"workload.startup_hours", {}},
      {"workload.checkpoint_share", {}},
      {"workload.packed", kFlag},
      {"workload.sample_length", {}},
      {"workload.batching", {"packed", "padded", "grouped", "padding-free", "fixed"}},
      {"workload.length_cv", {}},
      {"workload.images", {}},
      {"workload.image_height", {}},
      {"workload.image_width", {}},
  };
}

std::vector<DocumentedKey> kernel_and_layout_keys() {
  return {
      {"kernels.recompute",
       {"none", "selective", "full", "layernorm", "moe_act", "mlp", "moe", "core_attn"}},
      {"kernels.recompute_layers", {}},
      {"kernels.packed_qkv", kFlag},
      {"kernels.fp8_recipe", {"none", "delayed", "current", "block", "mxfp8", "nvfp4"}},
      {"kernels.fp8_library", {"te", "torchao"}},
      {"kernels.fp8_params", kFlag},
      {"kernels.attention_precision", {"bf16", "fp8"}},
      {"kernels.activation_input", {"bf16", "fp8"}},
      {"kernels.attention", {"flash", "flash-repeat-kv", "eager"}},
      {"kernels.loss",
       {"hf", "hf-amp", "legacy", "trainer", "trainer-shifted", "trainer-legacy",
        "trainer-shifted-inplace", "trainer-legacy-inplace", "bf16", "flash-ce", "unsloth-ce",
        "vocab-parallel", "vocab-parallel-unfused", "vocab-parallel-native", "vocab-parallel-te",
        "vocab-parallel-dtensor", "chunked", "fused-linear"}},
      {"kernels.ops", {"eager", "fused"}},
      {"kernels.experts", {"loop", "grouped"}},
      {"kernels.precision", {"bf16", "fp16", "fp8"}},
      {"kernels.activation_offload", kFlag},
      {"layout.gpus", {}},
      {"layout.dp", {}},
      {"layout.tp", {}},
      {"layout.pp", {}},
      {"layout.cp", {}},
      {"layout.ep", {}},
      {"layout.etp", {}},
      {"layout.vpp", {}},
      {"layout.sequence_parallel", kFlag},
      {"layout.shard", {"none", "zero1", "zero2", "zero3", "ddp", "fsdp", "hsdp"}},
      {"layout.shard_group", {}},
      {"layout.root_unsharded", {true, false, 0, 1, 2}},
      {"layout.fsdp_reentrant", {true, false}},
      {"layout.fsdp_version", {1, 2}},
      {"layout.first_layers", {}},
      {"layout.last_layers", {}},
      {"layout.reduce_dtype", {"bf16", "fp32"}},
      {"layout.gather_units", {}},
      {"layout.bucket_elements", {}},
      {"layout.expert_imbalance", {}},
      {"layout.offload", {"none", "optimizer", "params", "all"}},
      {"layout.allocator", {"default", "expandable"}},
      {"overheads.context_gib", {}},
      {"overheads.communicator_gib", {}},
      {"overheads.all_to_all_gib", {}},
      {"overheads.library_bytes", {}},
      {"overheads.other_processes_gib", {}},
      {"overheads.dynamic_share", {}},
      {"overheads.static_share", {}},
  };
}

/// Those of the clock and of the models beside the policy.
std::vector<DocumentedKey> rollout_keys() {
  return {{"grpo.algorithm", {"grpo", "rloo", "dapo", "ppo"}},
          {"grpo.prompts_per_step", {}},
          {"grpo.optimizer_steps", {}},
          {"grpo.epochs", {}},
          {"grpo.prompt_mean", {}},
          {"grpo.completion_mean", {}},
          {"grpo.completion_cv", {}},
          {"grpo.logprob_passes", {}},
          {"grpo.value_model", {"none", "copy", "qwen2.5-0.5b"}},
          {"grpo.reward_model", {"none", "function", "qwen2.5-7b"}},
          {"grpo.reward_gpus", {}},
          {"grpo.reference_offload", kFlag},
          {"grpo.eager_generation", kFlag},
          {"grpo.steps_off_policy", {}},
          {"grpo.kept_groups", {}},
          {"grpo.switch_seconds", {}}};
}

std::vector<DocumentedKey> documented_keys() {
  std::vector<DocumentedKey> keys = method_keys();
  for (const auto& more : {request_keys(), kernel_and_layout_keys(), rollout_keys()}) {
    keys.insert(keys.end(), more.begin(), more.end());
  }
  return keys;
}

/// Documented, and refused on every model: no kernel calls an adapter there.
bool always_refused(const std::string& key, const Json& value) {
  return key == "method.targets" && value == "conv1d";
}

void put(Json& request, const std::string& key, const Json& value) {
  Json* place = &request;
  for (const std::string& part : split(key, '.')) place = &(*place)[part];
  *place = value;
}

/// The case's base request with what the case changes and the key at this value.
Json request_of(const Json& walk, const std::string& key, const Json& row, const Json& value) {
  Json request = walk.at("bases").at(row.at("in").get<std::string>());
  const Json with = row.value("with", Json::object());
  for (const auto& [other, setting] : with.items()) put(request, other, setting);
  put(request, row.value("key", key), value);
  return request;
}

Json answer_to(const Json& request) { return to_json(sized(request)); }

void expect_turn(const Json& walk, const std::string& key, const Json& row) {
  const testing::ScopedTrace where(__FILE__, __LINE__, key + ": " + row.dump());
  const std::string figure = row.at("figure");
  const Json value = at_dotted(answer_to(request_of(walk, key, row, row.at("value"))), figure);
  const Json against = at_dotted(answer_to(request_of(walk, key, row, row.at("against"))), figure);
  const std::string turns = row.at("turns");
  if (turns == "other") {
    EXPECT_NE(value, against);
    return;
  }
  ASSERT_TRUE(value.is_number() && against.is_number()) << value << " " << against;
  if (turns == "up") {
    EXPECT_GT(value, against);
  } else {
    ASSERT_EQ(turns, "down");
    EXPECT_LT(value, against);
  }
}

void expect_refusal(const Json& walk, const std::string& key, const Json& row) {
  const Json request = request_of(walk, key, row, row.at("value"));
  EXPECT_EQ(refusal_of([&] { answer_to(request); }), row.at("error").get<std::string>())
      << key << " " << request;
}

/// The value that a case shows: the key's own, or one of its list.
bool shows(const Json& row, const Json& value) {
  const Json& shown = row.contains("shows") ? row.at("shows") : row.at("value");
  if (!shown.is_array()) return shown == value;
  return std::find(shown.begin(), shown.end(), value) != shown.end();
}

bool any_shows(const Json& rows, const Json& value) {
  return std::any_of(rows.begin(), rows.end(), [&](const Json& row) { return shows(row, value); });
}

std::map<std::string, Json> rows_by_key(const Json& walk) {
  std::map<std::string, Json> rows;
  for (const Json& entry : walk.at("keys")) rows[entry.at("key")] = entry;
  return rows;
}

TEST(KeyWalk, CoversEveryKeyAndEveryDocumentedValue) {
  const auto rows = rows_by_key(oracle("estimate_keys.json"));
  std::set<std::string> documented;
  for (const auto& [key, values] : documented_keys()) {
    documented.insert(key);
    ASSERT_TRUE(rows.contains(key)) << key;
    const Json& cases = rows.at(key).at("cases");
    const Json& refused = rows.at(key).at("refused");
    EXPECT_FALSE(cases.empty()) << key;
    EXPECT_FALSE(refused.empty()) << key;
    for (const Json& value : values) {
      EXPECT_TRUE(any_shows(always_refused(key, value) ? refused : cases, value))
          << key << " " << value;
    }
  }
  for (const auto& [key, unused] : rows) EXPECT_TRUE(documented.contains(key)) << key;
}

/// The row of a key in the document of requests; "" where it has none.
std::string row_of(const std::vector<std::string>& lines, const std::string& key) {
  for (const std::string& line : lines) {
    if (starts_with(line, "| `" + key + "` |")) return line;
  }
  return "";
}

TEST(KeyWalk, TheDocumentOfRequestsHasEveryKeyAndValue) {
  const std::filesystem::path document =
      std::filesystem::path(SIZESHEET_SOURCE_DIR) / "docs/requests.md";
  const std::vector<std::string> lines = split(read_file(document), '\n');
  for (const auto& [key, values] : documented_keys()) {
    const std::string row = row_of(lines, key);
    EXPECT_FALSE(row.empty()) << key;
    for (const Json& value : values) {
      const std::string shown =
          value.is_string() ? "`" + value.get<std::string>() + "`" : value.dump();
      EXPECT_NE(row.find(shown), std::string::npos) << key << " " << shown;
    }
  }
}

TEST(KeyWalk, EveryBaseIsAnswered) {
  const Json walk = oracle("estimate_keys.json");
  for (const auto& [name, request] : walk.at("bases").items()) {
    EXPECT_TRUE(answer_to(request).at("ok")) << name;
  }
}

TEST(KeyWalk, EveryValueMovesItsFigure) {
  const Json walk = oracle("estimate_keys.json");
  for (const auto& [key, entry] : rows_by_key(walk)) {
    for (const Json& row : entry.at("cases")) expect_turn(walk, key, row);
  }
}

TEST(KeyWalk, EveryKeyIsRefusedInWords) {
  const Json walk = oracle("estimate_keys.json");
  for (const auto& [key, entry] : rows_by_key(walk)) {
    for (const Json& row : entry.at("refused")) expect_refusal(walk, key, row);
  }
}

}  // namespace
}  // namespace sizesheet
