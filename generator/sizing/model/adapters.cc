// SPDX-License-Identifier: Apache-2.0
#include "sizing/model/adapters.h"

#include <algorithm>
#include <cmath>

#include "catalog/models/architecture.h"
#include "sizing/model/parameters.h"
#include "sizing/model/projections.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// One adapted module: several projections when the checkpoint or the framework fuses them.
struct Module {
  Projection first = Projection::kQuery;  ///< of those fused
  bool expert = false;
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t copies = 1;
  bool hit = false;
};

using Modules = boost::container::static_vector<Module, 24>;

/// Which projections share a module.
struct Fusion {
  bool qkv = false;
  bool gate_up = false;
};

Fusion fusion_of(const Architecture& model, FusedModules fused) {
  const auto in_checkpoint = [&](const std::string& name) {
    return fused == FusedModules::kCheckpoint && contains(model.fused_linears, name);
  };
  const bool megatron = fused == FusedModules::kMegatron;
  return {megatron || in_checkpoint("qkv_proj") || in_checkpoint("query_key_value"),
          megatron || in_checkpoint("gate_up_proj")};
}

/// The first projection of the module that holds this one.
Projection first_of_module(Projection projection, const Fusion& fusion) {
  constexpr Projections kQkv{Projection::kQuery, Projection::kKey, Projection::kValue};
  constexpr Projections kGateUp{Projection::kGate, Projection::kUp};
  constexpr Projections kSharedGateUp{Projection::kSharedGate, Projection::kSharedUp};
  if (fusion.qkv && kQkv.contains(projection)) return Projection::kQuery;
  if (fusion.gate_up && kGateUp.contains(projection)) return Projection::kGate;
  if (fusion.gate_up && kSharedGateUp.contains(projection)) return Projection::kSharedGate;
  return projection;
}

Modules modules_of(const Architecture& model, const Block& block, const AdapterSpec& spec,
                   const Fusion& fusion) {
  Modules found;
  for (const Linear& linear : linears(model, block)) {
    const Projection first = first_of_module(linear.name, fusion);
    auto place = std::ranges::find_if(found, [&](const Module& known) {
      return known.first == first && known.expert == linear.expert;
    });
    if (place == found.end()) found.push_back({first, linear.expert});
    Module& module = *place;
    module.in = linear.in;
    module.out += linear.out;
    module.copies = linear.copies;
    module.hit =
        module.hit || (linear.expert ? spec.experts != "none" : spec.targets.contains(linear.name));
  }
  return found;
}

}  // namespace

AdapterCounts count_adapters(const Architecture& model, const AdapterSpec& spec, bool has_embedding,
                             bool has_head) {
  AdapterCounts counts;
  const auto add = [&](const Module& module, std::int64_t matrices) {
    const std::int64_t magnitudes = spec.magnitudes ? module.out : 0;
    (module.expert ? counts.expert : counts.dense) +=
        matrices * (spec.rank * (module.in + module.out) + magnitudes);
    counts.rows += matrices * (spec.rank + module.out);
    counts.columns += matrices * (module.in + spec.rank);
    counts.vectors += matrices * magnitudes;
  };
  const Fusion fusion = fusion_of(model, spec.fused);
  for (const BlockRun& run : model.runs) {
    for (const Module& module : modules_of(model, run.block, spec, fusion)) {
      if (!module.hit) continue;
      add(module, run.count * (spec.experts == "per-expert" && module.expert ? module.copies : 1));
    }
  }
  if (has_embedding && spec.targets.contains(Projection::kEmbedding)) {
    add({.in = model.vocab, .out = model.hidden}, 1);
  }
  if (has_head && spec.targets.contains(Projection::kHead)) {
    add({.in = model.hidden, .out = model.vocab}, 1);
  }
  return counts;
}

Projections projections_of(const Architecture& model) {
  Projections found;
  for (const BlockRun& run : model.runs) {
    for (const Linear& linear : linears(model, run.block)) {
      if (!linear.expert) found.insert(linear.name);
    }
  }
  return found;
}

Projections possible_targets(const Architecture& model) {
  Projections all = projections_of(model);
  all.insert(Projection::kHead);
  all.insert(Projection::kEmbedding);
  return all;
}

Projections projections_meant(const Architecture& model, const std::string& target) {
  const Projections known = possible_targets(model);
  const auto own = projection_named(target);
  if (own && known.contains(*own)) return {*own};
  Projections found;
  for (const std::string& alias : projections_behind(target)) {
    const auto behind = projection_named(alias);
    if (behind && known.contains(*behind)) found.insert(*behind);
  }
  return found;
}

Projections preset_targets(const Architecture& model, const std::string& preset) {
  Projections all = projections_of(model);
  const bool latent = all.contains(Projection::kKvUp);
  if (preset == "all-linear") {
    all.erase(Projection::kRouter);
    if (has_mamba(model)) all.erase(Projection::kMixerOut);
    return all;
  }
  if (preset == "attention") {
    Projections attention;
    for (const Projection one :
         {Projection::kQuery, Projection::kKey, Projection::kValue, Projection::kOutput,
          Projection::kOutputGate, Projection::kQueryDown, Projection::kQueryUp,
          Projection::kKvDown, Projection::kKvUp}) {
      if (all.contains(one)) attention.insert(one);
    }
    return attention;
  }
  if (preset != "qv") return {};
  if (!latent) return {Projection::kQuery, Projection::kValue};
  const bool compressed = all.contains(Projection::kQueryUp);
  return {compressed ? Projection::kQueryUp : Projection::kQuery, Projection::kKvUp};
}

}  // namespace sizesheet
