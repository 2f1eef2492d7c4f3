// SPDX-License-Identifier: Apache-2.0
#include "sizing/stack_merge.h"

#include <algorithm>
#include <string_view>

namespace sizesheet {

const char* name_of(Spread spread) {
  switch (spread) {
    case Spread::kSingle:
      return "single";
    case Spread::kDdp:
      return "ddp";
    case Spread::kSharded:
      return "sharded";
  }
  return "";
}

namespace {

const Json& value_for(const AppliedSetting& applied, Spread spread) {
  if (applied.alternative) return *applied.value;
  for (const StackSetting::Variant& variant : applied.setting->variants) {
    if (variant.when == name_of(spread)) return variant.value;
  }
  return *applied.value;
}

/// What a user wrote where an object belongs is left for the reader to refuse.
bool has_room(const Json& user, const std::string& key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return true;
  const Json& parent = at_dotted(user, key.substr(0, dot));
  return parent.is_null() || parent.is_object();
}

/// Takes the part before the first dot off `left`.
std::string_view next_part(std::string_view& left) {
  const std::string_view part = left.substr(0, left.find('.'));
  left.remove_prefix(std::min(left.size(), part.size() + 1));
  return part;
}

}  // namespace

void set_dotted(Json& object, const std::string& key, const Json& value) {
  Json* place = &object;
  for (std::string_view left = key; !left.empty();) {
    if (place->is_null()) *place = Json::object();
    place = &(*place)[std::string(next_part(left))];
  }
  *place = value;
}

const Json& at_dotted(const Json& object, const std::string& key) {
  static const Json kNull;
  const Json* place = &object;
  for (std::string_view left = key; !left.empty();) {
    if (!place->is_object()) return kNull;
    const auto found = place->find(next_part(left));
    if (found == place->end()) return kNull;
    place = &*found;
  }
  return *place;
}

bool same_practice(const AppliedSettings& practice, Spread one, Spread other) {
  return std::all_of(practice.begin(), practice.end(), [&](const AppliedSetting& applied) {
    return &value_for(applied, one) == &value_for(applied, other);
  });
}

MergedRequest merge_stack(const Json& user, const AppliedSettings& practice, Spread spread) {
  MergedRequest merged{user, {}};
  for (const AppliedSetting& applied : practice) {
    const StackSetting& setting = *applied.setting;
    if (!at_dotted(user, setting.key).is_null() || !has_room(user, setting.key)) continue;
    const Json& value = value_for(applied, spread);
    if (value.is_null()) continue;
    set_dotted(merged.request, setting.key, value);
    if (!setting.trap.empty() && !applied.alternative) {
      merged.traps.push_back({setting.key, setting.trap, setting.trap_value});
    }
  }
  return merged;
}

}  // namespace sizesheet
