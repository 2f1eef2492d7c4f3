// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/earlier_programs.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "support/json.h"

namespace sizesheet {
namespace {

/// By NVIDIA's compute capability alone; whether a card has fp8 at all followed from its peak.
GpuFormats earlier_formats(const Gpu& gpu) {
  const double capability = gpu.compute_capability.value_or(0);
  GpuFormats formats;
  formats.fp8_any_layout = capability >= 10 && capability < 12;
  if (capability < 10) formats.products.emplace_back("fp8-block");
  if (formats.fp8_any_layout) formats.products.emplace_back("mxfp8");
  if (capability >= 10) formats.products.emplace_back("nvfp4");
  return formats;
}

constexpr std::array kTraits{&StateRecipe::reduces_in_fp32,    &StateRecipe::fp16_gradient_copies,
                             &StateRecipe::transformer_engine, &StateRecipe::own_optimizer,
                             &StateRecipe::capped_slack,       &StateRecipe::pipeline_zero1};

bool has_traits(const StateRecipe& recipe) {
  return !recipe.with_bf16_gradients.empty() ||
         std::ranges::any_of(kTraits, [&](bool StateRecipe::*trait) { return recipe.*trait; });
}

void complete_recipes(std::map<std::string, StateRecipe>& recipes) {
  if (std::ranges::any_of(recipes, has_traits, [](const auto& entry) { return entry.second; })) {
    return;
  }
  for (auto& [id, recipe] : recipes) {
    const bool sums = id == "megatron";
    if (sums || id == "megatron-bf16-grads") {
      recipe.fp16_gradient_copies = recipe.transformer_engine = recipe.own_optimizer = true;
      recipe.reduces_in_fp32 = sums;
      if (sums) recipe.with_bf16_gradients = "megatron-bf16-grads";
    }
    if (id == "deepspeed") recipe.capped_slack = recipe.pipeline_zero1 = true;
  }
}

}  // namespace

void complete_earlier(Catalog& catalog) {
  const auto known = [](const auto& entry) { return entry.second.formats.has_value(); };
  if (std::ranges::none_of(catalog.gpus, known)) {
    for (auto& [id, gpu] : catalog.gpus) gpu.formats = earlier_formats(gpu);
  }
  complete_recipes(catalog.engine.reference.recipes);
  complete_recipes(catalog.engine.current.recipes);
}

void lend_services(Json& inputs, Json& others) {
  const char* key = "services";
  if (inputs.contains(key) == others.contains(key)) return;
  Json& without = inputs.contains(key) ? others : inputs;
  without[key] = inputs.contains(key) ? inputs.at(key) : others.at(key);
}

bool was_known_by_name(const std::string& pointer) {
  static const std::set<std::string> kKeys{"/formats",
                                           "/current/reduces_in_fp32",
                                           "/current/fp16_gradient_copies",
                                           "/current/transformer_engine",
                                           "/current/own_optimizer",
                                           "/current/capped_slack",
                                           "/current/pipeline_zero1",
                                           "/current/with_bf16_gradients"};
  return kKeys.contains(pointer);
}

}  // namespace sizesheet
