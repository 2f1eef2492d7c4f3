// SPDX-License-Identifier: Apache-2.0
#include "support/value_texts.h"

#include <algorithm>

#include "support/error.h"
#include "support/json.h"
#include "support/values.h"

namespace sizesheet {
namespace {

struct KeyKind {
  const char* key;
  const ValueKind& (*kind)();
};

constexpr KeyKind kKeyKinds[] = {{"adapter_tokens", tokens_kind},
                                 {"capex_usd_per_node", dollars_kind},
                                 {"colo_usd_per_kw_month", dollars_kind},
                                 {"completion_length", length_kind},
                                 {"completion_mean", length_kind},
                                 {"context_gib", memory_kind},
                                 {"checkpoint_hours", hours_kind},
                                 {"communicator_gib", memory_kind},
                                 {"cost_of_capital", share_kind},
                                 {"deadline_hours", hours_kind},
                                 {"dynamic_share", share_kind},
                                 {"evaluation_tokens", tokens_kind},
                                 {"examples", count_kind},
                                 {"failed_share", share_kind},
                                 {"global_batch", count_kind},
                                 {"gpus", count_kind},
                                 {"gpus_per_node", count_kind},
                                 {"grad_accum", count_kind},
                                 {"headroom", share_kind},
                                 {"hours_per_month", hours_kind},
                                 {"idle_power_share", share_kind},
                                 {"licence_usd_per_gpu_year", dollars_kind},
                                 {"max_gpus", count_kind},
                                 {"mean_length", length_kind},
                                 {"micro_batch", count_kind},
                                 {"network_usd_per_gpu", dollars_kind},
                                 {"other_processes_gib", memory_kind},
                                 {"prompt_length", length_kind},
                                 {"rank", count_kind},
                                 {"rent_usd_per_gpu_hour", rate_kind},
                                 {"residual_share", share_kind},
                                 {"sample_length", length_kind},
                                 {"seq_len", length_kind},
                                 {"staff_usd_per_year", dollars_kind},
                                 {"startup_hours", hours_kind},
                                 {"startup_hours_per_node", hours_kind},
                                 {"static_share", share_kind},
                                 {"support_share_per_year", share_kind},
                                 {"tokens", tokens_kind},
                                 {"usd_per_kwh", dollars_kind},
                                 {"utilisation", share_kind}};

constexpr std::string_view kNamesOnly[] = {"model", "ownership", "picks"};

bool is_name_only(const Json& document, const std::string& key) {
  return document.is_object() && std::ranges::find(kNamesOnly, key) != std::end(kNamesOnly);
}

/// The kind of a member that is a text; nullptr for other members.
const ValueKind* kind_of_member(const Json& document, const std::string& key, const Json& value) {
  return document.is_object() && value.is_string() ? kind_of_key(key) : nullptr;
}

void put_values(Json& document, const std::string& file, const std::string& pointer,
                Faults& faults) {
  if (!document.is_structured()) return;
  for (auto& [key, value] : document.items()) {
    const std::string place = pointer + "/" + key;
    if (is_name_only(document, key)) continue;
    const ValueKind* kind = kind_of_member(document, key, value);
    if (kind == nullptr) {
      put_values(value, file, place, faults);
      continue;
    }
    const ReadValue read = read_value(value.get_ref<const std::string&>(), *kind);
    if (!read.value) {
      faults.add(file, place, read.fault);
    } else if (kind->whole) {
      value = static_cast<std::int64_t>(*read.value);
    } else {
      value = *read.value;
    }
  }
}

}  // namespace

const ValueKind* kind_of_key(std::string_view key) {
  const auto found =
      std::ranges::find_if(kKeyKinds, [&](const KeyKind& known) { return key == known.key; });
  return found == std::end(kKeyKinds) ? nullptr : &found->kind();
}

bool has_value_text(const Json& document) {
  if (!document.is_structured()) return false;
  for (const auto& [key, value] : document.items()) {
    if (is_name_only(document, key)) continue;
    if (kind_of_member(document, key, value) != nullptr || has_value_text(value)) return true;
  }
  return false;
}

Json with_values(const Json& document, const std::string& file, Faults& faults) {
  Json read = document;
  put_values(read, file, "", faults);
  return read;
}

Json request_with_values(const Json& request) {
  Faults faults;
  Json read = with_values(request, "", faults);
  if (!faults.empty()) throw InputError(faults.request_text());
  return read;
}

}  // namespace sizesheet
