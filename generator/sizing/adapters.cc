// SPDX-License-Identifier: Apache-2.0
#include "sizing/adapters.h"

#include <algorithm>
#include <map>

namespace sizesheet {
namespace {

/// One adapted module: several projections when the checkpoint or the framework fuses them.
struct Module {
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t copies = 1;
  bool hit = false;
  bool expert = false;
};

bool has(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// The module that holds this projection.
std::string module_of(const Linear& linear, const std::string& fused, const Architecture& model) {
  const std::string name(linear.name);
  const std::string prefix = linear.expert ? "expert." : "";
  const bool megatron = fused == "megatron";
  const bool checkpoint = fused == "checkpoint";
  const bool qkv = megatron || (checkpoint && (has(model.fused_linears, "qkv_proj") ||
                                               has(model.fused_linears, "query_key_value")));
  const bool gate_up = megatron || (checkpoint && has(model.fused_linears, "gate_up_proj"));
  if (qkv && (name == "q_proj" || name == "k_proj" || name == "v_proj")) return "qkv";
  if (gate_up && (name == "gate_proj" || name == "up_proj")) return prefix + "gate_up";
  if (gate_up && (name == "shared_gate_proj" || name == "shared_up_proj")) return "shared_gate_up";
  return prefix + name;
}

std::map<std::string, Module> modules(const Architecture& model, const Block& block,
                                      const AdapterSpec& spec) {
  std::map<std::string, Module> found;
  for (const Linear& linear : linears(model, block)) {
    Module& module = found[module_of(linear, spec.fused, model)];
    module.in = linear.in;
    module.out += linear.out;
    module.copies = linear.copies;
    module.expert = linear.expert;
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
  for (const BlockRun& run : model.runs) {
    for (const auto& [name, module] : modules(model, run.block, spec)) {
      if (!module.hit) continue;
      add(module, run.count * (spec.experts == "per-expert" && module.expert ? module.copies : 1));
    }
  }
  if (has_embedding && spec.targets.contains("embed_tokens")) {
    add({.in = model.vocab, .out = model.hidden}, 1);
  }
  if (has_head && spec.targets.contains("lm_head"))
    add({.in = model.hidden, .out = model.vocab}, 1);
  return counts;
}

std::set<std::string, std::less<>> projection_names(const Architecture& model) {
  std::set<std::string, std::less<>> names;
  for (const BlockRun& run : model.runs) {
    for (const Linear& linear : linears(model, run.block)) {
      if (!linear.expert) names.emplace(linear.name);
    }
  }
  return names;
}

std::set<std::string, std::less<>> preset_targets(const Architecture& model,
                                                  const std::string& preset) {
  std::set<std::string, std::less<>> names = projection_names(model);
  const bool latent = names.contains("kv_b_proj");
  if (preset == "all-linear") {
    names.erase("router");
    names.erase("out_proj");
    return names;
  }
  if (preset == "attention") {
    std::set<std::string, std::less<>> attention;
    for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj", "q_a_proj", "q_b_proj",
                             "kv_a_proj", "kv_b_proj"}) {
      if (names.contains(name)) attention.emplace(name);
    }
    return attention;
  }
  if (preset == "qv") {
    if (!latent) return {"q_proj", "v_proj"};
    return {names.contains("q_b_proj") ? "q_b_proj" : "q_proj", "kv_b_proj"};
  }
  return {};
}

}  // namespace sizesheet
