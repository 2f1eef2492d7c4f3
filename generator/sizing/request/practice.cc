// SPDX-License-Identifier: Apache-2.0
// A stack's practice under a request: what of it applies, what it leaves open, and where it lies.

#include <algorithm>
#include <string_view>

#include "sizing/request/question.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What a stack does in supervised fine-tuning and cannot do for GRPO: lengths follow from what is
/// generated, and the policy needs the log-probability of each token, which losses in chunks or
/// fused with the head do not hand out.
void put_under_grpo(AppliedSettings& practice) {
  static const Json kWhole = "hf-amp";
  std::erase_if(practice, [](const AppliedSetting& applied) {
    return applied.setting->key == "workload.seq_len" || applied.setting->key == "workload.packed";
  });
  for (AppliedSetting& applied : practice) {
    if (applied.setting->key != "kernels.loss") continue;
    applied.has_alternatives = false;
    if (*applied.value == "fused-linear" || *applied.value == "chunked") applied.value = &kWhole;
  }
}

/// An objective has a loss of its own, and most compare whole sequences.
void put_under_objective(AppliedSettings& practice, const TrainingFacts& facts) {
  std::erase_if(practice, [&](const AppliedSetting& applied) {
    const std::string& key = applied.setting->key;
    return key == "kernels.loss" || (key == "workload.packed" && !facts.packs);
  });
}

/// "kernels.loss" is key loss of object kernels, "state" a key of the request itself.
struct KeyPath {
  explicit KeyPath(std::string_view path) : key(path) {
    const std::size_t dot = path.find('.');
    if (dot == std::string_view::npos) return;
    object = path.substr(0, dot);
    key = path.substr(dot + 1);
  }

  std::string_view object;
  std::string_view key;
};

}  // namespace

AppliedSettings applicable(const std::vector<StackSetting>& settings, const Json& request,
                           const Question& question) {
  AppliedSettings practice(settings.begin(), settings.end());
  const bool experts = has_experts(*question.model);
  if (!at_dotted(request, "grpo").is_null()) put_under_grpo(practice);
  if (question.training) put_under_objective(practice, question.training->facts());
  const auto own = [&](const char* key) { return !at_dotted(request, key).is_null(); };
  const bool own_batch = own("workload.global_batch") || own("grpo.prompts_per_step");
  const bool full = question.kind == "full";
  std::erase_if(practice, [&](const AppliedSetting& applied) {
    const std::string_view key = applied.setting->key;
    if (full && starts_with(key, "method.")) return true;
    if (key == "optimizer_foreach" && request.contains("optimizer")) return true;
    if (key == "workload.grad_accum" && own_batch) return true;
    if (key == "workload.packed" && own("workload.batching")) return true;
    return !experts && (key == "method.experts" || key == "method.quantize_experts");
  });
  return practice;
}

std::vector<AppliedSettings> alternatives_of(const AppliedSettings& practice, const Json& request) {
  std::vector<AppliedSettings> all{practice};
  for (const char* key : {"kernels.recompute", "kernels.loss"}) {
    if (!at_dotted(request, key).is_null()) continue;
    std::vector<AppliedSettings> extended;
    for (const AppliedSettings& one : all) {
      extended.push_back(one);
      for (std::size_t i = 0; i < one.size(); ++i) {
        if (one[i].setting->key != key || !one[i].has_alternatives) continue;
        for (const StackSetting::Alternative& other : one[i].setting->alternatives) {
          extended.push_back(one);
          extended.back()[i].value = &other.value;
          extended.back()[i].alternative = true;
        }
      }
    }
    all = std::move(extended);
  }
  all.erase(all.begin());
  return all;
}

const Json& value_for(const AppliedSetting& applied, Spread spread) {
  if (applied.alternative) return *applied.value;
  for (const StackSetting::Variant& variant : applied.setting->variants) {
    if (variant.when == id_of(kSpreads, spread)) return variant.value;
  }
  return *applied.value;
}

std::vector<Underlaid> laid_under(const AppliedSettings& practice, Spread spread) {
  std::vector<Underlaid> under;
  under.reserve(practice.size());
  for (const AppliedSetting& applied : practice) {
    const Json& value = value_for(applied, spread);
    if (value.is_null()) continue;
    const KeyPath path(applied.setting->key);
    under.push_back({path.object, path.key, &value});
  }
  std::ranges::stable_sort(under, {}, &Underlaid::object);
  return under;
}

const Json& practised_value(const Json& user, const AppliedSetting& applied, Spread spread) {
  static const Json kNothing;
  const KeyPath path(applied.setting->key);
  const Json* parent = &user;
  if (!path.object.empty()) {
    const auto found = user.find(path.object);
    if (found == user.end() || found->is_null()) return value_for(applied, spread);
    // What a user wrote where an object belongs is left for the reader to refuse.
    if (!found->is_object()) return kNothing;
    parent = &*found;
  }
  const auto own = parent->find(path.key);
  const bool open = own == parent->end() || own->is_null();
  return open ? value_for(applied, spread) : kNothing;
}

Json merge_stack(const Json& user, const AppliedSettings& practice, Spread spread) {
  Json merged = user;
  for (const AppliedSetting& applied : practice) {
    const Json& value = practised_value(user, applied, spread);
    if (!value.is_null()) set_dotted(merged, applied.setting->key, value);
  }
  return merged;
}

}  // namespace sizesheet
