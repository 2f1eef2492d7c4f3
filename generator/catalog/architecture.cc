// SPDX-License-Identifier: Apache-2.0
// Reading an architecture: the catalog's explicit keys first, then the names that published
// config.json files use, then what the model type implies.
#include <algorithm>
#include <cstddef>

#include "catalog/blocks.h"
#include "catalog/family.h"
#include "catalog/model.h"
#include "catalog/moe_keys.h"

namespace sizesheet {
namespace {

constexpr Bounds<std::int64_t> kWidth{1, 1 << 24};
constexpr Bounds<std::int64_t> kRank{0, 1 << 16};
constexpr Bounds<std::int64_t> kHeads{1, 65536};

std::string activation(ObjectReader& reader) {
  for (const char* key : {"hidden_act", "hidden_activation", "mlp_hidden_act", "activation"}) {
    if (reader.has(key)) return reader.text(key);
  }
  return "";
}

/// The family; one like Llama's where the type is unknown but the document says enough.
Family read_family(ObjectReader& reader) {
  const std::string type = reader.text_or("model_type", "");
  const std::string act = activation(reader);
  Family family;
  if (const Family* known = family_of(type)) {
    family = *known;
  } else if (act != "silu" && !reader.has("gated_mlp")) {
    reader.fault("model_type", "expected a known model type, or gated_mlp beside it, got " +
                                   (type.empty() ? "nothing" : shown(type)) +
                                   did_you_mean(type, known_model_types()));
  }
  family.gated = reader.flag_or("gated_mlp", family.gated && act != "relu2");
  return family;
}

std::optional<LatentAttention> read_latent(ObjectReader& reader) {
  std::optional<ObjectReader> nested = reader.optional_object("mla");
  if (!nested && !reader.has("kv_lora_rank")) return std::nullopt;
  ObjectReader& keys = nested ? *nested : reader;
  LatentAttention latent;
  latent.query_rank = keys.integer_or("q_lora_rank", 0, kRank);
  latent.kv_rank = keys.integer("kv_lora_rank", {1, kRank.high});
  latent.nope_dim = keys.integer("qk_nope_head_dim", {1, kRank.high});
  latent.rope_dim = keys.integer("qk_rope_head_dim", {1, kRank.high});
  latent.value_dim = keys.integer("v_head_dim", {1, kRank.high});
  if (nested) nested->done();
  return latent;
}

std::int64_t read_kv_heads(ObjectReader& reader, std::int64_t heads) {
  const bool one = reader.flag_or("multi_query", false) &&  // Falcon's way to say it
                   !reader.flag_or("new_decoder_architecture", false);
  const char* key = reader.has("num_kv_heads") ? "num_kv_heads" : "num_key_value_heads";
  const std::int64_t kv_heads = one ? 1 : reader.integer_or(key, heads, kHeads);
  if (reader.sound("num_attention_heads") && reader.sound(key) && heads % kv_heads != 0) {
    reader.fault(key, "expected a divisor of num_attention_heads " + std::to_string(heads) +
                          ", got " + std::to_string(kv_heads));
  }
  return kv_heads;
}

std::int64_t read_head_dim(ObjectReader& reader, std::int64_t hidden, std::int64_t heads) {
  for (const char* key : {"head_dim", "attention_head_dim"}) {
    if (reader.has(key)) return reader.integer(key, {1, 65536});
  }
  const bool counted = reader.sound("hidden_size") && reader.sound("num_attention_heads");
  if (counted && hidden % heads != 0) {
    reader.fault("num_attention_heads",
                 "expected a divisor of hidden_size " + std::to_string(hidden) +
                     " where head_dim is left out, got " + std::to_string(heads));
  }
  return std::max<std::int64_t>(1, hidden / heads);
}

Attention read_attention(ObjectReader& reader, const Family& family, std::int64_t hidden) {
  Attention attention;
  attention.heads = reader.integer("num_attention_heads", kHeads);
  attention.kv_heads = read_kv_heads(reader, attention.heads);
  attention.latent = read_latent(reader);
  attention.head_dim = attention.latent ? attention.latent->nope_dim + attention.latent->rope_dim
                                        : read_head_dim(reader, hidden, attention.heads);
  const bool every_bias = reader.flag_or("bias", false);
  const bool qkv = reader.flag_or("attention_bias", family.qkv_bias || every_bias);
  const bool output = reader.flag_or("attention_bias", family.output_bias || every_bias);
  attention.qkv_bias = reader.flag_or("attention_qkv_bias", qkv);
  attention.output_bias = reader.flag_or("attention_o_bias", output);
  attention.sinks = reader.flag_or("attention_sinks", family.sinks);
  const std::vector<std::string> kinds{"none", "per_head", "full"};
  attention.qk_norm = reader.raw("qk_norm").is_boolean()
                          ? family.qk_norm
                          : reader.one_of_or("qk_norm", kinds, family.qk_norm);
  return attention;
}

Mlp read_mlp(ObjectReader& reader, const Family& family, std::int64_t hidden) {
  Mlp mlp;
  mlp.gated = family.gated;
  mlp.bias = reader.flag_or("mlp_bias", family.mlp_bias || reader.flag_or("bias", false));
  const bool falcon = family.model_type == "falcon";
  const char* key = reader.has("ffn_hidden_size") ? "ffn_hidden_size" : "intermediate_size";
  mlp.width = reader.integer_or(key, falcon ? 4 * hidden : 0, kWidth);
  return mlp;
}

std::optional<Mamba> read_mamba(ObjectReader& reader) {
  const std::optional<ObjectReader> nested = reader.optional_object("mamba");
  if (!nested && !reader.has("mamba_num_heads")) return std::nullopt;
  ObjectReader keys = nested ? *nested : reader;
  const auto key = [&](const char* ours, const char* published) {
    return nested ? ours : published;
  };
  Mamba mamba;
  mamba.heads = keys.integer(key("num_heads", "mamba_num_heads"), kHeads);
  mamba.head_dim = keys.integer(key("head_dim", "mamba_head_dim"), {1, 65536});
  mamba.groups = keys.integer("n_groups", {1, 65536});
  mamba.state = keys.integer(key("d_state", "ssm_state_size"), {1, 65536});
  mamba.conv_kernel = keys.integer_or("conv_kernel", mamba.conv_kernel, {1, 1024});
  mamba.chunk = keys.integer_or("chunk_size", mamba.chunk, {1, 1 << 20});
  mamba.conv_bias = keys.flag_or(key("conv_bias", "use_conv_bias"), mamba.conv_bias);
  if (nested) keys.done();
  return mamba;
}

std::int64_t read_norms(ObjectReader& reader, const Family& family) {
  const bool two =
      family.model_type == "falcon" &&
      (reader.flag_or("new_decoder_architecture", false) || !reader.flag_or("parallel_attn", true));
  return reader.integer_or("norms_per_layer", two ? 2 : family.norms, {1, 8});
}

/// Counting must not overflow: an upper estimate in floating point, well before 2^63.
void refuse_giants(ObjectReader& reader, const Architecture& model) {
  constexpr double kMost = 1e15;
  const auto hidden = static_cast<double>(model.hidden);
  double total = 2 * hidden * static_cast<double>(model.vocab);
  for (const BlockRun& run : model.runs) {
    double wide = 0;  // outputs of all matrices that read or write the hidden size
    if (const auto& a = run.block.attention) {
      const std::int64_t dim = a->head_dim + (a->latent ? a->latent->value_dim : 0);
      wide += 4.0 * static_cast<double>(a->heads) * static_cast<double>(dim);
    }
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

/// A plain MLP without a width is one that the document owes us.
void require_width(ObjectReader& reader, const Architecture& model) {
  const bool missing = std::any_of(model.runs.begin(), model.runs.end(), [](const BlockRun& run) {
    return run.block.mlp && run.block.mlp->width == 0;
  });
  if (missing && reader.sound("intermediate_size"))
    reader.fault("intermediate_size", "expected an integer, got nothing");
}

}  // namespace

std::int64_t Architecture::layers() const {
  std::int64_t count = 0;
  for (const BlockRun& run : runs) count += run.count;
  return count;
}

Architecture read_architecture(ObjectReader& reader) {
  if (reader.has("text_config") && !reader.has("hidden_size")) {
    ObjectReader inner = reader.object("text_config");  // a model with a vision tower beside it
    return read_architecture(inner);
  }
  const Family family = read_family(reader);
  Architecture model;
  model.hidden = reader.integer("hidden_size", {1, 1 << 20});
  model.vocab = reader.integer("vocab_size", kWidth);
  model.max_positions = reader.integer_or("max_position_embeddings", 0, {1, 1LL << 40});
  model.tied_head = reader.flag_or("tie_word_embeddings", family.tied_head);
  reader.one_of_or("norm_type", {"rmsnorm", "layernorm"}, "");
  model.norm_bias = reader.flag_or("norm_has_bias", family.norm_bias);
  model.fused_linears = reader.has("fused_linears") ? reader.texts("fused_linears") : family.fused;
  reader.optional_integer("sliding_window", {1, 1LL << 40});
  Parts parts;
  parts.hidden = model.hidden;
  parts.layers = reader.integer("num_hidden_layers", {1, 10000});
  parts.norms = read_norms(reader, family);
  parts.attention = read_attention(reader, family, model.hidden);
  parts.mlp = read_mlp(reader, family, model.hidden);
  parts.moe = read_moe(reader, family, parts.mlp.width);
  parts.mamba = read_mamba(reader);
  model.runs = read_blocks(reader, parts);
  require_width(reader, model);
  refuse_giants(reader, model);
  return model;
}

}  // namespace sizesheet
