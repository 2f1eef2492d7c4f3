// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/architecture.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "catalog/models/attention.h"
#include "catalog/models/blocks.h"
#include "catalog/models/families.h"
#include "catalog/models/family_keys.h"
#include "catalog/models/stored_weights.h"
#include "catalog/models/tower.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr Bounds<std::int64_t> kWidth{1, 1 << 24};
constexpr Bounds<std::int64_t> kPositions{1, 1LL << 30};

/// MPT may give the width as a multiple that need not be whole.
Mlp read_mlp(FamilyKeys& keys, const Traits& traits, std::int64_t hidden) {
  std::int64_t usual = keys.family().width_multiple * hidden;
  if (keys.family().model_type == "mpt") {
    const double multiple = keys.reader().number_or("expansion_ratio", 4, {1e-3, 64});
    usual = static_cast<std::int64_t>(std::floor(multiple * static_cast<double>(hidden)));
  }
  return {keys.integer_or("intermediate_size", usual, kWidth), traits.gated, traits.mlp_bias};
}

std::optional<Mamba> read_mamba(ObjectReader& reader) {
  const std::optional<ObjectReader> nested = reader.optional_object("mamba");
  if (!nested && !reader.has("mamba_num_heads")) return std::nullopt;
  ObjectReader keys = nested ? *nested : reader;
  const auto key = [&](const char* ours, const char* published) {
    return nested ? ours : published;
  };
  Mamba mamba;
  mamba.heads = keys.integer(key("num_heads", "mamba_num_heads"), {1, 65536});
  mamba.head_dim = keys.integer(key("head_dim", "mamba_head_dim"), {1, 65536});
  mamba.groups = keys.integer("n_groups", {1, 65536});
  mamba.state = keys.integer(key("d_state", "ssm_state_size"), {1, 65536});
  mamba.conv_kernel = keys.integer_or("conv_kernel", mamba.conv_kernel, {1, 1024});
  mamba.chunk = keys.integer_or("chunk_size", mamba.chunk, {1, 1 << 20});
  mamba.conv_bias = keys.flag_or(key("conv_bias", "use_conv_bias"), mamba.conv_bias);
  if (nested) keys.done();
  return mamba;
}

/// A model may train a table of positions. MPT has one only without ALiBi and rotary.
void read_positions(FamilyKeys& keys, const Traits& traits, Architecture& model) {
  bool table = traits.learned_positions;
  if (keys.family().model_type == "mpt") {
    const bool rope = keys.flag_or("attn_config/rope", false);
    table = keys.flag_or("learned_pos_emb", true) && !traits.alibi && !rope;
  }
  table = table && !keys.reader().has("learned_positions");
  if (table || keys.has("max_position_embeddings")) {
    model.max_positions = keys.integer("max_position_embeddings", kPositions);
  }
  model.learned_positions =
      table ? model.max_positions + keys.family().position_offset
            : keys.reader().integer_or("learned_positions", 0, {0, kPositions.high});
}

/// Counting must not overflow: an upper estimate in floating point, well before 2^63.
void refuse_giants(ObjectReader& reader, const Architecture& model) {
  constexpr double kMost = 1e15;
  const auto hidden = static_cast<double>(model.hidden);
  double total = 2 * hidden * static_cast<double>(model.vocab) +
                 hidden * static_cast<double>(model.learned_positions) +
                 (hidden + static_cast<double>(model.per_layer_vocab)) *
                     static_cast<double>(model.per_layer_columns());
  for (const BlockRun& run : model.runs) {
    double wide = 0;  // outputs of all matrices that read or write the hidden size
    if (const auto& a = run.block.attention) {
      const std::int64_t dim = a->head_dim + a->value_dim + (a->latent ? a->latent->value_dim : 0);
      wide += 4.0 * static_cast<double>(a->heads) * static_cast<double>(dim);
      if (a->indexer) wide += 2.0 * static_cast<double>(a->indexer->heads * a->indexer->head_dim);
    }
    if (const auto& linear = run.block.linear) {
      wide += 4.0 * static_cast<double>(linear->key_width() + linear->value_width());
    }
    if (run.block.convolution) wide += 4.0 * hidden;
    if (const auto& mlp = run.block.mlp) wide += 3.0 * static_cast<double>(mlp->width);
    if (const auto& moe = run.block.moe) {
      wide += 3.0 * static_cast<double>(moe->experts) * static_cast<double>(moe->expert_width) +
              3.0 * static_cast<double>(moe->shared_width);
    }
    if (const auto& m = run.block.mamba) {
      wide += 4.0 * static_cast<double>(m->heads * m->head_dim + m->groups * m->state);
    }
    total += static_cast<double>(run.count) * wide * hidden;
  }
  if (total > kMost) reader.fault("", "expected a model of at most 10^15 parameters");
}

/// What no model may have, and what each must.
void check_sizes(FamilyKeys& keys, const Architecture& model) {
  ObjectReader& reader = keys.reader();
  const Json& width = reader.raw("word_embed_proj_dim");
  if (!width.is_null() && width != model.hidden) {  // OPT's smallest sizes project it
    reader.fault("word_embed_proj_dim", "expected the same as hidden_size, " +
                                            std::to_string(model.hidden) + ", got " + shown(width) +
                                            ": a projected embedding is not modelled");
  }
  const bool missing = std::ranges::any_of(
      model.runs, [](const BlockRun& run) { return run.block.mlp && run.block.mlp->width == 0; });
  if (missing && keys.sound("intermediate_size")) {
    keys.fault("intermediate_size", "expected an integer, got nothing");
  }
  for (const BlockRun& run : model.runs) {
    const std::optional<Attention>& attention = run.block.attention;
    if (!attention || attention->latent || !reader.sound("")) continue;
    if (attention->heads % attention->kv_heads == 0) continue;
    reader.fault("", "expected in every layer key-value heads that divide its " +
                         std::to_string(attention->heads) + " query heads, got " +
                         std::to_string(attention->kv_heads));
  }
  refuse_giants(reader, model);
}

/// Model types whose text part stands under text_config, and what that is where it does not say.
const std::map<std::string, std::string> kWrappers = {{"aya_vision", "cohere2"},
                                                      {"gemma3", "gemma3_text"},
                                                      {"gemma4", "gemma4_text"},
                                                      {"glm4v", "glm4v_text"},
                                                      {"idefics3", "llama"},
                                                      {"kimi_k25", "kimi_k2"},
                                                      {"kimi_vl", "deepseek_v3"},
                                                      {"lfm2_vl", "lfm2"},
                                                      {"llama4", "llama4_text"},
                                                      {"llava", "llama"},
                                                      {"llava_next", "llama"},
                                                      {"minimax_m3_vl", "minimax_m3"},
                                                      {"mistral3", "mistral"},
                                                      {"paligemma", "gemma"},
                                                      {"qwen2_5_vl", "qwen2_5_vl_text"},
                                                      {"qwen2_vl", "qwen2_vl_text"},
                                                      {"qwen3_5", "qwen3_5_text"},
                                                      {"qwen3_5_moe", "qwen3_5_moe_text"},
                                                      {"qwen3_vl", "qwen3_vl_text"},
                                                      {"qwen3_vl_moe", "qwen3_vl_moe_text"},
                                                      {"smolvlm", "llama"},
                                                      {"step3p7", "step3p5"},
                                                      {"video_llava", "llama"}};

/// As the words of layer_types have it; a word is refused that is of no attention over everything
/// or over what is near.
std::optional<std::int64_t> listed_windows(ObjectReader& reader, std::int64_t layers) {
  const std::vector<std::string> known{"full_attention", "sliding_attention", "chunked_attention"};
  std::int64_t near = 0;
  const std::vector<std::string> words = reader.texts("layer_types");
  for (const std::string& word : words) {
    if (word == "sliding_attention" || word == "chunked_attention") ++near;
    if (contains(known, word)) continue;
    reader.fault("layer_types", "expected " + join(known, ", ") + ", got " + shown(word) +
                                    ", which is not modelled");
    return std::nullopt;
  }
  if (std::ssize(words) != layers && reader.sound("layer_types") &&
      reader.sound("num_hidden_layers")) {
    reader.mismatch("layer_types", std::to_string(layers) + " words, one a layer", words.size());
  }
  return near;
}

/// Every so many layers one looks at everything; Exaone 4 writes the layers as letters, L and G.
std::int64_t patterned_windows(ObjectReader& reader, const std::string& key, std::int64_t layers) {
  if (!reader.raw(key).is_string()) {
    return layers - layers / reader.integer(key, {1, 10000});
  }
  const std::string letters = reader.text(key);
  if (letters.empty() || letters.find_first_not_of("LG") != std::string::npos) {
    reader.mismatch(key, "an integer, or the letters L and G");
    return 0;
  }
  std::int64_t near = 0;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const std::size_t place = static_cast<std::size_t>(layer) % letters.size();
    if (letters[place] == 'L' && layer + 1 < layers) ++near;  // the last one looks at everything
  }
  return near;
}

/// Layers before max_window_layers look at everything, where a window is switched on.
std::int64_t windows_from(ObjectReader& reader, std::int64_t layers) {
  constexpr std::int64_t kUsual = 28;  // of Qwen2Config and its heirs
  const std::int64_t first = reader.integer_or("max_window_layers", kUsual, {0, 10000});
  return std::max<std::int64_t>(0, layers - first);
}

/// Absent where the model has as many layers with a window as its model type usually has.
void read_windows(FamilyKeys& keys, std::int64_t layers, Architecture& model) {
  ObjectReader& reader = keys.reader();
  std::optional<std::int64_t> near = reader.optional_integer("windowed_layers", {0, layers});
  if (reader.has("layer_types")) {
    near = listed_windows(reader, layers);
  } else if (model.sliding_window) {
    for (const char* key : {"sliding_window_pattern", "_sliding_window_pattern"}) {
      if (reader.has(key)) near = patterned_windows(reader, key, layers);
    }
    const bool switched_on = reader.raw("use_sliding_window") == true;
    if (!near && switched_on) near = windows_from(reader, layers);
  }
  const double usual = usual_windowed_share(model.model_type) * static_cast<double>(layers);
  if (model.sliding_window && near && static_cast<double>(*near) != usual) {
    model.windowed_layers = near;
  }
}

Architecture read_shape(ObjectReader& reader, const std::string& usual_type);

/// A model with a tower: its text part, and the head tied where either place says so.
Architecture read_text_part(ObjectReader& reader) {
  const std::string type = reader.text("model_type");
  const std::string reason = why_not_modelled(type);
  if (!reason.empty()) {
    reader.fault("model_type",
                 "expected a model that is counted here, got " + shown(type) + ": " + reason);
  } else if (!type.empty() && !kWrappers.contains(type)) {
    const std::vector<std::string> known = keys_of(kWrappers);
    reader.fault("model_type", "expected one of " + join(known, ", ") +
                                   " around text_config; got " + shown(type) +
                                   did_you_mean(type, known));
  }
  ObjectReader inner = reader.object("text_config");
  if (!reader.sound("model_type")) return {};
  const auto usual = kWrappers.find(type);
  Architecture model = read_shape(inner, usual == kWrappers.end() ? "" : usual->second);
  model.tower = read_tower(reader, model.hidden);
  const std::optional<StoredWeights> stored = read_stored_weights(reader);
  if (stored && model.stored && *stored != *model.stored) {
    reader.fault("quantization_config", "expected the same as in text_config");
  }
  if (!model.stored) model.stored = stored;
  if (!reader.has("tie_word_embeddings")) return model;
  const bool tied = reader.flag("tie_word_embeddings");
  if (!inner.has("tie_word_embeddings")) {
    model.tied_head = tied;
  } else if (tied != model.tied_head) {
    reader.fault("tie_word_embeddings", std::string("expected the same as text_config, ") +
                                            (model.tied_head ? "true" : "false") + ", got " +
                                            (tied ? "true" : "false"));
  }
  return model;
}

void check_fused(ObjectReader& reader, const std::vector<std::string>& fused) {
  const std::vector<std::string> known{"qkv_proj", "gate_up_proj", "query_key_value"};
  std::set<std::string> seen;
  for (const std::string& name : fused) {
    if (!contains(known, name)) {
      reader.fault("fused_linears", "expected qkv_proj, gate_up_proj or query_key_value, got " +
                                        shown(name) + did_you_mean(name, known));
    } else if (!seen.insert(name).second) {
      reader.fault("fused_linears", "expected each name once, got " + shown(name) + " again");
    }
  }
}

void read_whole_model(FamilyKeys& keys, const Traits& traits, Architecture& model) {
  ObjectReader& reader = keys.reader();
  model.model_type = reader.text_or("model_type", keys.family().model_type);
  model.hidden = keys.integer("hidden_size", {1, 1 << 20});
  model.vocab = keys.integer("vocab_size", kWidth);
  read_positions(keys, traits, model);
  model.embedding_norm = traits.embedding_norm;
  model.tied_head = traits.tied_head;
  model.head_bias = traits.head_bias;
  model.logit_cap = traits.logit_cap;
  model.alibi = traits.alibi;
  model.layer_norm = traits.layer_norm;
  model.norm_weight = traits.norm_weight;
  model.norm_bias = traits.norm_bias;
  model.activation = read_activation(keys);
  // Qwen2's configs give a window that use_sliding_window switches off; 0 means none elsewhere.
  const std::int64_t window = reader.integer_or("sliding_window", 0, {0, kPositions.high});
  if (reader.flag_or("use_sliding_window", true) && window > 0) model.sliding_window = window;
  model.fused_linears =
      reader.has("fused_linears") ? reader.texts("fused_linears") : keys.family().fused;
  check_fused(reader, model.fused_linears);
}

/// Configs of transformers 5 list the layers of this hybrid and do not count them.
std::int64_t read_layer_count(FamilyKeys& keys) {
  constexpr Bounds<std::int64_t> kLayerCount{1, 10000};
  const bool may_list = keys.family().model_type == "nemotron_h" && !keys.has("num_hidden_layers");
  const Json none;
  const Json& listed = may_list ? keys.reader().raw("layers_block_type") : none;
  if (!listed.is_array()) return keys.integer("num_hidden_layers", kLayerCount);
  const auto count = std::ssize(listed);
  if (count >= kLayerCount.low && count <= kLayerCount.high) return count;
  keys.reader().fault("layers_block_type",
                      "expected from 1 to 10000 layers, got " + std::to_string(count));
  return kLayerCount.low;
}

}  // namespace

double usual_windowed_share(const std::string& model_type) {
  static const std::map<std::string, double> kShares = {
      {"mistral", 1},           {"mixtral", 1},   {"phi3", 1},
      {"starcoder2", 1},        {"gemma2", 0.5},  {"gemma3", 5.0 / 6},
      {"gemma3_text", 5.0 / 6}, {"gpt_oss", 0.5}, {"cohere2", 0.75}};
  const auto found = kShares.find(model_type);
  return found == kShares.end() ? 0 : found->second;
}

std::int64_t Architecture::per_layer_columns() const {
  std::int64_t columns = 0;
  for (const BlockRun& run : runs) columns += run.count * run.block.per_layer_width;
  return columns;
}

std::int64_t Architecture::layers() const {
  std::int64_t count = -kept_predictions();
  for (const BlockRun& run : runs) count += run.count;
  return count;
}

std::int64_t Architecture::kept_predictions() const {
  return runs.empty() || !runs.back().block.predicts_further ? 0 : runs.back().count;
}

namespace {

/// `usual_type`: of a config that says no model_type.
Architecture read_shape(ObjectReader& reader, const std::string& usual_type) {
  const Family family = read_family(reader, usual_type);
  Architecture model;
  if (!reader.sound("model_type")) return model;
  FamilyKeys keys(reader, family);
  const Traits traits = read_traits(keys);
  refuse_other_shapes(keys);
  read_whole_model(keys, traits, model);
  Parts parts;
  parts.model_type = model.model_type;
  parts.hidden = model.hidden;
  parts.layers = read_layer_count(keys);
  parts.norms = read_norms(keys);
  parts.attention = read_attention(keys, traits, model.hidden);
  parts.mlp = read_mlp(keys, traits, model.hidden);
  parts.moe = read_moe(keys, traits, parts.mlp.width);
  if (family.layers == nullptr) {
    parts.mamba = read_mamba(reader);
    read_windows(keys, parts.layers, model);
  }
  model.runs = read_blocks(keys, parts);
  if (model.per_layer_columns() > 0) {
    model.per_layer_vocab = keys.integer("vocab_size_per_layer_input", kWidth);
  } else if (family.model_type == "gemma4_text") {  // rows of a table without columns
    keys.integer_or("vocab_size_per_layer_input", 1, kWidth);
  }
  check_sizes(keys, model);
  model.tower = read_tower(reader, model.hidden);
  if (family.predicts_alike) {
    model.further_predictions = keys.integer_or("num_nextn_predict_layers", 0, {0, 16});
  }
  model.stored = read_stored_weights(reader);
  return model;
}

}  // namespace

Architecture read_architecture(ObjectReader& reader) {
  const bool around = reader.has("text_config") && !reader.has("hidden_size");
  return around ? read_text_part(reader) : read_shape(reader, "");
}

}  // namespace sizesheet
