// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/moved_inputs_leaves.h"

#include <map>
#include <set>
#include <utility>

namespace sizesheet {
namespace {

using Places = std::map<std::string, std::size_t>;

/// Element by its text under `key`; nullopt unless every element has one of its own.
std::optional<Places> places_by(const Json& list, const char* key) {
  Places places;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Json& element = list[i];
    if (!element.is_object() || !element.contains(key) || !element.at(key).is_string()) {
      return std::nullopt;
    }
    if (!places.emplace(element.at(key).get<std::string>(), i).second) return std::nullopt;
  }
  return places;
}

class Walk {
 public:
  std::vector<ChangedLeaf> leaves;

  void go(const Json& a, const Json& b, const std::string& pointer) {
    if (a == b) return;
    if (a.is_object() && b.is_object()) return objects(a, b, pointer);
    if (a.is_array() && b.is_array()) return lists(a, b, pointer);
    leaves.push_back({pointer, a, b});
  }

 private:
  void objects(const Json& a, const Json& b, const std::string& pointer) {
    std::set<std::string> keys;
    for (const auto& [key, value] : a.items()) keys.insert(key);
    for (const auto& [key, value] : b.items()) keys.insert(key);
    for (const std::string& key : keys) {
      const std::string place = (Json::json_pointer(pointer) / key).to_string();
      if (a.contains(key) && b.contains(key)) {
        go(a.at(key), b.at(key), place);
      } else if (a.contains(key)) {
        leaves.push_back({place, a.at(key), std::nullopt});
      } else {
        leaves.push_back({place, std::nullopt, b.at(key)});
      }
    }
  }

  void lists(const Json& a, const Json& b, const std::string& pointer) {
    for (const char* key : {"id", "key"}) {
      const auto old_places = places_by(a, key);
      const auto new_places = places_by(b, key);
      if (old_places && new_places) return matched(a, *old_places, b, *new_places, pointer);
    }
    if (a.size() != b.size()) return leaves.push_back({pointer, a, b});
    for (std::size_t i = 0; i < a.size(); ++i) go(a[i], b[i], pointer + "/" + std::to_string(i));
  }

  void matched(const Json& a, const Places& old_places, const Json& b, const Places& new_places,
               const std::string& pointer) {
    for (const auto& [id, place] : new_places) {
      const std::string at = pointer + "/" + std::to_string(place);
      const auto before = old_places.find(id);
      if (before == old_places.end()) {
        leaves.push_back({at, std::nullopt, b[place]});
      } else {
        go(a[before->second], b[place], at);
      }
    }
    for (const auto& [id, place] : old_places) {
      if (new_places.contains(id)) continue;
      leaves.push_back({pointer + "/" + std::to_string(place), a[place], std::nullopt});
    }
  }
};

}  // namespace

std::vector<ChangedLeaf> changed_leaves(const Json& old_value, const Json& new_value) {
  Walk walk;
  walk.go(old_value, new_value, "");
  return std::move(walk.leaves);
}

std::string text_near(const Json& entry, const std::string& pointer, const std::string& key) {
  std::string around = pointer;
  for (;;) {
    const Json::json_pointer place(around);
    if (entry.contains(place)) {
      const Json& object = entry.at(place);
      if (object.is_object() && object.contains(key) && object.at(key).is_string()) {
        return object.at(key).get<std::string>();
      }
    }
    if (around.empty()) return "";
    around.erase(around.rfind('/'));
  }
}

}  // namespace sizesheet
