// SPDX-License-Identifier: Apache-2.0
#include "config/laid_out.h"

#include <utility>

namespace sizesheet {
namespace {

constexpr int kMostParts = 8;  ///< one in another

std::string below(const std::string& under, const std::string& name) {
  return under.empty() || !is_of_file(name) ? name : under + "." + name;
}

/// The object with the names of its keys put below `under`.
Json named_below(const std::string& under, const Json& object) {
  Json named = Json::object();
  for (const auto& [name, value] : object.items()) named[below(under, name)] = value;
  return named;
}

Json work_below(const std::string& under, const Json& work) {
  if (work.is_string()) return below(under, work.get<std::string>());
  if (!work.is_array()) return work;
  Json named = Json::array({work.front()});
  for (std::size_t i = 1; i < work.size(); ++i) named.push_back(work_below(under, work[i]));
  return named;
}

std::map<std::string, std::string> words_below(const std::string& under,
                                               const std::map<std::string, std::string>& words) {
  std::map<std::string, std::string> named;
  for (const auto& [key, text] : words) named[below(under, key)] = text;
  return named;
}

ConfigRule rule_below(const std::string& under, ConfigRule rule) {
  for (Json& one : rule.when) one = named_below(under, one);
  if (rule.set.is_object()) {
    for (Json& value : rule.set) {
      if (!value.is_object()) continue;
      if (value.contains("of")) value["of"] = below(under, value.at("of").get<std::string>());
      if (value.contains("work")) value["work"] = work_below(under, value.at("work"));
    }
  }
  rule.told = words_below(under, rule.told);
  rule.refused = words_below(under, rule.refused);
  return rule;
}

void add(const std::string& id, const std::map<std::string, ConfigFormat>& formats,
         const Json& file, const std::string& under, int left, LaidOutFormat& all) {
  const auto found = formats.find(id);
  if (found == formats.end() || left == 0) return;
  const ConfigFormat& format = found->second;
  for (const ConfigKey& key : format.keys) {
    all.keys.push_back(key);
    for (std::string& name : all.keys.back().names) name = below(under, name);
  }
  const auto add_parts = [&](bool last) {
    for (const ConfigPart& part : format.parts) {
      if (part.last != last) continue;
      const std::string place = part.under.empty() ? under : below(under, part.under);
      const Json* mapping = place.empty() ? &file : at_path(file, place);
      if (mapping == nullptr || !mapping->is_object()) continue;
      add(part.id, formats, file, place, left - 1, all);
    }
  };
  add_parts(false);
  for (const ConfigRule& rule : format.rules) all.rules.push_back(rule_below(under, rule));
  add_parts(true);
  for (const std::string& name : format.passed_over) all.passed_over.push_back(below(under, name));
}

}  // namespace

LaidOutFormat laid_out(const std::string& id, const std::map<std::string, ConfigFormat>& formats,
                       const Json& file) {
  LaidOutFormat all;
  add(id, formats, file, "", kMostParts, all);
  for (std::size_t i = 0; i < all.keys.size(); ++i) {
    for (const std::string& name : all.keys[i].names) all.by_name[name].push_back(i);
  }
  return all;
}

}  // namespace sizesheet
