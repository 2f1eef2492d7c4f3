// SPDX-License-Identifier: Apache-2.0
#include "sizing/model/parameters.h"

#include "catalog/models/architecture.h"

namespace sizesheet {

std::int64_t final_norm_parameters(const Architecture& model) {
  return model.hidden * ((model.norm_weight ? 1 : 0) + (model.norm_bias ? 1 : 0));
}

namespace {

Linears attention_linears(const Architecture& model, const Block& block) {
  const Attention& attention = *block.attention;
  const std::int64_t h = model.hidden;
  const std::int64_t a = attention.heads;
  if (attention.latent) {
    const LatentAttention& mla = *attention.latent;
    const std::int64_t query = a * (mla.nope_dim + mla.rope_dim);
    Linears list;
    if (mla.query_rank == 0) {
      list.push_back({Projection::kQuery, h, query});
    } else {
      list.push_back({Projection::kQueryDown, h, mla.query_rank});
      list.push_back({Projection::kQueryUp, mla.query_rank, query, 1, InputGroup::kQueryLatent});
    }
    list.push_back({Projection::kKvDown, h, mla.kv_rank + mla.rope_dim});
    list.push_back({Projection::kKvUp, mla.kv_rank, a * (mla.nope_dim + mla.value_dim), 1,
                    InputGroup::kKvLatent});
    list.push_back({Projection::kOutput, a * mla.value_dim, h, 1, InputGroup::kAttentionOut});
    return list;
  }
  const std::int64_t q = a * attention.head_dim;
  const std::int64_t values = attention.value_dim > 0 ? attention.value_dim : attention.head_dim;
  const bool wide_gate = attention.gate > a;  // a gate of every value comes with the queries
  Linears list{{Projection::kQuery, h, q + (wide_gate ? attention.gate : 0)}};
  if (!attention.shares_kv) {
    list.push_back({Projection::kKey, h, attention.kv_heads * attention.head_dim});
    if (!attention.keys_are_values) {
      list.push_back({Projection::kValue, h, attention.kv_heads * values});
    }
  }
  list.push_back({Projection::kOutput, attention.value_width(), h, 1, InputGroup::kAttentionOut});
  if (attention.gate > 0 && !wide_gate) {
    list.push_back({Projection::kOutputGate, h, attention.gate});
  }
  return list;
}

Linears delta_linears(const Architecture& model, const Block& block) {
  const LinearAttention& linear = *block.linear;
  const std::int64_t h = model.hidden;
  const std::int64_t qkv = 2 * linear.key_width() + linear.value_width();
  Linears list;
  if (linear.fused_inputs) {
    list.push_back({Projection::kDeltaInputGate, h, qkv + linear.value_width()});
    list.push_back({Projection::kDeltaScalars, h, 2 * linear.value_heads});
  } else {
    list.push_back({Projection::kDeltaInput, h, qkv});
    list.push_back({Projection::kDeltaGate, h, linear.value_width()});
    list.push_back({Projection::kDeltaBeta, h, linear.value_heads});
    list.push_back({Projection::kDeltaDecay, h, linear.value_heads});
  }
  list.push_back({Projection::kMixerOut, linear.value_width(), h, 1, InputGroup::kMiddle});
  return list;
}

Linears convolution_linears(const Architecture& model, const Block&) {
  const std::int64_t h = model.hidden;
  return {{Projection::kMixerIn, h, 3 * h}, {Projection::kMixerOut, h, h, 1, InputGroup::kMiddle}};
}

Linears per_layer_linears(const Architecture& model, const Block& block) {
  const std::int64_t width = block.per_layer_width;
  return {{Projection::kPerLayerIn, model.hidden, width},
          {Projection::kPerLayerOut, width, model.hidden, 1, InputGroup::kMiddle}};
}

Linears mlp_linears(const Architecture& model, const Block& block) {
  const Mlp& mlp = *block.mlp;
  Linears list;
  if (mlp.gated) list.push_back({Projection::kGate, model.hidden, mlp.width});
  list.push_back({Projection::kUp, model.hidden, mlp.width});
  list.push_back({Projection::kDown, mlp.width, model.hidden, 1, InputGroup::kMiddle});
  return list;
}

Linears moe_linears(const Architecture& model, const Block& block) {
  const Moe& moe = *block.moe;
  const std::int64_t h = model.hidden;
  const std::int64_t width = moe.latent_size > 0 ? moe.latent_size : h;
  Linears list{{Projection::kRouter, h, moe.experts}};
  if (moe.latent_size > 0) {
    list.push_back({Projection::kLatentIn, h, width});
    list.push_back({Projection::kLatentOut, width, h, 1, InputGroup::kMoeLatent});
  }
  const auto expert = [&](Projection name, std::int64_t in, std::int64_t out, InputGroup group) {
    list.push_back({name, in, out, moe.experts, group, true});
  };
  if (moe.gated) expert(Projection::kGate, width, moe.expert_width, InputGroup::kPermuted);
  expert(Projection::kUp, width, moe.expert_width, InputGroup::kPermuted);
  expert(Projection::kDown, moe.expert_width, width, InputGroup::kExpertMiddle);
  if (moe.shared_width > 0) {
    if (moe.gated) list.push_back({Projection::kSharedGate, h, moe.shared_width});
    list.push_back({Projection::kSharedUp, h, moe.shared_width});
    list.push_back({Projection::kSharedDown, moe.shared_width, h, 1, InputGroup::kSharedMiddle});
  }
  return list;
}

std::int64_t inner_width(const Mamba& mamba) { return mamba.heads * mamba.head_dim; }

Linears mamba_linears(const Architecture& model, const Block& block) {
  const Mamba& mamba = *block.mamba;
  const std::int64_t inner = inner_width(mamba);
  return {{Projection::kMixerIn, model.hidden,
           2 * inner + 2 * mamba.groups * mamba.state + mamba.heads},
          {Projection::kMixerOut, inner, model.hidden, 1, InputGroup::kMiddle}};
}

std::int64_t attention_bias(const Architecture& model, const Block& block) {
  const Attention& attention = *block.attention;
  std::int64_t count = 0;
  if (attention.qkv_bias) {
    count += (attention.heads + 2 * attention.kv_heads) * attention.head_dim;
    if (attention.value_dim > 0) {
      count += attention.kv_heads * (attention.value_dim - attention.head_dim);
    }
  }
  if (attention.output_bias) count += model.hidden;
  if (attention.sinks) count += attention.heads;
  return count;
}

std::int64_t mlp_bias(const Architecture& model, const Block& block) {
  const Mlp& mlp = *block.mlp;
  return mlp.bias ? mlp.width * (mlp.gated ? 2 : 1) + model.hidden : 0;
}

std::int64_t inner_norms(const Attention& attention) {
  if (attention.latent) return attention.latent->query_rank + attention.latent->kv_rank;
  if (attention.qk_norm == "per_head") return (attention.shares_kv ? 1 : 2) * attention.head_dim;
  if (attention.qk_norm == "full") {
    return (attention.heads + attention.kv_heads) * attention.head_dim;
  }
  return 0;
}

/// Parameters of one routed expert, with its biases.
std::int64_t expert_size(const Architecture& model, const Moe& moe) {
  const std::int64_t width = moe.latent_size > 0 ? moe.latent_size : model.hidden;
  const std::int64_t matrices = moe.gated ? 3 : 2;
  const std::int64_t bias = moe.expert_bias ? moe.expert_width * (matrices - 1) + width : 0;
  return matrices * width * moe.expert_width + bias;
}

/// Everything of a Mamba-2 mixer that is no projection.
std::int64_t mamba_rest(const Architecture&, const Block& block) {
  const Mamba& mamba = *block.mamba;
  const std::int64_t channels = inner_width(mamba) + 2 * mamba.groups * mamba.state;
  return channels * mamba.conv_kernel + (mamba.conv_bias ? channels : 0) + 3 * mamba.heads +
         (mamba.gated_norm ? inner_width(mamba) : 0);
}

/// Its convolution, decay and bias of each head, and the norm of one head.
std::int64_t delta_rest(const Architecture&, const Block& block) {
  const LinearAttention& linear = *block.linear;
  return (2 * linear.key_width() + linear.value_width()) * linear.conv_kernel +
         2 * linear.value_heads + linear.value_dim;
}

std::int64_t convolution_rest(const Architecture& model, const Block& block) {
  return model.hidden * (block.convolution->kernel + (block.convolution->bias ? 5 : 0));
}

/// Projections of queries, of the one key and of weights, and the norm of the key.
std::int64_t indexer_parameters(const Architecture& model, const Attention& attention) {
  if (!attention.indexer || !attention.indexer->owned) return 0;
  const Indexer& indexer = *attention.indexer;
  return indexer.query_input * indexer.heads * indexer.head_dim +
         model.hidden * (indexer.head_dim + (indexer.weighted ? indexer.heads : 0)) +
         2 * indexer.head_dim;
}

/// A sublayer: whether a block has it, its projections, and what it has beside them; where both
/// count together, and where the rest counts once more.
struct SublayerParts {
  Sublayer value;
  bool (*in)(const Block&);
  Linears (*linears)(const Architecture&, const Block&);
  std::int64_t (*rest)(const Architecture&, const Block&) = nullptr;
  std::int64_t ComponentCounts::*counted = nullptr;  ///< routed experts count by what they are
  std::int64_t ComponentCounts::*rest_counted = nullptr;
};

/// Of every kind, in the order of Sublayer.
constexpr std::array<SublayerParts, 7> kSublayerParts{{
    {Sublayer::kAttention, [](const Block& block) { return block.attention.has_value(); },
     attention_linears, attention_bias, &ComponentCounts::attention, &ComponentCounts::biases},
    {Sublayer::kLinear, [](const Block& block) { return block.linear.has_value(); }, delta_linears,
     delta_rest, &ComponentCounts::delta, &ComponentCounts::mixers},
    {Sublayer::kConvolution, [](const Block& block) { return block.convolution.has_value(); },
     convolution_linears, convolution_rest, &ComponentCounts::convolution,
     &ComponentCounts::mixers},
    {Sublayer::kMamba, [](const Block& block) { return block.mamba.has_value(); }, mamba_linears,
     mamba_rest, &ComponentCounts::mamba, &ComponentCounts::mixers},
    {Sublayer::kMlp, [](const Block& block) { return block.mlp.has_value(); }, mlp_linears,
     mlp_bias, &ComponentCounts::mlp, &ComponentCounts::biases},
    {Sublayer::kMoe, [](const Block& block) { return block.moe.has_value(); }, moe_linears},
    {Sublayer::kPerLayer, [](const Block& block) { return block.per_layer_width > 0; },
     per_layer_linears, nullptr, &ComponentCounts::per_layer},
}};

void add_moe(const Architecture& model, const Moe& moe, std::int64_t count,
             ComponentCounts& counts) {
  const std::int64_t one = expert_size(model, moe);
  counts.experts += count * one * moe.experts;
  counts.inactive_experts += count * one * (moe.experts - moe.experts_per_token);
  counts.router += count * (model.hidden * moe.experts + (moe.router_bias ? moe.experts : 0) +
                            (moe.router_scale ? model.hidden + moe.experts : 0));
  if (moe.latent_size > 0) counts.latent += count * 2 * model.hidden * moe.latent_size;
  counts.shared += count * ((moe.gated ? 3 : 2) * model.hidden * moe.shared_width +
                            (moe.shared_gate ? model.hidden : 0));
}

void add_counts(const Architecture& model, const Block& block, std::int64_t count,
                ComponentCounts& counts) {
  counts.norms += count * block.norms * final_norm_parameters(model);
  if (block.predicts_further) {  // norms of what it joins, its own final one, and 2 h -> h
    counts.norms += count * 3 * final_norm_parameters(model);
    counts.mlp += count * 2 * model.hidden * model.hidden;
  }
  for (const SublayerParts& part : kSublayerParts) {
    if (!part.in(block) || part.counted == nullptr) continue;
    for (const Linear& linear : part.linears(model, block)) {
      counts.*part.counted += count * linear.parameters();
    }
    if (part.rest == nullptr) continue;
    const std::int64_t rest = part.rest(model, block);
    counts.*part.counted += count * rest;
    counts.*part.rest_counted += count * rest;
  }
  if (block.attention) {
    counts.norms += count * inner_norms(*block.attention);
    counts.indexer += count * indexer_parameters(model, *block.attention);
  }
  if (block.moe) add_moe(model, *block.moe, count, counts);
}

}  // namespace

Sublayers sublayers(const Block& block) {
  Sublayers list;
  for (const SublayerParts& part : kSublayerParts) {
    if (part.in(block)) list.push_back(part.value);
  }
  return list;
}

Linears linears(const Architecture& model, const Block& block, Sublayer sublayer) {
  return kSublayerParts[static_cast<std::size_t>(sublayer)].linears(model, block);
}

Linears linears(const Architecture& model, const Block& block) {
  Linears all;
  for (const Sublayer sublayer : sublayers(block)) {
    for (const Linear& linear : linears(model, block, sublayer)) all.push_back(linear);
  }
  return all;
}

std::int64_t ComponentCounts::total() const {
  return embedding + lm_head + attention + indexer + mlp + experts + shared + router + latent +
         mamba + delta + convolution + per_layer + norms;
}

std::int64_t embedding_parameters(const Architecture& model) {
  std::int64_t count = (model.vocab + model.learned_positions) * model.hidden +
                       (model.embedding_norm ? final_norm_parameters(model) : 0);
  if (model.per_layer_vocab > 0) {
    count += (model.per_layer_vocab + model.hidden) * model.per_layer_columns() +
             model.runs.front().block.per_layer_width;
  }
  return count;
}

std::int64_t head_parameters(const Architecture& model) {
  return (model.tied_head ? 0 : model.head_outputs() * model.hidden) +
         (model.head_bias ? model.vocab : 0);
}

Architecture with_score_head(Architecture model) {
  model.scores = true;
  model.tied_head = model.head_bias = false;
  return model;
}

std::int64_t prediction_parameters(const Architecture& model) {
  const Architecture kept = with_predictions(model);
  return count_parameters(kept).total() - count_parameters(model).total();
}

Architecture with_predictions(Architecture model) {
  if (model.runs.empty()) return model;  // it has faults, which are told elsewhere
  Block block = model.runs.back().block;
  block.predicts_further = true;
  if (block.attention && block.attention->indexer) block.attention->indexer->owned = true;
  model.runs.push_back({block, model.further_predictions});
  return model;
}

ComponentCounts count_parameters(const Architecture& model) {
  ComponentCounts counts;
  counts.embedding = embedding_parameters(model);
  counts.lm_head = head_parameters(model);
  counts.norms = final_norm_parameters(model);
  for (const BlockRun& run : model.runs) add_counts(model, run.block, run.count, counts);
  return counts;
}

SplitCounts split_parameters(const Architecture& model, const Block& block) {
  ComponentCounts counts;
  add_counts(model, block, 1, counts);
  return {
      .matrix = counts.attention + counts.mlp + counts.shared + counts.mamba + counts.delta +
                counts.convolution + counts.per_layer - counts.mixers,
      .matrix_bias = counts.biases,
      .replicated = counts.norms + counts.router + counts.latent + counts.indexer + counts.mixers,
      .expert = counts.experts};
}

}  // namespace sizesheet
