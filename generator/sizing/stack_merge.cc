// SPDX-License-Identifier: Apache-2.0
#include "sizing/stack_merge.h"

#include "support/text.h"

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

const Json& value_for(const StackSetting& setting, Spread spread) {
  for (const StackSetting::Variant& variant : setting.variants) {
    if (variant.when == name_of(spread)) return variant.value;
  }
  return setting.value;
}

/// What a user wrote where an object belongs is left for the reader to refuse.
bool has_room(const Json& user, const std::string& key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return true;
  const Json& parent = at_dotted(user, key.substr(0, dot));
  return parent.is_null() || parent.is_object();
}

}  // namespace

void set_dotted(Json& object, const std::string& key, const Json& value) {
  Json* place = &object;
  for (const std::string& part : split(key, '.')) {
    if (place->is_null()) *place = Json::object();
    place = &(*place)[part];
  }
  *place = value;
}

const Json& at_dotted(const Json& object, const std::string& key) {
  static const Json kNull;
  const Json* place = &object;
  for (const std::string& part : split(key, '.')) {
    if (!place->is_object() || !place->contains(part)) return kNull;
    place = &place->at(part);
  }
  return *place;
}

MergedRequest merge_stack(const Json& user, const std::vector<StackSetting>& settings,
                          Spread spread) {
  MergedRequest merged{user, {}};
  for (const StackSetting& setting : settings) {
    if (!at_dotted(user, setting.key).is_null() || !has_room(user, setting.key)) continue;
    const Json& value = value_for(setting, spread);
    if (value.is_null()) continue;
    set_dotted(merged.request, setting.key, value);
    if (!setting.trap.empty())
      merged.traps.push_back({setting.key, setting.trap, setting.trap_value});
  }
  return merged;
}

}  // namespace sizesheet
