// SPDX-License-Identifier: Apache-2.0
#include "catalog/facts/engine_constants.h"

#include <algorithm>
#include <set>

#include "catalog/facts/gpu.h"
#include "catalog/facts/gpu_speed.h"
#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kBytes{0, 1024};

/// "overhead.context_gib": a group and a name in it.
std::string read_constant_id(ObjectReader& row) {
  const std::string id = read_filled_text(row, "id");
  const std::vector<std::string> parts = split(id, '.');
  const bool fine =
      parts.size() == 2 && !parts[0].empty() && !parts[1].empty() &&
      id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == std::string::npos;
  if (!id.empty() && !fine) row.mismatch("id", "an id such as overhead.context_gib", id);
  return id;
}

Constant read_constant(ObjectReader& row) {
  const Json& id = row.raw("id");
  const auto index = index_of_constant(id.is_string() ? id.get<std::string>() : "");
  const auto range = index ? kEngineNames[*index].range : Bounds<double>{};
  const auto constant = read_members<Constant>(row, {.numbers = range, .id = read_constant_id});
  read_date(row, "date");
  row.done();
  return constant;
}

StateRecipe read_recipe(ObjectReader reader, const std::string& id) {
  auto recipe = read_entry<StateRecipe>(
      reader,
      {.numbers = kBytes,
       .bounds = {{"live_parameters", {0, 1e15}}},
       .may_lack = {"autocast_cache", "bf16_moments", "persistent_gradients", "live_parameters",
                    "persistent_when_zero3", "step_gradient_copy", "ddp_bucket", "reduces_in_fp32",
                    "fp16_gradient_copies", "transformer_engine", "own_optimizer", "capped_slack",
                    "pipeline_zero1", "with_bf16_gradients"}});
  recipe.id = id;
  return recipe;
}

OptimizerCost read_optimizer(ObjectReader reader, const std::string& id) {
  auto cost = read_entry<OptimizerCost>(
      reader,
      {.numbers = kBytes,
       .may_lack = {"matrix_bf16", "embedding_bf16", "vector_bf16", "per_row", "per_column",
                    "step_per_largest_matrix", "step_tensors", "step_bytes_16bit", "step_bytes"}});
  cost.id = id;
  return cost;
}

/// The rows under `key`, every id once.
std::vector<ObjectReader> rows_of(ObjectReader& reader, const std::string& key) {
  std::vector<ObjectReader> rows = read_rows(reader, key);
  check_unique(rows, "id", "an id");
  return rows;
}

/// Rows that hold one object of values for each of the two sets.
template <typename T, typename Read>
void read_pairs(ObjectReader& reader, const std::string& key, std::map<std::string, T>& reference,
                std::map<std::string, T>& current, const Read& read) {
  for (ObjectReader& row : rows_of(reader, key)) {
    const std::string id = read_id(row, "id");
    read_filled_text(row, "reason");
    read_source(row);
    read_date(row, "date");
    reference[id] = read(row.object("reference"), id);
    current[id] = read(row.object("current"), id);
    row.done();
  }
}

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

/// A recipe may name another one.
void check_recipes(const EngineCatalog& engine, const std::string& file, Faults& faults) {
  const auto& recipes = engine.current.recipes;
  for (const auto& [place, row] : at_dotted(engine.raw, "recipes").items()) {
    for (const std::string set : {"reference", "current"}) {
      const Json& named = at_dotted(row, set + ".with_bf16_gradients");
      if (!named.is_string() || recipes.contains(named.get<std::string>())) continue;
      faults.add(file, "/recipes/" + place + "/" + set + "/with_bf16_gradients",
                 not_in_catalog("state recipe", named.get<std::string>(), keys_of(recipes)));
    }
  }
}

}  // namespace

void refuse_missing(ConstantName name) {
  throw InputError("no engine constant " + in_quotes(kEngineNames[name.index()].id));
}

EngineCatalog read_engine(ObjectReader reader, SpeedsIn speeds) {
  EngineCatalog engine;
  engine.raw = reader.whole();
  EngineConstants& reference = engine.reference;
  EngineConstants& current = engine.current;
  for (ObjectReader& row : rows_of(reader, "constants")) {
    const Constant constant = read_constant(row);
    if (const auto index = index_of_constant(constant.id)) {
      reference.values[*index] = constant.reference;
      current.values[*index] = constant.current;
    }
    engine.constants.push_back(constant);
  }
  read_pairs(reader, "recipes", reference.recipes, current.recipes, read_recipe);
  read_pairs(reader, "optimizers", reference.optimizers, current.optimizers, read_optimizer);
  read_pairs(reader, "losses", reference.losses, current.losses,
             [](ObjectReader row, const std::string&) {
               return read_entry<LossCost>(row, {.numbers = kBytes});
             });
  if (speeds == SpeedsIn::kEngine && reader.raw("speeds") != Json::array()) {
    for (ObjectReader& row : rows_of(reader, "speeds")) {
      const std::string id = read_id(row, "id");
      current.speeds[id] = reference.speeds[id] = read_speed(row);
    }
  } else if (speeds == SpeedsIn::kFilesOfCards && !reader.raw("speeds").is_null()) {
    reader.fault("speeds",
                 "expected no such key: the speed of a card is in the card's own file now; move "
                 "each entry without its id to \"speed\" of gpus/ID.json");
  }
  reader.done();
  return engine;
}

void add_speeds(const std::map<std::string, Gpu>& gpus, EngineCatalog& engine) {
  if (!engine.raw.is_object()) return;
  Json& all = engine.raw["speeds"] = Json::array();
  for (const auto& [id, gpu] : gpus) {
    if (!gpu.speed) continue;
    engine.current.speeds[id] = engine.reference.speeds[id] = *gpu.speed;
    Json& row = all.emplace_back(gpu.speed_raw);
    row["id"] = id;
  }
}

std::vector<std::string> engine_constant_names() {
  std::vector<std::string> names = each_of(kEngineNames, &EngineName::id);
  std::ranges::sort(names);
  return names;
}

void check_engine_names(const EngineCatalog& engine, const std::string& file, Faults& faults) {
  const std::vector<std::string> known = engine_constant_names();
  std::set<std::string> present;
  for (std::size_t i = 0; i < engine.constants.size(); ++i) {
    const std::string& id = engine.constants[i].id;
    present.insert(id);
    if (id.empty() || index_of_constant(id)) continue;
    faults.add(file, "/constants/" + std::to_string(i) + "/id",
               "no constant of the engine is called " + shown(id) + did_you_mean(id, known));
  }
  check_present(known, present, "constants", file, faults);
  check_recipes(engine, file, faults);
  check_present({"hf-amp"}, engine.current.recipes, "recipes", file, faults);
  check_present({"adamw"}, engine.current.optimizers, "optimizers", file, faults);
  std::vector<std::string> losses = each_of(kLossNames, &LossName::id);
  losses.emplace(losses.begin(), kCompiledChunks);
  check_present(losses, engine.current.losses, "losses", file, faults);
}

}  // namespace sizesheet
