// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/leaves.h"

#include <map>
#include <utility>

#include "support/json.h"

namespace sizesheet {
namespace {

/// The parts of a value by a name, each with its token of a JSON pointer.
struct Part {
  std::string token;
  const Json* value;
};
using Parts = std::map<std::string, Part>;

/// Named by their text under `key`, or by their own token where that is nullptr; nullopt unless
/// each has a name of its own.
std::optional<Parts> parts_by(const Json& value, const char* key) {
  Parts parts;
  for (const auto& [token, part] : value.items()) {
    const auto* name = key == nullptr ? &token : at_dotted(part, key).get_ptr<const std::string*>();
    if (name == nullptr || !parts.emplace(*name, Part{token, &part}).second) return std::nullopt;
  }
  return parts;
}

/// The parts of two objects by key, of two lists of objects by their "id" or "key", of other lists
/// of one length by place; nullopt for all else.
std::optional<std::pair<Parts, Parts>> matched(const Json& a, const Json& b) {
  const bool lists = a.is_array() && b.is_array();
  for (const char* key : {"id", "key"}) {
    auto before = lists ? parts_by(a, key) : std::nullopt;
    auto after = lists ? parts_by(b, key) : std::nullopt;
    if (before && after) return std::pair(*std::move(before), *std::move(after));
  }
  const bool alike = lists ? a.size() == b.size() : a.is_object() && b.is_object();
  if (!alike) return std::nullopt;
  return std::pair(*parts_by(a, nullptr), *parts_by(b, nullptr));
}

/// Adds the leaves in which two values differ.
void find_leaves(const Json& a, const Json& b, const std::string& pointer,
                 std::vector<ChangedLeaf>& leaves) {
  if (a == b) return;
  const auto parts = matched(a, b);
  if (!parts) return leaves.push_back({pointer, a, b});
  const auto& [before, after] = *parts;
  const auto at = [&](const Part& part) {
    return (Json::json_pointer(pointer) / part.token).to_string();
  };
  for (const auto& [name, part] : after) {
    const auto was = before.find(name);
    if (was == before.end()) {
      leaves.push_back({at(part), std::nullopt, *part.value});
    } else {
      find_leaves(*was->second.value, *part.value, at(part), leaves);
    }
  }
  for (const auto& [name, part] : before) {
    if (!after.contains(name)) leaves.push_back({at(part), *part.value, std::nullopt});
  }
}

std::string value_words(const std::optional<Json>& value) {
  return value ? shown(*value) : "nothing";
}

}  // namespace

std::string leaf_words(const ChangedLeaf& leaf, const std::string& by) {
  return leaf.pointer + ": expected " + value_words(leaf.old_value) + " by " + by + ", got " +
         value_words(leaf.new_value);
}

std::vector<ChangedLeaf> changed_leaves(const Json& before, const Json& after) {
  std::vector<ChangedLeaf> leaves;
  find_leaves(before, after, "", leaves);
  return leaves;
}

}  // namespace sizesheet
