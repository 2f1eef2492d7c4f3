// SPDX-License-Identifier: Apache-2.0
#include "catalog/engine_ranges.h"

#include <algorithm>
#include <set>

#include "support/printable.h"

namespace sizesheet {
namespace {

/// Each of `needed` must stand in `present`.
template <typename Entries>
void check_present(const std::vector<std::string>& needed, const Entries& present, const char* list,
                   const std::string& file, Faults& faults) {
  for (const std::string& name : needed) {
    if (present.contains(name)) continue;
    faults.add(file, std::string("/") + list,
               "expected an entry " + in_quotes(name) + ", which the engine asks for, got none");
  }
}

}  // namespace

std::optional<Bounds<double>> range_of_constant(const std::string& id) {
  const auto index = index_of_constant(id);
  return index ? std::optional(kEngineNames[*index].range) : std::nullopt;
}

std::vector<std::string> engine_constant_names() {
  std::vector<std::string> names;
  for (const EngineName& one : kEngineNames) names.emplace_back(one.id);
  std::sort(names.begin(), names.end());
  return names;
}

void check_engine_names(const EngineCatalog& engine, const std::string& file, Faults& faults) {
  const std::vector<std::string> known = engine_constant_names();
  std::set<std::string> present;
  for (std::size_t i = 0; i < engine.constants.size(); ++i) {
    const std::string& id = engine.constants[i].id;
    present.insert(id);
    if (id.empty() || range_of_constant(id)) continue;
    faults.add(file, "/constants/" + std::to_string(i) + "/id",
               "no constant of the engine is called " + shown(id) + did_you_mean(id, known));
  }
  check_present(known, present, "constants", file, faults);
  check_present({"hf-amp"}, engine.current.recipes, "recipes", file, faults);
  check_present({"adamw"}, engine.current.optimizers, "optimizers", file, faults);
  std::vector<std::string> losses{std::string(kCompiledChunks)};
  for (const LossName& one : kLossNames) losses.emplace_back(one.id);
  check_present(losses, engine.current.losses, "losses", file, faults);
}

}  // namespace sizesheet
