// SPDX-License-Identifier: Apache-2.0
// Entries and values of the inputs in which two editions differ, leaf by leaf.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sheet/diff/inputs.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Moved = std::vector<TracedInput>;

/// A place in which two JSON values differ; a side without a value lacks the key or the element.
struct ChangedLeaf {
  std::string pointer;  ///< RFC 6901, into NEW; into OLD for what is gone
  std::optional<Json> old_value;
  std::optional<Json> new_value;
};

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

/// Finds the leaves in which two values differ. Objects are matched by key, lists of objects by
/// their "id" or "key", other lists of one length by place; lists of two lengths are one leaf.
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
    const auto at = [&](const std::string& key) {
      return (Json::json_pointer(pointer) / key).to_string();
    };
    for (const auto& [key, value] : b.items()) {
      if (a.contains(key)) {
        go(a.at(key), value, at(key));
      } else {
        leaves.push_back({at(key), std::nullopt, value});
      }
    }
    for (const auto& [key, value] : a.items()) {
      if (!b.contains(key)) leaves.push_back({at(key), value, std::nullopt});
    }
  }

  void lists(const Json& a, const Json& b, const std::string& pointer) {
    const auto at = [&](std::size_t place) { return pointer + "/" + std::to_string(place); };
    for (const char* key : {"id", "key"}) {
      const auto before = places_by(a, key);
      const auto after = places_by(b, key);
      if (!before || !after) continue;
      for (const auto& [id, place] : *after) {
        const auto was = before->find(id);
        if (was == before->end()) {
          leaves.push_back({at(place), std::nullopt, b[place]});
        } else {
          go(a[was->second], b[place], at(place));
        }
      }
      for (const auto& [id, place] : *before) {
        if (!after->contains(id)) leaves.push_back({at(place), a[place], std::nullopt});
      }
      return;
    }
    if (a.size() != b.size()) return leaves.push_back({pointer, a, b});
    for (std::size_t i = 0; i < a.size(); ++i) go(a[i], b[i], at(i));
  }
};

/// The text under `key` in the innermost object around the leaf that has one; "" where none has.
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

const Json& at(const Json& inputs, const std::string& place) {
  static const Json kNothing;
  const Json::json_pointer pointer(place);
  return inputs.contains(pointer) ? inputs.at(pointer) : kNothing;
}

bool ends_in(const std::string& pointer, std::initializer_list<const char*> keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const char* key) { return pointer.ends_with(std::string("/") + key); });
}

/// The leaves worth telling: not what the reference set says, not earlier ids, and no source or
/// date beside a leaf that moved.
std::vector<ChangedLeaf> telling(const Json& before, const Json& after) {
  Walk walk;
  walk.go(before, after, "");
  std::vector<ChangedLeaf> leaves = std::move(walk.leaves);
  std::erase_if(leaves, [](const ChangedLeaf& leaf) {
    return leaf.pointer == "/was" || leaf.pointer == "/reference" ||
           starts_with(leaf.pointer, "/reference/");
  });
  const std::vector<ChangedLeaf> all = leaves;
  std::erase_if(leaves, [&](const ChangedLeaf& leaf) {
    if (!ends_in(leaf.pointer, {"source", "date"})) return false;
    const std::string around = leaf.pointer.substr(0, leaf.pointer.rfind('/') + 1);
    return std::any_of(all.begin(), all.end(), [&](const ChangedLeaf& other) {
      return starts_with(other.pointer, around) && !ends_in(other.pointer, {"source", "date"});
    });
  });
  return leaves;
}

std::string unit_of(const Json& entry, const std::string& pointer) {
  if (starts_with(pointer, "/usd/")) return "$";
  if (starts_with(pointer, "/kw/")) return "kW";
  const bool value = pointer == "/current" || starts_with(pointer, "/value/");
  return value && entry.contains("unit") ? entry.at("unit").get<std::string>() : "";
}

MovedInput changed(const std::string& field, const std::optional<Json>& from,
                   const std::optional<Json>& to) {
  MovedInput moved;
  moved.field = field;
  moved.how = "changed";
  if (from) moved.old_value = json_text(*from);
  if (to) moved.new_value = json_text(*to);
  return moved;
}

/// What people call an entry: the shortest of its names, else its id.
std::string name_of(const Json& entry) {
  for (const char* key : {"short_name", "title", "name", "id"}) {
    const std::string name = text_near(entry, "", key);
    if (!name.empty()) return name;
  }
  return "";
}

/// An entry that came or went; its value is its title.
MovedInput moved_entry(const Json& entry, bool came) {
  MovedInput moved;
  moved.how = came ? "added" : "removed";
  const Json name =
      entry.contains("title") ? entry.at("title") : entry.value("name", entry.at("id"));
  (came ? moved.new_value : moved.old_value) = json_text(name);
  (came ? moved.new_as_of : moved.old_as_of) = text_near(entry, "", "date");
  moved.source = text_near(entry, "", "source");
  return moved;
}

/// Tells what moved in a place; `id` is the entry's in a list, `name` what it is called.
void add(const InputPlace& place, const std::string& id, const std::string& name, MovedInput moved,
         Moved& all) {
  const bool list = place.prefix != nullptr;
  const std::string key = list ? place.prefix + id : std::string(place.place).substr(1);
  moved.group = place.group;
  moved.id = moved.group + ":" + key + moved.field;
  moved.what = place.what + (list ? " " + name : "");
  all.push_back({std::move(moved), place.bears, id, "", ""});
}

void add_leaves(const InputPlace& place, const std::string& id, const Json& before,
                const Json& after, Moved& all) {
  for (const ChangedLeaf& leaf : telling(before, after)) {
    MovedInput moved = changed(leaf.pointer, leaf.old_value, leaf.new_value);
    if (after.is_object()) moved.unit = unit_of(after, leaf.pointer);
    moved.old_as_of = text_near(before, leaf.pointer, "date");
    moved.new_as_of = text_near(after, leaf.pointer, "date");
    moved.source = text_near(after, leaf.pointer, "source");
    add(place, id, name_of(after), std::move(moved), all);
  }
}

std::map<std::string, Json> by_id(const Json& list) {
  std::map<std::string, Json> entries;
  if (!list.is_array()) return entries;
  for (const Json& entry : list) entries.emplace(entry.at("id").get<std::string>(), entry);
  return entries;
}

void add_entries(const InputPlace& list, const Json& old_list, const Json& new_list, Moved& all) {
  const auto before = by_id(old_list);
  const auto after = by_id(new_list);
  const bool labels = list.bears == Bears::kNone;  // the catalog's entry says that one came
  for (const auto& [id, entry] : after) {
    const auto old_entry = before.find(id);
    if (old_entry != before.end()) {
      add_leaves(list, id, old_entry->second, entry, all);
    } else if (!labels) {
      add(list, id, name_of(entry), moved_entry(entry, true), all);
    }
  }
  for (const auto& [id, entry] : before) {
    if (!labels && !after.contains(id))
      add(list, id, name_of(entry), moved_entry(entry, false), all);
  }
}

std::size_t rank_of(const std::string& group) {
  const auto& groups = input_groups();
  return static_cast<std::size_t>(std::find(groups.begin(), groups.end(), group) - groups.begin());
}

}  // namespace

Moved moved_inputs(const EditionInputs& old_inputs, const EditionInputs& new_inputs,
                   const Renames& renames, const EditionLabel& old_label,
                   const EditionLabel& new_label) {
  Moved all = moved_prices(old_inputs, new_inputs);
  const std::map<std::string, const std::map<std::string, std::string>*> renamed{
      {"/models", &renames.models},
      {"/methods", &renames.methods},
      {"/gpus", &renames.gpus},
      {"/sheet/scenarios", &renames.scenarios}};
  for (const InputPlace& place : input_places()) {
    if (place.what == nullptr) continue;
    const Json& before = at(old_inputs.raw, place.place);
    const Json& after = at(new_inputs.raw, place.place);
    if (place.prefix == nullptr) {
      add_leaves(place, "", before, after, all);
      continue;
    }
    add_entries(place, before, after, all);
    const auto names = renamed.find(place.place);
    if (names == renamed.end()) continue;
    for (const auto& [was, id] : *names->second) {
      add(place, id, id, changed("/id", was, id), all);
    }
  }
  if (old_label.tool_version != new_label.tool_version) {
    add({"engine", "/program", "program", Bears::kAll}, "", "",
        changed("/version", old_label.tool_version, new_label.tool_version), all);
  }
  std::sort(all.begin(), all.end(), [](const TracedInput& a, const TracedInput& b) {
    return std::tuple(rank_of(a.moved.group), a.moved.what, a.moved.id) <
           std::tuple(rank_of(b.moved.group), b.moved.what, b.moved.id);
  });
  return all;
}

}  // namespace sizesheet
