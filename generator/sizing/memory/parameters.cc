// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/parameters.h"

#include <algorithm>
#include <map>

namespace sizesheet {

std::int64_t final_norm_parameters(const Architecture& model) {
  return model.hidden * ((model.norm_weight ? 1 : 0) + (model.norm_bias ? 1 : 0));
}

namespace {

Linears attention_linears(const Architecture& model, const Attention& attention) {
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
  const std::int64_t kv = attention.kv_heads * attention.head_dim;
  return {{Projection::kQuery, h, q},
          {Projection::kKey, h, kv},
          {Projection::kValue, h, kv},
          {Projection::kOutput, q, h, 1, InputGroup::kAttentionOut}};
}

Linears mlp_linears(const Architecture& model, const Mlp& mlp) {
  Linears list;
  if (mlp.gated) list.push_back({Projection::kGate, model.hidden, mlp.width});
  list.push_back({Projection::kUp, model.hidden, mlp.width});
  list.push_back({Projection::kDown, mlp.width, model.hidden, 1, InputGroup::kMiddle});
  return list;
}

Linears moe_linears(const Architecture& model, const Moe& moe) {
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

Linears mamba_linears(const Architecture& model, const Mamba& mamba) {
  const std::int64_t inner = inner_width(mamba);
  return {{Projection::kMambaIn, model.hidden,
           2 * inner + 2 * mamba.groups * mamba.state + mamba.heads},
          {Projection::kMambaOut, inner, model.hidden, 1, InputGroup::kMiddle}};
}

std::int64_t attention_bias(const Architecture& model, const Attention& attention) {
  std::int64_t count = 0;
  if (attention.qkv_bias) count += (attention.heads + 2 * attention.kv_heads) * attention.head_dim;
  if (attention.output_bias) count += model.hidden;
  if (attention.sinks) count += attention.heads;
  return count;
}

std::int64_t inner_norms(const Attention& attention) {
  if (attention.latent) return attention.latent->query_rank + attention.latent->kv_rank;
  if (attention.qk_norm == "per_head") return 2 * attention.head_dim;
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
std::int64_t mamba_rest(const Mamba& mamba) {
  const std::int64_t channels = inner_width(mamba) + 2 * mamba.groups * mamba.state;
  return channels * mamba.conv_kernel + (mamba.conv_bias ? channels : 0) + 3 * mamba.heads +
         inner_width(mamba);
}

std::int64_t sum_parameters(const Linears& list) {
  std::int64_t sum = 0;
  for (const Linear& linear : list) sum += linear.parameters();
  return sum;
}

void add_moe(const Architecture& model, const Moe& moe, std::int64_t count,
             ComponentCounts& counts) {
  const std::int64_t one = expert_size(model, moe);
  counts.experts += count * one * moe.experts;
  counts.inactive_experts += count * one * (moe.experts - moe.experts_per_token);
  counts.router += count * (model.hidden * moe.experts + (moe.router_bias ? moe.experts : 0));
  if (moe.latent_size > 0) counts.latent += count * 2 * model.hidden * moe.latent_size;
  counts.shared += count * ((moe.gated ? 3 : 2) * model.hidden * moe.shared_width +
                            (moe.shared_gate ? model.hidden : 0));
}

void add_counts(const Architecture& model, const Block& block, std::int64_t count,
                ComponentCounts& counts) {
  counts.norms += count * block.norms * final_norm_parameters(model);
  if (block.attention) {
    const std::int64_t bias = attention_bias(model, *block.attention);
    counts.attention += count * (sum_parameters(attention_linears(model, *block.attention)) + bias);
    counts.biases += count * bias;
    counts.norms += count * inner_norms(*block.attention);
  }
  if (block.mlp) {
    const std::int64_t bias =
        block.mlp->bias ? block.mlp->width * (block.mlp->gated ? 2 : 1) + model.hidden : 0;
    counts.mlp += count * (sum_parameters(mlp_linears(model, *block.mlp)) + bias);
    counts.biases += count * bias;
  }
  if (block.moe) add_moe(model, *block.moe, count, counts);
  if (block.mamba) {
    const std::int64_t rest = mamba_rest(*block.mamba);
    counts.mamba += count * (sum_parameters(mamba_linears(model, *block.mamba)) + rest);
    counts.mixers += count * rest;
  }
}

constexpr std::array<std::string_view, 21> kProjectionNames = {
    "down_proj", "embed_tokens",     "fc1_latent_proj",  "fc2_latent_proj", "gate_proj",
    "in_proj",   "k_proj",           "kv_a_proj",        "kv_b_proj",       "lm_head",
    "o_proj",    "out_proj",         "q_a_proj",         "q_b_proj",        "q_proj",
    "router",    "shared_down_proj", "shared_gate_proj", "shared_up_proj",  "up_proj",
    "v_proj"};
static_assert(kProjectionNames.size() == static_cast<std::size_t>(Projection::kValue) + 1);
static_assert(std::is_sorted(kProjectionNames.begin(), kProjectionNames.end()));

}  // namespace

Sublayers sublayers(const Block& block) {
  Sublayers list;
  if (block.attention) list.push_back(Sublayer::kAttention);
  if (block.mlp) list.push_back(Sublayer::kMlp);
  if (block.moe) list.push_back(Sublayer::kMoe);
  if (block.mamba) list.push_back(Sublayer::kMamba);
  return list;
}

Linears linears(const Architecture& model, const Block& block, Sublayer sublayer) {
  switch (sublayer) {
    case Sublayer::kAttention:
      return attention_linears(model, *block.attention);
    case Sublayer::kMlp:
      return mlp_linears(model, *block.mlp);
    case Sublayer::kMoe:
      return moe_linears(model, *block.moe);
    case Sublayer::kMamba:
      return mamba_linears(model, *block.mamba);
  }
  return {};
}

Linears linears(const Architecture& model, const Block& block) {
  Linears all;
  for (const Sublayer sublayer : sublayers(block)) {
    for (const Linear& linear : linears(model, block, sublayer)) all.push_back(linear);
  }
  return all;
}

std::int64_t ComponentCounts::total() const {
  return embedding + lm_head + attention + mlp + experts + shared + router + latent + mamba + norms;
}

std::int64_t embedding_parameters(const Architecture& model) {
  return (model.vocab + model.learned_positions) * model.hidden +
         (model.embedding_norm ? final_norm_parameters(model) : 0);
}

std::int64_t head_parameters(const Architecture& model) {
  return (model.tied_head ? 0 : model.vocab * model.hidden) + (model.head_bias ? model.vocab : 0);
}

bool has_experts(const Architecture& model) {
  return std::ranges::any_of(model.runs,
                             [](const BlockRun& run) { return run.block.moe.has_value(); });
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
  return {.matrix = counts.attention + counts.mlp + counts.shared + counts.mamba - counts.mixers,
          .matrix_bias = counts.biases,
          .replicated = counts.norms + counts.router + counts.latent + counts.mixers,
          .expert = counts.experts};
}

std::string_view name_of(Projection projection) {
  return kProjectionNames[static_cast<std::size_t>(projection)];
}

std::optional<Projection> projection_named(std::string_view name) {
  const auto found = std::lower_bound(kProjectionNames.begin(), kProjectionNames.end(), name);
  if (found == kProjectionNames.end() || *found != name) return std::nullopt;
  return static_cast<Projection>(found - kProjectionNames.begin());
}

std::vector<std::string> names_of(const Projections& projections) {
  std::vector<std::string> names;
  for (const std::string_view name : kProjectionNames) {
    if (projections.contains(*projection_named(name))) names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> projections_behind(const std::string& alias) {
  static const std::vector<std::string> kQkv{"q_proj", "k_proj", "v_proj"};
  static const std::vector<std::string> kGateUp{"gate_proj", "up_proj"};
  static const std::map<std::string, std::vector<std::string>> kAliases = {
      {"qkv_proj", kQkv},
      {"query_key_value", kQkv},
      {"Wqkv", kQkv},
      {"c_attn", kQkv},
      {"linear_qkv", kQkv},
      {"wq", {"q_proj"}},
      {"wk", {"k_proj"}},
      {"wv", {"v_proj"}},
      {"wo", {"o_proj"}},
      {"dense", {"o_proj"}},
      {"linear_proj", {"o_proj"}},
      {"output_proj", {"o_proj"}},
      {"gate_up_proj", kGateUp},
      {"linear_fc1", kGateUp},
      {"fc1", {"up_proj"}},
      {"c_fc", {"up_proj"}},
      {"dense_h_to_4h", {"up_proj"}},
      {"fc2", {"down_proj"}},
      {"linear_fc2", {"down_proj"}},
      {"dense_4h_to_h", {"down_proj"}},
      {"w1", {"gate_proj"}},
      {"w2", {"down_proj"}},
      {"w3", {"up_proj"}},
      {"kv_a_proj_with_mqa", {"kv_a_proj"}},
      {"output", {"lm_head"}},
  };
  const auto found = kAliases.find(alias);
  return found == kAliases.end() ? std::vector<std::string>{} : found->second;
}

}  // namespace sizesheet
