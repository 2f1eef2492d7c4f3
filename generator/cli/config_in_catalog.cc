// SPDX-License-Identifier: Apache-2.0
#include "cli/config_in_catalog.h"

#include <vector>

#include "catalog/model_names.h"
#include "catalog/models/architecture.h"
#include "sizing/model/adapters.h"
#include "sizing/model/parameters.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kTargets = "method.targets";

/// A remark at the key of the file that a key of the request comes from.
ConfigRemark remark_on(const ConfigReading& reading, const std::string& key,
                       const std::string& words) {
  const auto use = reading.uses.find(key);
  const bool said = use != reading.uses.end() && !use->second.key.empty();
  return {said ? use->second.place : reading.file, said ? use->second.key : key, words};
}

/// Whether a module of a checkpoint that fuses projections is named, and this one does not.
bool is_fused_elsewhere(const Architecture& model, const std::string& target) {
  const bool fused = contains({"qkv_proj", "gate_up_proj", "query_key_value"}, target);
  return fused && !has_experts(model) && !contains(model.fused_linears, target);
}

}  // namespace

void take_other_models(const ModelNames& names, ConfigReading& reading) {
  for (const char* key : {"objective.teacher", "grpo.value_model", "grpo.reward_model"}) {
    const Json& value = at_dotted(reading.request, key);
    if (!value.is_string()) continue;
    const auto taken = names.meant(value.get<std::string>());
    if (!taken || taken->id == value) continue;
    reading.told.push_back(remark_on(reading, key, taken->words));
    set_dotted(reading.request, key, taken->id);
  }
}

void meet_targets(const Architecture& model, ConfigReading& reading) {
  const Json& targets = at_dotted(reading.request, kTargets);
  if (!targets.is_array()) return;
  Json kept = Json::array();
  std::vector<std::string> absent;
  for (const Json& target : targets) {
    if (!target.is_string()) return;
    const auto name = target.get<std::string>();
    if (projections_meant(model, name).empty() || is_fused_elsewhere(model, name)) {
      absent.push_back(name);
    } else {
      kept.push_back(target);
    }
  }
  if (kept.empty() || absent.empty()) return;
  reading.told.push_back(remark_on(
      reading, kTargets,
      "the model has no " + join(absent, ", ") + "; the framework skips such names, so only " +
          join(kept.get<std::vector<std::string>>(), ", ") + " gets adapters"));
  set_dotted(reading.request, kTargets, kept);
}

}  // namespace sizesheet
