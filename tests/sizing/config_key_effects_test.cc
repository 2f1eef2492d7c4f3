// SPDX-License-Identifier: Apache-2.0
// Every key that a config.json is read for moves a figure or is refused: the keys are those that
// readers of the families ask for, written down while they read.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "catalog/models/architecture.h"
#include "catalog/models/config_keys.h"
#include "sizing/job/job.h"
#include "sizing/named_configs.h"
#include "sizing/sized.h"
#include "sizing/time/forward_flops.h"
#include "sizing/time/step_work.h"
#include "support/due.h"
#include "support/error.h"
#include "support/json.h"
#include "support/object_text.h"

namespace sizesheet {
namespace {

/// What a config comes to, by a request that has a place for all of it.
class Figures {
 public:
  /// `config` without a fault.
  explicit Figures(const Json& config) {
    Faults faults;
    ObjectReader reader(config, "c", "", faults);
    const Architecture model = read_config(reader);
    EXPECT_EQ(texts_of(faults), Texts{}) << config;
    const bool packed = model.stored && model.stored->as_stored;
    const std::string kind = !packed ? "full" : model.stored->format == "nf4" ? "qlora" : "lora";
    Json request = {{"method", {{"kind", kind}}},
                    {"workload", {{"seq_len", 8192}}},
                    {"layout", {{"dp", 8}, {"tp", 1}, {"shard", "zero3"}}}};
    if (packed) request["method"].update({{"rank", 16}, {"targets", "all-linear"}});
    if (model.tower) {
      request["method"]["vision"] = "trained";
      request["workload"]["images"] = 1;
      if (model.tower->image_size == 0) {
        request["workload"].update({{"image_height", 1000}, {"image_width", 1000}});
      }
    }
    if (model.further_predictions > 0) request["mtp"] = "kept";
    layers_ = model.layers();
    requests_.push_back(request);
    if (model.tower && model.tower->image_size == 0) {
      for (const int side : {40, 4000}) {  // enlarged by some towers, made smaller by others
        request["workload"].update(
            {{"seq_len", 65536}, {"image_height", side}, {"image_width", side}});
        requests_.push_back(request);
      }
    }
    if (!packed) {
      request["method"] = {{"kind", "lora"},
                           {"rank", 16},
                           {"targets", "all-linear"},
                           {"fused_projections", "checkpoint"}};
      request["workload"] = {{"seq_len", 8192}};
      requests_.push_back(request);
    }
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      before_.push_back(of(config, i));
      EXPECT_FALSE(before_.back().starts_with("refused: ")) << before_.back() << config;
    }
  }

  /// The figures as text, or the refusal.
  std::string of(const Json& config, std::size_t request) const {
    Json asked = requests_[request];
    asked["model"] = config;
    std::string figures;
    const std::string refused = refusal_of([&] {
      const Sizing sizing = sized(asked);
      const Job& job = sizing.plan.chosen.job;
      const ForwardFlops flops = forward_flops(job);
      const Json answer = to_json(sizing);
      figures =
          json_text({answer.at("parameters"), answer.at("memory"), flops.head, flops.dense,
                     flops.expert, flops.attention, flops.scoring, flops.scan, flops.adapters,
                     step_work(job).matmul_flops, job.model->alibi});  // which slows attention down
    });
    return refused == "no refusal" ? figures : "refused: " + refused;
  }

  std::size_t count() const { return requests_.size(); }
  std::int64_t layers() const { return layers_; }
  /// Of the config itself.
  const std::string& before(std::size_t request) const { return before_[request]; }

 private:
  std::int64_t layers_ = 0;
  std::vector<std::string> before_;
  std::vector<Json> requests_;
};

/// Other values of the same type; of a key that is not there, some of each.
std::vector<Json> other_values(const Json& value, bool present) {
  if (!present || value.is_null()) {
    return {1,       2,           3,
            8,       64,          true,
            false,   0.5,         "x",
            "none",  Json{"x"},   Json{1},
            Json{0}, "layernorm", Json::object(),
            "full",  "LG",        Json{{"alibi", false}}};
  }
  if (value.is_boolean()) return {!value.get<bool>()};
  if (value.is_number_integer()) {
    const std::int64_t number = value;
    return {number * 2, number / 2, number + 1, number + 2, 1, 2, 16, 0, 3};
  }
  if (value.is_number()) return {value.get<double>() * 2, value.get<double>() / 2};
  if (value.is_string()) return {"x", value.get<std::string>() + "x", "layernorm", "MM"};
  if (value.is_array()) {
    std::vector<Json> others = {Json::array()};
    if (!value.empty()) {
      Json shorter = value;
      shorter.erase(shorter.size() - 1);
      Json turned = value;
      turned[0] = value.back();
      others.insert(others.end(), {shorter, turned});
    }
    return others;
  }
  return {nullptr};
}

/// A value of a wrong type, or outside of its bounds, says nothing of what a right one does.
bool is_of_another_type(const std::string& text) {
  static const std::regex kTypes(
      "expected (an integer|true or false|text|a number|an object|a list of [a-z]+|UTF-8 text)"
      "( from [^,]+ to [^,]+| of at least [^,]+| of at most [^,]+| above 0[^,]*)?, "
      "got (?!nothing|null)");
  return std::regex_search(text, kTypes);
}

Json changed(Json config, const std::string& pointer, const Json& value) {
  config[Json::json_pointer(pointer)] = value;
  return config;
}

std::string last_key(const std::string& pointer) { return pointer.substr(pointer.rfind('/') + 1); }

std::string without_last(const std::string& pointer) {
  return pointer.substr(0, pointer.rfind('/'));
}

/// Values of keys that few values are right for.
std::vector<Json> own_values(const std::string& key, std::int64_t layers) {
  if (key == "blocks") {
    return {{{{"attention", true}, {"mlp_width", 64}, {"count", layers}}}};
  }
  if (key == "block_configs") {
    const Json block = {{"attention", {{"no_op", true}}}, {"ffn", {{"ffn_mult", 1.0}}}};
    return {Json(static_cast<std::size_t>(layers), block)};
  }
  static const std::map<std::string, std::vector<Json>> kValues = {
      {"ffn_config", {{{"moe_num_experts", 5}, {"moe_top_k", 3}}}},
      {"fused_linears", {Json{"qkv_proj"}, Json{"gate_up_proj"}, Json{"query_key_value"}}},
      {"mlp_only_layers", {Json{5}, Json{1}}},
      {"least_pixels", {1000000}},
      {"most_pixels", {10000}},
      {"final_logit_softcapping", {0.0}},
      {"logit_softcapping", {0.0}},
      {"output_logit_softcapping", {0.0}},
      {"attn_config", {{{"alibi", false}}}}};
  const auto found = kValues.find(key);
  return found == kValues.end() ? std::vector<Json>{} : found->second;
}

/// Patches of the object around a key, under which it has its effect: other keys that it needs, or
/// that say the same before it.
std::vector<Json> contexts_of(const std::string& key) {
  static const Json kDense = {{"mlp_only_layers", {0}}, {"intermediate_size", 512}};
  static const Json kOwnDense = {
      {"intermediate_size", 512},
      {"moe", {{"first_k_dense", 1}, {"dense_intermediate_size", nullptr}}}};
  static const Json kFirstDense = {{"first_k_dense", 1}};
  static const Json kNotSpelled = {
      {"attention_qkv_bias", nullptr}, {"attention_o_bias", nullptr}, {"qk_norm", nullptr},
      {"norms_per_layer", nullptr},    {"gated_mlp", nullptr},        {"mlp_bias", nullptr},
      {"norm_type", nullptr},          {"norm_has_bias", nullptr}};
  static const Json kTowerOfQwen = {{"depth", 2},       {"hidden_size", 64},
                                    {"num_heads", 4},   {"intermediate_size", 256},
                                    {"patch_size", 16}, {"num_position_embeddings", 64}};
  static const Json kTowerOfOthers = {{"num_hidden_layers", 2},   {"hidden_size", 64},
                                      {"num_attention_heads", 4}, {"intermediate_size", 256},
                                      {"patch_size", 16},         {"image_size", 64}};
  static const std::map<std::string, std::vector<Json>> kContexts = {
      {"use_sliding_window", {{{"sliding_window", 64}, {"max_window_layers", 0}}}},
      {"sliding_window",
       {{{"use_sliding_window", true}, {"max_window_layers", 0}}, {{"windowed_layers", 1}}}},
      {"windowed_layers",
       {{{"sliding_window", 64}}, {{"sliding_window", 64}, {"use_sliding_window", true}}}},
      {"intermediate_size", {kDense, kOwnDense}},
      {"intermediate_size_mlp", {kDense}},
      {"dense_intermediate_size", {kDense, kOwnDense, kFirstDense}},
      {"mlp_bias", {kDense, kOwnDense, kNotSpelled}},
      {"gated_mlp", {kDense, kOwnDense}},
      {"attention_bias", {kNotSpelled}},
      {"use_qk_norm", {kNotSpelled}},
      {"model_type", {kNotSpelled}},
      {"num_nextn_predict_layers", {{{"num_nextn_predict_layers", 1}}}},
      {"mtp_num_hidden_layers", {{{"mtp_num_hidden_layers", 1}}}},
      {"full_attention_interval", {{{"layer_types", nullptr}}}},
      {"mamba_expand", {{{"mamba_d_ssm", nullptr}, {"mamba_d_head", nullptr}}}},
      {"mamba_d_head", {{{"mamba_d_ssm", nullptr}}}},
      {"block_multiple_of", {{{"block_auto_adjust_ff_dim", true}}}},
      {"block_ffn_dim_multiplier", {{{"block_auto_adjust_ff_dim", true}}}},
      {"learned_pos_emb", {{{"attn_config", {{"alibi", false}}}}}},
      {"rope", {{{"alibi", false}}}},
      {"shared_intermediate_size", {{{"n_shared_experts", 1}}}},
      {"moe_shared_expert_intermediate_size", {{{"n_shared_experts", 1}}}}};
  const auto found = kContexts.find(key);
  std::vector<Json> contexts = found == kContexts.end() ? std::vector<Json>{} : found->second;
  contexts.insert(contexts.end(), {kTowerOfQwen, kTowerOfOthers});
  return contexts;
}

bool moves(const Json& config, const std::string& pointer, const Figures& figures) {
  const Json::json_pointer place(pointer);
  const bool present = config.contains(place);
  std::vector<Json> values = other_values(present ? config.at(place) : Json(), present);
  const std::vector<Json> own = own_values(last_key(pointer), figures.layers());
  values.insert(values.end(), own.begin(), own.end());
  for (std::size_t request = 0; request < figures.count(); ++request) {
    for (const Json& value : values) {
      const std::string after = figures.of(changed(config, pointer, value), request);
      if (after == figures.before(request)) continue;
      if (after.starts_with("refused: ") && is_of_another_type(after)) continue;
      return true;
    }
  }
  return false;
}

/// Whether a config reads without a fault.
bool is_sound(const Json& config) {
  Faults faults;
  ObjectReader reader(config, "c", "", faults);
  static_cast<void>(read_config(reader));
  return texts_of(faults).empty();
}

bool has_effect(const Json& config, const std::string& pointer, const Figures& figures) {
  if (moves(config, pointer, figures)) return true;
  const bool of_tower = pointer.starts_with("/vision_config");
  const Json::json_pointer around(pointer == "/vision_config" ? pointer : without_last(pointer));
  for (const Json& patch : contexts_of(last_key(pointer))) {
    if (patch.contains("patch_size") != of_tower || !config.contains(around)) continue;
    Json other = config;
    other[around].merge_patch(patch);
    if (is_sound(other) && moves(other, pointer, Figures(other))) return true;
  }
  return false;
}

constexpr const char* kOfRounding =
    "it says how the weights were rounded, or what an engine does with them";
constexpr const char* kOfStored =
    "weights stored so are dequantised on loading; a remark names their format";
constexpr const char* kOfNoWindow = "no layer of its code has a window";
constexpr const char* kOfLayers = "its list of layers says which have a window";
constexpr const char* kOfOneSize = "every image is brought to image_size";
constexpr const char* kOfPattern = "the pattern says which layers have experts";

/// Keys that are read and change nothing, and why; of one model type as TYPE:KEY.
const std::map<std::string, std::string> kWithoutEffect = {
    {"hidden_act", "the family says how many matrices an MLP has, not its function"},
    {"hidden_activation", "as hidden_act"},
    {"mlp_hidden_act", "as hidden_act"},
    {"activation_function", "as hidden_act"},
    {"activation", "as hidden_act"},
    {"max_position_embeddings", "without a table of positions it limits seq_len, by a warning"},
    {"seq_length", "as max_position_embeddings"},
    {"n_positions", "as max_position_embeddings"},
    {"max_seq_len", "as max_position_embeddings"},
    {"llama:_load_in_4bit", kOfRounding},
    {"llama:_load_in_8bit", kOfRounding},
    {"llama:activation_scheme", kOfRounding},
    {"llama:bnb_4bit_quant_storage", kOfRounding},
    {"llama:dequantize", kOfRounding},
    {"llama:fmt", kOfRounding},
    {"llama:global_compression_ratio", kOfRounding},
    {"llama:ignore", kOfRounding},
    {"llama:ignored_layers", kOfRounding},
    {"llama:kv_cache_scheme", kOfRounding},
    {"llama:llm_int8_enable_fp32_cpu_offload", kOfRounding},
    {"llama:llm_int8_threshold", kOfRounding},
    {"llama:modules_to_not_convert", kOfRounding},
    {"llama:run_compressed", kOfRounding},
    {"llama:scale_fmt", kOfRounding},
    {"llama:transform_config", kOfRounding},
    {"llama:version", kOfRounding},
    {"llama:weight_block_size", kOfRounding},
    {"llama:format", kOfStored},
    {"llama:quantization_status", kOfStored},
    {"llama:sparsity_config", kOfStored},
    {"llama:num_bits", kOfStored},
    {"llama:group_size", kOfStored},
    {"nemotron_h:mlp_only_layers", kOfPattern},
    {"nemotron_h:interleave_moe_layer_step", kOfPattern},
    {"nemotron_h:decoder_sparse_step", kOfPattern},
    {"nemotron_h:num_dense_layers", kOfPattern},
    {"nemotron_h:moe_layers", kOfPattern},
    {"nemotron_h:moe_layer_step", kOfPattern},
    {"nemotron_h:first_k_dense", kOfPattern},
    {"nemotron_h:dense_layers", kOfPattern},
    {"nemotron_h:dense_intermediate_size", kOfPattern},
    {"nemotron_h:intermediate_size_mlp", kOfPattern},
    {"dbrx:dense_intermediate_size", "every layer is a mixture"},
    {"dbrx:intermediate_size_mlp", "every layer is a mixture"},
    {"dbrx:mlp_bias", "every layer is a mixture, whose experts have no biases"},
    {"deepseek_v32:sliding_window", kOfNoWindow},
    {"deepseek_v32:use_sliding_window", kOfNoWindow},
    {"falcon_h1:sliding_window", kOfNoWindow},
    {"falcon_h1:use_sliding_window", kOfNoWindow},
    {"glm_moe_dsa:sliding_window", kOfNoWindow},
    {"glm_moe_dsa:use_sliding_window", kOfNoWindow},
    {"granitemoehybrid:sliding_window", kOfNoWindow},
    {"granitemoehybrid:use_sliding_window", kOfNoWindow},
    {"lfm2:sliding_window", kOfNoWindow},
    {"lfm2:use_sliding_window", kOfNoWindow},
    {"lfm2_moe:sliding_window", kOfNoWindow},
    {"lfm2_moe:use_sliding_window", kOfNoWindow},
    {"minimax_m3:sliding_window", kOfNoWindow},
    {"minimax_m3:use_sliding_window", kOfNoWindow},
    {"qwen3_5_moe_text:sliding_window", kOfNoWindow},
    {"qwen3_5_moe_text:use_sliding_window", kOfNoWindow},
    {"qwen3_5_text:sliding_window", kOfNoWindow},
    {"qwen3_5_text:use_sliding_window", kOfNoWindow},
    {"qwen3_next:sliding_window", kOfNoWindow},
    {"qwen3_next:use_sliding_window", kOfNoWindow},
    {"gemma4_text:use_sliding_window", kOfLayers},
    {"laguna:use_sliding_window", kOfLayers},
    {"mimo_v2_flash:use_sliding_window", kOfLayers},
    {"step3p5:use_sliding_window", kOfLayers},
    {"gemma3:/vision/least_pixels", kOfOneSize},
    {"gemma3:/vision/most_pixels", kOfOneSize},
    {"gemma3_text:/vision/least_pixels", kOfOneSize},
    {"gemma3_text:/vision/most_pixels", kOfOneSize},
    {"llama4_text:/vision/least_pixels", kOfOneSize},
    {"llama4_text:/vision/most_pixels", kOfOneSize},
    {"step3p5:/vision/least_pixels", kOfOneSize},
    {"step3p5:/vision/most_pixels", kOfOneSize},
    {"llama4:/vision_config/model_type", "the model type around it says which tower it is"},
    {"qwen2_5_vl:/vision_config/model_type", "the model type around it says which tower it is"},
    {"qwen3_vl:/vision_config/model_type", "the model type around it says which tower it is"},
    {"gemma3:/vision_config/position_rows", "image_size and patch_size say them"},
    {"llama4:/vision_config/position_rows", "image_size and patch_size say them"},
    {"gemma3:/vision_config/merge_size", "mm_tokens_per_image says it"},
    {"mistral3:/vision_config/merge_size", "spatial_merge_size beside the tower says it"},
    {"llama4_text:use_qk_norm", "these norms have no weights"},
    {"llama4:use_qk_norm", "these norms have no weights"},
    {"granitemoehybrid:dense_intermediate_size", "shared_intermediate_size is the width of MLPs"},
    {"granitemoehybrid:intermediate_size_mlp", "shared_intermediate_size is the width of MLPs"},
    {"step3p5:dense_intermediate_size", "its dense layers are as wide as intermediate_size"},
    {"step3p5:intermediate_size_mlp", "its dense layers are as wide as intermediate_size"},
    {"nemotron-nas:intermediate_size", "its blocks have widths of their own"},
    {"nemotron-nas:norms_per_layer", "its blocks have a norm for each part that they have"},
    {"olmo:embedding_norm", "its norms have no weights"},
    {"mimo_v2_flash:attention_sinks", "add_swa_attention_sink_bias and the other key decide it"},
    {"minimax_m3:sparse_topk_blocks",
     "attention is timed over all positions, which is at most too long"},
    {"minimax_m3:sparse_block_size", "as sparse_topk_blocks"},
};

/// "/block_configs/3/ffn" and "/block_configs/4/ffn" are one key.
std::string without_numbers(const std::string& pointer) {
  static const std::regex kNumber("/[0-9]+(?=/|$)");
  return std::regex_replace(pointer, kNumber, "/*");
}

TEST(ConfigKeys, EachThatIsReadMovesAFigureOrIsRefused) {
  std::map<std::pair<std::string, std::string>, bool> moved;  // by model type and key
  const bool all = is_due(1, 1);
  std::size_t number = 0;
  for (const auto& [name, config] : all_configs()) {
    Faults faults;
    ObjectReader reader(config, name, "", faults);
    KeyLog log;
    reader.write_down(&log);
    static_cast<void>(read_architecture(reader));
    ASSERT_EQ(texts_of(faults), Texts{}) << name;
    const Figures figures(config);
    const std::string type = config.at("model_type");
    for (const std::string& pointer : log.asked) {
      bool& known = moved[{type, without_numbers(pointer)}];
      known = known || !is_due(number++, 1) || has_effect(config, pointer, figures);
    }
  }
  EXPECT_GT(moved.size(), 3000U);
  std::set<std::string> seen_without;
  for (const auto& [key, moves] : moved) {
    if (moves) continue;
    const std::string last = last_key(key.second);
    bool listed = false;
    for (const std::string& name : {key.first + ":" + key.second, key.first + ":" + last, last}) {
      if (listed || !kWithoutEffect.contains(name)) continue;
      listed = true;
      seen_without.insert(name);
    }
    EXPECT_TRUE(listed) << key.first << " reads " << key.second << ", which changes nothing";
  }
  if (!all) return;  // some of those without an effect were passed over
  for (const auto& [key, why] : kWithoutEffect) {
    EXPECT_TRUE(seen_without.contains(key)) << key << " has an effect: " << why;
  }
}

}  // namespace
}  // namespace sizesheet
