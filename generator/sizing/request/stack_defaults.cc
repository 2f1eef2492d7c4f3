// SPDX-License-Identifier: Apache-2.0
#include "sizing/request/stack_defaults.h"

#include <algorithm>
#include <string_view>

#include "catalog/facts/gpu.h"
#include "catalog/facts/method.h"
#include "sizing/model/parameters.h"
#include "sizing/request/question.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Whether a variant that does not depend on the layout holds for the model and the card.
bool holds(const StackSetting::Variant& variant, const Question& question) {
  if (!variant.of_question()) return false;
  if (variant.when == "routed") return has_experts(*question.model);
  if (question.gpu == nullptr) return false;
  if (!variant.vendor.empty()) return question.gpu->vendor == variant.vendor;
  const std::optional<double>& capability = question.gpu->compute_capability;
  return capability && variant.compute_capability &&
         variant.compute_capability->low <= *capability &&
         *capability <= variant.compute_capability->high;
}

}  // namespace

AppliedSettings applicable(const std::vector<StackSetting>& settings, const Json& request,
                           const Question& question) {
  const auto own = [&](const char* key) { return !at_dotted(request, key).is_null(); };
  const bool full = question.kind == "full";
  const bool experts = has_experts(*question.model);
  const bool own_batch = own("workload.global_batch") || own("grpo.prompts_per_step");
  // Under GRPO lengths follow from what is generated. An objective has a loss of its own, and most
  // compare whole sequences.
  const bool generates = own("grpo");
  const bool pairs = question.training && !question.training->facts().packs;
  // A ZeRO file in the place of FSDP: what FSDP gathers is then not the stack's practice.
  const bool zero = at_dotted(request, "state") == "deepspeed";
  AppliedSettings defaults(settings.begin(), settings.end());
  std::erase_if(defaults, [&](const AppliedSetting& applied) {
    const std::string_view key = applied.setting->key;
    if (full && starts_with(key, "method.")) return true;
    if (key == "optimizer_foreach") return request.contains("optimizer");
    if (key == "layout.root_unsharded" || key == "layout.gather_units") return zero;
    if (key == "workload.grad_accum") return own_batch;
    if (key == "workload.micro_batch") return question.varies_micro_batch;
    if (key == "workload.seq_len") return generates;
    if (key == "workload.packed") return generates || pairs || own("workload.batching");
    if (key == "kernels.loss") return question.training.has_value();
    return !experts && (key == "method.experts" || key == "method.quantize_experts" ||
                        key == "kernels.experts");
  });
  for (AppliedSetting& applied : defaults) {
    for (const StackSetting::Variant& variant : applied.setting->variants) {
      if (holds(variant, question)) applied.value = &variant.value;
    }
  }
  if (!generates) return defaults;
  static const Json kWhole = "hf-amp";
  for (AppliedSetting& applied : defaults) {
    if (applied.setting->key != "kernels.loss") continue;
    // The policy needs the log-probability of each token, which losses in chunks or fused with the
    // head do not hand out.
    applied.has_alternatives = false;
    if (*applied.value == "fused-linear" || *applied.value == "chunked") applied.value = &kWhole;
  }
  return defaults;
}

std::vector<AppliedSettings> alternatives_of(const AppliedSettings& defaults, const Json& request) {
  std::vector<AppliedSettings> all{defaults};
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

std::vector<DefaultValue> defaults_for(const AppliedSettings& defaults, Spread spread) {
  std::vector<DefaultValue> under;
  under.reserve(defaults.size());
  for (const AppliedSetting& applied : defaults) {
    const Json& value = value_for(applied, spread);
    if (value.is_null()) continue;
    // "kernels.loss" is key loss of object kernels, "state" a key of the request itself.
    const std::string_view path = applied.setting->key;
    const std::size_t dot = path.find('.');
    const bool inner = dot != std::string_view::npos;
    under.push_back(
        {inner ? path.substr(0, dot) : "", inner ? path.substr(dot + 1) : path, &value});
  }
  std::ranges::stable_sort(under, {}, &DefaultValue::object);
  return under;
}

const Json& default_value(const Json& user, const AppliedSetting& applied, Spread spread) {
  static const Json kNothing;
  const bool open = at_dotted(user, applied.setting->key).is_null();
  return open ? value_for(applied, spread) : kNothing;
}

Json merge_stack(const Json& user, const AppliedSettings& defaults, Spread spread) {
  Json merged = user;
  for (const AppliedSetting& applied : defaults) {
    const Json& value = default_value(user, applied, spread);
    if (!value.is_null()) set_dotted(merged, applied.setting->key, value);
  }
  return merged;
}

}  // namespace sizesheet
