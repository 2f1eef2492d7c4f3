// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/layered.h"

#include <cmath>

#include "catalog/models/architecture.h"
#include "catalog/models/families.h"
#include "catalog/models/family_keys.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr Bounds<std::int64_t> kSize{1, 1 << 16};
constexpr Bounds<std::int64_t> kColumns{1, 1 << 24};

/// The words of a list with one a layer; `more` may follow for layers that predict further tokens.
std::vector<std::string> layer_words(FamilyKeys& keys, const std::string& key, const Parts& parts,
                                     const std::vector<std::string>& known, bool more = false) {
  ObjectReader& reader = keys.reader();
  std::vector<std::string> words = reader.texts(key);
  for (const std::string& word : words) {
    if (contains(known, word) || !reader.sound(key)) continue;
    reader.mismatch(key, join(known, ", "), word);
  }
  const bool enough = more ? std::ssize(words) >= parts.layers : std::ssize(words) == parts.layers;
  if (!enough && reader.sound(key) && reader.sound("num_hidden_layers")) {
    reader.mismatch(key, std::to_string(parts.layers) + " words, one a layer", words.size());
  }
  words.resize(static_cast<std::size_t>(parts.layers));
  return words;
}

/// One 0 or 1 a layer.
std::vector<std::int64_t> layer_marks(ObjectReader& reader, const std::string& key,
                                      const Parts& parts) {
  std::vector<std::int64_t> marks = reader.integers(key, {0, 1});
  if (std::ssize(marks) != parts.layers && reader.sound(key)) {
    reader.mismatch(key, std::to_string(parts.layers) + " of 0 and 1, one a layer", marks.size());
  }
  marks.resize(static_cast<std::size_t>(parts.layers));
  return marks;
}

template <typename T>
const T& of_layer(const std::vector<T>& list, std::int64_t layer) {
  return list[static_cast<std::size_t>(layer)];
}

/// Every fourth layer has gated attention, the others a Gated DeltaNet.
LayerRule delta_rule(FamilyKeys& keys, const Parts& parts) {
  const LinearAttention linear{
      .key_heads = keys.integer("linear_num_key_heads", kSize),
      .value_heads = keys.integer("linear_num_value_heads", kSize),
      .key_dim = keys.integer("linear_key_head_dim", kSize),
      .value_dim = keys.integer("linear_value_head_dim", kSize),
      .conv_kernel = keys.integer_or("linear_conv_kernel_dim", 4, {1, 1024}),
      .fused_inputs = keys.family().model_type == "qwen3_next"};
  if (linear.value_heads % linear.key_heads != 0 && keys.sound("linear_num_key_heads")) {
    keys.fault("linear_num_value_heads", "expected a multiple of linear_num_key_heads " +
                                             std::to_string(linear.key_heads) + ", got " +
                                             std::to_string(linear.value_heads));
  }
  std::vector<std::string> words;
  if (keys.has("layer_types")) {
    words = layer_words(keys, "layer_types", parts, {"linear_attention", "full_attention"});
  }
  const std::int64_t every = keys.integer_or("full_attention_interval", 4, {1, 10000});
  const bool gated = keys.flag_or("attn_output_gate", true);
  return [=](std::int64_t layer, Block& block) {
    const bool full =
        words.empty() ? (layer + 1) % every == 0 : of_layer(words, layer) == "full_attention";
    if (full) {
      if (gated) block.attention->gate = block.attention->heads * block.attention->head_dim;
    } else {
      block.attention.reset();
      block.linear = linear;
    }
  };
}

/// Windows and full attention with heads of their own, keys and values of earlier layers in the
/// last ones, an MLP beside the experts, and an embedding of each token for every layer.
LayerRule gemma_rule(FamilyKeys& keys, const Parts& parts) {
  const auto words =
      layer_words(keys, "layer_types", parts, {"sliding_attention", "full_attention"});
  const std::int64_t global_dim = keys.integer_or("global_head_dim", 0, {0, kSize.high});
  const bool same = keys.flag_or("attention_k_eq_v", false);
  const std::int64_t global_kv = keys.integer_or("num_global_key_value_heads", 0, {0, kSize.high});
  const std::int64_t window = keys.integer("sliding_window", {1, 1LL << 30});
  const std::int64_t sharing =
      keys.integer_or("num_kv_shared_layers", 0, {0, std::max<std::int64_t>(0, parts.layers - 1)});
  const bool wide = keys.flag_or("use_double_wide_mlp", false);
  const std::int64_t own_input = keys.integer_or("hidden_size_per_layer_input", 0, {0, kSize.high});
  const Mlp mlp = parts.mlp;
  return [=](std::int64_t layer, Block& block) {
    Attention& attention = *block.attention;
    if (of_layer(words, layer) == "full_attention") {
      if (global_dim > 0) attention.head_dim = global_dim;
      attention.keys_are_values = same;
      if (same && global_kv > 0) attention.kv_heads = global_kv;
    } else {
      attention.window = window;
    }
    attention.shares_kv = layer >= parts.layers - sharing;
    if (block.moe) {
      block.mlp = mlp;
      block.moe->router_scale = true;
      block.norms += 3;
    } else if (wide && attention.shares_kv) {
      block.mlp->width *= 2;
    }
    block.per_layer_width = own_input;
    if (own_input > 0) ++block.norms;
  };
}

/// An indexer before latent attention; only some layers may own one.
LayerRule indexed_rule(FamilyKeys& keys, const Parts& parts) {
  const std::int64_t rank = parts.attention.latent ? parts.attention.latent->query_rank : 0;
  if (rank == 0 && keys.sound("q_lora_rank")) {
    keys.fault("q_lora_rank", "expected an integer of at least 1, which the indexer reads, got " +
                                  shown(keys.raw("q_lora_rank")));
  }
  const Indexer indexer{.heads = keys.integer("index_n_heads", kSize),
                        .head_dim = keys.integer("index_head_dim", kSize),
                        .positions = keys.integer("index_topk", {1, 1 << 24}),
                        .query_input = rank};
  std::vector<std::string> words;
  if (keys.has("indexer_types")) {
    words = layer_words(keys, "indexer_types", parts, {"full", "shared"});
  }
  return [=](std::int64_t layer, Block& block) {
    block.attention->indexer = indexer;
    block.attention->indexer->owned = words.empty() || of_layer(words, layer) == "full";
  };
}

/// The indexer of MiniMax M3, which reads the hidden state and chooses blocks of positions.
LayerRule block_indexed_rule(FamilyKeys& keys, const Parts& parts) {
  ObjectReader sparse = keys.reader().object("sparse_attention_config");
  const bool used = sparse.flag("use_sparse_attention");
  const Indexer indexer{.heads = sparse.integer("sparse_num_index_heads", kSize),
                        .head_dim = sparse.integer("sparse_index_dim", kSize),
                        .positions = sparse.integer("sparse_topk_blocks", kSize) *
                                     sparse.integer("sparse_block_size", kSize),
                        .query_input = parts.hidden,
                        .weighted = false};
  const auto marks = layer_marks(sparse, "sparse_attention_freq", parts);
  return [=](std::int64_t layer, Block& block) {
    if (used && of_layer(marks, layer) == 1) block.attention->indexer = indexer;
  };
}

/// Windows have heads and sinks of their own.
LayerRule mimo_rule(FamilyKeys& keys, const Parts& parts) {
  const auto marks = layer_marks(keys.reader(), "hybrid_layer_pattern", parts);
  Attention whole = parts.attention;
  whole.value_dim = keys.integer_or("v_head_dim", 0, {0, kSize.high});
  whole.sinks = keys.flag_or("add_full_attention_sink_bias", false);
  Attention local = whole;
  local.heads = keys.integer("swa_num_attention_heads", kSize);
  local.kv_heads = keys.integer("swa_num_key_value_heads", kSize);
  local.head_dim = keys.integer("swa_head_dim", kSize);
  local.value_dim = keys.integer("swa_v_head_dim", kSize);
  local.sinks = keys.flag_or("add_swa_attention_sink_bias", false);
  local.window = keys.integer("sliding_window", {1, 1LL << 30});
  return [=](std::int64_t layer, Block& block) {
    block.attention = of_layer(marks, layer) == 1 ? local : whole;
  };
}

/// Windows have more heads; every head has a gate. Layers with experts are listed in a text.
LayerRule step_rule(FamilyKeys& keys, const Parts& parts) {
  const auto words =
      layer_words(keys, "layer_types", parts, {"sliding_attention", "full_attention"}, true);
  Attention whole = parts.attention;
  Attention local = whole;
  ObjectReader other = keys.reader().object("attention_other_setting");
  local.heads = other.integer("num_attention_heads", kSize);
  local.kv_heads = other.integer("num_attention_groups", kSize);
  local.head_dim = other.integer_or("head_dim", local.head_dim, kSize);
  local.window = keys.integer("sliding_window", {1, 1LL << 30});
  if (keys.flag_or("use_head_wise_attn_gate", false)) {
    whole.gate = whole.heads;
    local.gate = local.heads;
  }
  std::set<std::string> routed;
  const std::string listed = keys.text_or("moe_layers_enum", "");
  for (const std::string& layer : split(listed, ',')) {
    const bool digits =
        !layer.empty() && layer.find_first_not_of("0123456789") == std::string::npos;
    if (!digits && !listed.empty() && keys.sound("moe_layers_enum")) {
      keys.fault("moe_layers_enum",
                 "expected numbers of layers with commas between, got " + in_quotes(layer));
    }
    routed.insert(layer);
  }
  const Mlp mlp = parts.mlp;
  return [=](std::int64_t layer, Block& block) {
    block.attention = of_layer(words, layer) == "sliding_attention" ? local : whole;
    const bool dense = listed.empty() ? layer == 0 : !routed.contains(std::to_string(layer));
    if (!dense) return;
    block.moe.reset();
    block.mlp = mlp;
  };
}

/// Heads layer by layer, each with a gate.
LayerRule laguna_rule(FamilyKeys& keys, const Parts& parts) {
  const auto words =
      layer_words(keys, "layer_types", parts, {"sliding_attention", "full_attention"});
  ObjectReader& reader = keys.reader();
  std::vector<std::int64_t> heads(static_cast<std::size_t>(parts.layers), parts.attention.heads);
  if (reader.has("num_attention_heads_per_layer")) {
    const auto listed = reader.integers("num_attention_heads_per_layer", kSize);
    if (std::ssize(listed) != parts.layers) {
      reader.mismatch("num_attention_heads_per_layer",
                      std::to_string(parts.layers) + " integers, one a layer", listed.size());
    } else {
      heads = listed;
    }
  }
  const bool gated = keys.flag_or("gating", false);
  const std::int64_t window = keys.integer("sliding_window", {1, 1LL << 30});
  return [=](std::int64_t layer, Block& block) {
    Attention& attention = *block.attention;
    attention.heads = of_layer(heads, layer);
    if (gated) attention.gate = attention.heads;
    if (of_layer(words, layer) == "sliding_attention") attention.window = window;
  };
}

/// A gated convolution over a few tokens in the place of attention.
LayerRule convolution_rule(FamilyKeys& keys, const Parts& parts) {
  ObjectReader& reader = keys.reader();
  std::vector<bool> attention(static_cast<std::size_t>(parts.layers), false);
  if (reader.has("layer_types")) {
    const auto words = layer_words(keys, "layer_types", parts, {"conv", "full_attention"});
    for (std::size_t i = 0; i < words.size(); ++i) attention[i] = words[i] == "full_attention";
  } else {
    const Bounds<std::int64_t> layers{0, std::max<std::int64_t>(0, parts.layers - 1)};
    for (const std::int64_t layer : reader.integers("full_attn_idxs", layers)) {
      attention[static_cast<std::size_t>(layer)] = true;
    }
  }
  const ShortConvolution convolution{.kernel = keys.integer("conv_L_cache", {1, 1024}),
                                     .bias = keys.flag_or("conv_bias", false)};
  const std::vector<std::pair<std::string, std::string>> repeated = {
      {"num_heads", "num_attention_heads"}, {"block_dim", "hidden_size"}};
  for (const auto& [same, ours] : repeated) {
    const Json& value = reader.raw(same);
    if (value.is_null() || value == keys.raw(ours)) continue;
    reader.mismatch(same, "the same as " + ours + ", " + shown(keys.raw(ours)));
  }
  std::optional<std::int64_t> width;
  const double factor = reader.number_or("block_ffn_dim_multiplier", 1, {1e-3, 64});
  const std::int64_t step = keys.integer_or("block_multiple_of", 256, kColumns);
  if (keys.flag_or("block_auto_adjust_ff_dim", false)) {
    const std::int64_t whole = 2 * parts.mlp.width / 3;
    const auto scaled = static_cast<std::int64_t>(std::floor(factor * static_cast<double>(whole)));
    width = (scaled + step - 1) / step * step;
  }
  return [=](std::int64_t layer, Block& block) {
    if (block.mlp && width) block.mlp->width = *width;
    if (attention[static_cast<std::size_t>(layer)]) return;
    block.attention.reset();
    block.convolution = convolution;
  };
}

/// Mamba-2 by the names of Granite 4 and Falcon-H1.
Mamba read_mixer(FamilyKeys& keys, const Parts& parts) {
  Mamba mamba;
  mamba.heads = keys.integer("mamba_n_heads", kSize);
  const std::int64_t expanded = keys.integer_or("mamba_expand", 2, {1, 64}) * parts.hidden;
  const std::int64_t inner = keys.integer_or("mamba_d_ssm", expanded, kColumns);
  const bool given =
      keys.has("mamba_d_head") && keys.raw("mamba_d_head") != "auto" && !keys.has("mamba_d_ssm");
  mamba.head_dim =
      given ? keys.integer("mamba_d_head", kSize) : std::max<std::int64_t>(1, inner / mamba.heads);
  mamba.groups = keys.integer("mamba_n_groups", kSize);
  mamba.state = keys.integer("mamba_d_state", kSize);
  mamba.conv_kernel = keys.integer_or("mamba_d_conv", mamba.conv_kernel, {1, 1024});
  mamba.chunk = keys.integer_or("mamba_chunk_size", mamba.chunk, {1, 1 << 20});
  mamba.conv_bias = keys.flag_or("mamba_conv_bias", mamba.conv_bias);
  return mamba;
}

/// Mamba-2 in most layers; every layer has an MLP behind it, or experts with a shared one.
LayerRule granite_rule(FamilyKeys& keys, const Parts& parts) {
  const std::string key = keys.has("layer_types") ? "layer_types" : "layers_block_type";
  const auto words = layer_words(keys, key, parts, {"mamba", "attention"});
  const Mamba mamba = read_mixer(keys, parts);
  const std::int64_t width = keys.integer("shared_intermediate_size", kColumns);
  return [=](std::int64_t layer, Block& block) {
    if (block.mlp) block.mlp->width = width;
    if (of_layer(words, layer) == "attention") return;
    block.attention.reset();
    block.mamba = mamba;
  };
}

/// Attention and Mamba-2 side by side in every layer.
LayerRule falcon_rule(FamilyKeys& keys, const Parts& parts) {
  Mamba mamba = read_mixer(keys, parts);
  mamba.gated_norm = keys.flag_or("mamba_rms_norm", false);
  return [=](std::int64_t, Block& block) { block.mamba = mamba; };
}

const FixedKey kNoMixerBias = {
    "mamba_proj_bias", {false}, "biases on the projections of Mamba are"};

/// Every fourth layer has attention; with experts, one of them is shared behind a gate.
Family delta(Routing routing) {
  const bool routed = routing != Routing::kNone;
  return {.traits = {.shared_gate = routed},
          .names = {{"num_nextn_predict_layers", "mtp_num_hidden_layers"}},
          .flags = {kAttentionBias},
          .qk_norm = "per_head",
          .routing = routing,
          .shared = routed ? Shared::kTotalWidth : Shared::kNone,
          .predicts_alike = true,
          .layers = delta_rule};
}

Family convolved(Routing routing) {
  return {.traits = {.tied_head = true},
          .names = {{"intermediate_size", "block_ff_dim"}},
          .flags = {{"tie_embedding", {&Traits::tied_head}}},
          .qk_norm = "per_head",
          .routing = routing,
          .layers = convolution_rule};
}

const std::vector<FamilyRow> kLayeredRows = {
    {{"qwen3_5_text"}, delta(Routing::kNone)},
    {{"qwen3_next", "qwen3_5_moe_text"}, delta(Routing::kOwnWidth)},
    {{"gemma4_text"},
     {.traits = {.tied_head = true, .logit_cap = kUsualLogitCap},
      .norms = 4,
      .flags = {kAttentionBias},
      .qk_norm = "per_head",
      .routing = Routing::kMaybeRouted,
      .activation = "gelu_pytorch_tanh",
      .layers = gemma_rule}},
    {{"deepseek_v32", "glm_moe_dsa"},
     {.fixed = {kNoLatentBias},
      .routing = Routing::kMaybeRouted,
      .shared = Shared::kCopies,
      .latent = true,
      .predicts_alike = true,
      .kv_like_heads = true,
      .layers = indexed_rule}},
    {{"minimax_m3"},
     {.qk_norm = "per_head",
      .qk_norm_key = "use_qk_norm",
      .fixed = {{"attention_output_gate", {false}, "a gate on the output of attention is"},
                {"qk_norm_type", {"per_head"}, "norms of another kind are"}},
      .routing = Routing::kMlpWidth,
      .shared = Shared::kCopies,
      .layers = block_indexed_rule}},
    {{"mimo_v2_flash"},
     {.flags = {kQkvBias},
      .routing = Routing::kOwnWidth,
      .shared = Shared::kCopies,
      .layers = mimo_rule}},
    {{"step3p5"},
     {.names = {{"num_key_value_heads", "num_attention_groups"}},
      .qk_norm = "per_head",
      .routing = Routing::kOwnWidth,
      .shared = Shared::kTotalWidth,
      .layers = step_rule}},
    {{"laguna"},
     {.flags = {kAttentionBias},
      .qk_norm = "per_head",
      .routing = Routing::kOwnWidth,
      .shared = Shared::kTotalWidth,
      .layers = laguna_rule}},
    {{"lfm2"}, convolved(Routing::kNone)},
    {{"lfm2_moe"}, convolved(Routing::kOwnWidth)},
    {{"granitemoehybrid"},
     {.traits = {.tied_head = true},
      .flags = {kAttentionBias},
      .fixed = {kNoMixerBias},
      .routing = Routing::kMaybeMlpWidth,
      .shared = Shared::kTotalWidth,
      .layers = granite_rule}},
    {{"falcon_h1"},
     {.flags = {kAttentionBias, kMlpBias},
      .fixed = {kNoMixerBias, {"projectors_bias", {false}, "biases on the projections are"}},
      .layers = falcon_rule}}};

}  // namespace

const std::vector<FamilyRow>& layered_rows() { return kLayeredRows; }

}  // namespace sizesheet
