// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/blocks.h"

#include <cmath>

#include "catalog/models/architecture.h"
#include "catalog/models/families.h"
#include "catalog/models/family_keys.h"
#include "support/json.h"

namespace sizesheet {
namespace {

void append(std::vector<BlockRun>& runs, const Block& block, std::int64_t count) {
  if (!runs.empty() && runs.back().block == block) {
    runs.back().count += count;
  } else {
    runs.push_back({block, count});
  }
}

std::vector<BlockRun> uniform_blocks(FamilyKeys& keys, const Parts& parts) {
  std::vector<BlockRun> runs;
  const auto rule_of = keys.family().layers;
  const LayerRule rule = rule_of != nullptr ? rule_of(keys, parts) : LayerRule();
  for (std::int64_t layer = 0; layer < parts.layers; ++layer) {
    Block block;
    block.norms = parts.norms;
    block.attention = parts.attention;
    const bool routed = parts.moe && layer >= parts.moe->first_dense &&
                        (layer + 1) % parts.moe->step == 0 &&
                        !parts.moe->dense_layers.contains(layer);
    if (routed) {
      block.moe = parts.moe->moe;
    } else {
      block.mlp = parts.mlp;
      if (parts.moe && parts.moe->dense_width) block.mlp->width = *parts.moe->dense_width;
    }
    if (rule) rule(layer, block);
    append(runs, block, 1);
  }
  return runs;
}

/// The list of words that newer configs have in the place of the pattern's letters.
std::string listed_pattern(ObjectReader& reader) {
  const std::map<std::string, char> letters{
      {"mamba", 'M'}, {"moe", 'E'}, {"attention", '*'}, {"mlp", '-'}};
  std::string pattern;
  for (const std::string& word : reader.texts("layers_block_type")) {
    const auto letter = letters.find(word);
    if (letter == letters.end()) {
      reader.mismatch("layers_block_type", "mamba, moe, attention and mlp", word);
      return "";
    }
    pattern += letter->second;
  }
  return pattern;
}

/// One part a layer: M Mamba, E experts, * attention, - MLP.
std::vector<BlockRun> pattern_blocks(ObjectReader& reader, const std::string& key,
                                     const Parts& parts) {
  std::vector<BlockRun> runs;
  const bool words = key == "layers_block_type";
  const std::string pattern = words ? listed_pattern(reader) : reader.text(key);
  const std::size_t bad = pattern.find_first_not_of("ME*-");
  if (bad != std::string::npos) {
    reader.fault(key, "expected the letters M, E, * and -, got " + shown(pattern.substr(bad, 1)) +
                          " at place " + std::to_string(bad + 1));
    return runs;
  }
  if (!reader.sound(key) || !reader.sound("num_hidden_layers")) return runs;
  if (std::ssize(pattern) != parts.layers) {
    reader.mismatch(key, std::to_string(parts.layers) + " letters, one a layer", pattern.size());
  }
  const auto need = [&](char letter, bool given, const std::string& what) {
    if (given || pattern.find(letter) == std::string::npos) return;
    reader.fault(key, std::string("has the letter ") + letter + ", but the model has no " + what);
  };
  need('M', parts.mamba.has_value(), "mamba");
  need('E', parts.moe.has_value(), "moe");
  for (const char letter : pattern) {
    Block block;
    block.norms = parts.norms;
    if (letter == 'M') block.mamba = parts.mamba.value_or(Mamba{});
    if (letter == 'E') block.moe = parts.moe.value_or(MoePlan{}).moe;
    if (letter == '*') block.attention = parts.attention;
    if (letter == '-') block.mlp = parts.mlp;
    append(runs, block, 1);
  }
  return runs;
}

/// A block of which attention or MLP may be missing; each part that is there has its norm.
Block partial_block(const Parts& parts, std::optional<std::int64_t> kv_heads,
                    std::optional<std::int64_t> mlp_width) {
  Block block;
  block.norms = 0;
  if (kv_heads) {
    block.attention = parts.attention;
    block.attention->kv_heads = *kv_heads;
    ++block.norms;
  }
  if (mlp_width) {
    block.mlp = parts.mlp;
    block.mlp->width = *mlp_width;
    ++block.norms;
  }
  return block;
}

void check_block(ObjectReader& reader, const Parts& parts, const Block& block,
                 const std::string& kv_key) {
  if (!reader.sound("")) return;
  if (!block.attention && !block.mlp) {
    reader.fault("", "expected a block with attention, an MLP or both, got neither");
  }
  if (block.attention && parts.attention.heads % block.attention->kv_heads != 0) {
    reader.mismatch(kv_key,
                    "a divisor of num_attention_heads " + std::to_string(parts.attention.heads),
                    block.attention->kv_heads);
  }
}

/// The catalog's list: {attention, kv_heads, mlp_width, count}.
std::vector<BlockRun> listed_blocks(ObjectReader& reader, const Parts& parts) {
  std::vector<BlockRun> runs;
  std::int64_t layers = 0;
  for (ObjectReader& row : reader.objects("blocks")) {
    const bool attention = row.flag("attention");
    auto kv_heads = row.optional_integer("kv_heads", {1, 65536});
    const auto mlp_width = row.optional_integer("mlp_width", {1, 1 << 24});
    if (attention && !kv_heads) kv_heads = parts.attention.kv_heads;
    if (!attention && kv_heads) {
      if (row.sound("attention"))
        row.fault("kv_heads", "expected no kv_heads where attention is false");
      kv_heads.reset();
    }
    const Block block = partial_block(parts, kv_heads, mlp_width);
    if (reader.sound("num_attention_heads")) check_block(row, parts, block, "kv_heads");
    const std::int64_t count = row.integer("count", {1, 10000});
    row.done();
    append(runs, block, count);
    layers += count;
  }
  const bool counted = reader.sound("blocks") && reader.sound("num_hidden_layers");
  if (counted && layers != parts.layers) {
    reader.mismatch("blocks",
                    "counts that add up to num_hidden_layers " + std::to_string(parts.layers),
                    layers);
  }
  return runs;
}

/// The published spelling: block_configs with attention {n_heads_in_group} and ffn {ffn_mult}.
std::vector<BlockRun> configured_blocks(ObjectReader& reader, const Parts& parts) {
  std::vector<BlockRun> runs;
  const auto is_absent = [](ObjectReader& part) {
    if (part.flag_or("replace_with_linear", false)) {
      part.fault("replace_with_linear",
                 "expected false: a plain linear layer here is not modelled");
    }
    return part.flag_or("no_op", false);
  };
  for (ObjectReader& row : reader.objects("block_configs")) {
    ObjectReader attention = row.object("attention");
    ObjectReader ffn = row.object("ffn");
    std::optional<std::int64_t> kv_heads;
    std::optional<std::int64_t> width;
    if (!is_absent(attention)) {
      kv_heads = std::max<std::int64_t>(
          1, parts.attention.heads / attention.integer("n_heads_in_group", {1, 65536}));
    }
    if (!is_absent(ffn)) {  // a multiple of the hidden size, as these configs round it
      constexpr std::int64_t kStep = 256;
      const double whole =
          2 * ffn.number("ffn_mult", {1e-3, 64}) * static_cast<double>(parts.hidden);
      width = (static_cast<std::int64_t>(std::floor(whole / 3)) + kStep - 1) / kStep * kStep;
    }
    const Block block = partial_block(parts, kv_heads, width);
    check_block(row, parts, block, "attention");
    append(runs, block, 1);
  }
  return runs;
}

}  // namespace

std::vector<BlockRun> read_blocks(FamilyKeys& keys, const Parts& parts) {
  ObjectReader& reader = keys.reader();
  if (keys.family().layers != nullptr) return uniform_blocks(keys, parts);
  for (const char* key : {"hybrid_pattern", "hybrid_override_pattern"}) {
    if (reader.has(key)) return pattern_blocks(reader, key, parts);
  }
  if (parts.model_type == "nemotron_h" && reader.has("layers_block_type")) {
    return pattern_blocks(reader, "layers_block_type", parts);
  }
  if (reader.has("blocks")) return listed_blocks(reader, parts);
  if (reader.has("block_configs")) return configured_blocks(reader, parts);
  for (const char* key : {"layers_block_type", "mamba_n_heads", "mamba_num_heads", "mamba_d_state",
                          "ssm_state_size", "linear_num_key_heads", "block_types"}) {
    if (!reader.has(key)) continue;  // as configs of other hybrids name their layers
    reader.fault(key, "blocks of this kind are read from hybrid_pattern only, got nothing there");
    break;
  }
  if (reader.sound("") && parts.model_type == "nemotron_h") {
    reader.fault("hybrid_override_pattern", "expected text, got nothing");
  }
  if (reader.sound("") && parts.model_type == "nemotron-nas") {
    reader.fault("block_configs", "expected a list of objects, got nothing");
  }
  return uniform_blocks(keys, parts);
}

}  // namespace sizesheet
