// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/moved_inputs.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "sheet/diff/inputs.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Moved = std::vector<TracedInput>;

/// A list of entries with ids, and what is said of one that differs.
struct EntryList {
  const char* group;
  const char* place;   ///< JSON pointer under "inputs"
  const char* prefix;  ///< of the id, behind the group
  const char* what;    ///< before the entry's id
  Bears bears;
};

const std::vector<EntryList>& entry_lists() {
  static const std::vector<EntryList> kLists{
      {"prices", "/providers", "providers/", "provider", Bears::kProvider},
      {"gpus", "/gpus", "", "GPU", Bears::kGpu},
      {"models", "/models", "", "model", Bears::kModel},
      {"models", "/sheet/models", "labels/", "label of model", Bears::kNone},
      {"methods", "/methods", "", "method", Bears::kMethod},
      {"workload", "/stacks", "stacks/", "stack", Bears::kStack},
      {"workload", "/sheet/scenarios", "scenarios/", "scenario", Bears::kScenario},
      {"ownership", "/purchase_nodes", "machines/", "machine", Bears::kMachine},
      {"ownership", "/rates", "rates/", "rate", Bears::kOwned},
      {"engine", "/engine/constants", "constants/", "constant", Bears::kAll},
      {"engine", "/engine/recipes", "recipes/", "state recipe", Bears::kAll},
      {"engine", "/engine/optimizers", "optimizers/", "optimizer", Bears::kAll},
      {"engine", "/engine/losses", "losses/", "loss", Bears::kAll},
      {"engine", "/engine/speeds", "speeds/", "speed of", Bears::kGpu},
      {"engine", "/intervals/classes", "intervals/", "interval of memory", Bears::kAll},
      {"engine", "/speed_intervals/classes", "speed_intervals/", "interval of speed", Bears::kAll},
  };
  return kLists;
}

/// Values outside those lists that move rows, or only the page.
struct PlainValue {
  const char* group;
  const char* place;
  const char* what;
  Bears bears;
};

const std::vector<PlainValue>& plain_values() {
  static const std::vector<PlainValue> kValues{
      {"prices", "/exchange", "rates of exchange", Bears::kAll},
      {"prices", "/exchange_max_age_days", "age of rates of exchange", Bears::kAll},
      {"prices", "/sheet/prices", "price policy", Bears::kAll},
      {"prices", "/sheet/as_of", "day of the sheet", Bears::kNone},
      {"gpus", "/sheet/gpus", "GPUs of the sheet", Bears::kNone},
      {"methods", "/sheet/methods", "methods of the sheet", Bears::kNone},
      {"models", "/sheet/highlight_model", "highlighted model", Bears::kNone},
      {"workload", "/sheet/tokens", "workload tokens", Bears::kAll},
      {"workload", "/sheet/headroom", "workload headroom", Bears::kAll},
      {"workload", "/sheet/max_gpus", "workload max_gpus", Bears::kAll},
      {"workload", "/sheet/deadline_hours", "workload deadline_hours", Bears::kAll},
      {"workload", "/sheet/series_seq_lens", "workload series_seq_lens", Bears::kNone},
      {"ownership", "/sheet/ownership", "ownership", Bears::kOwned},
      {"engine", "/intervals/rules", "rules of intervals of memory", Bears::kAll},
      {"engine", "/speed_intervals/rules", "rules of intervals of speed", Bears::kAll},
  };
  return kValues;
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
std::vector<ChangedLeaf> telling(std::vector<ChangedLeaf> leaves) {
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

std::string text_of(const std::optional<Json>& value) { return value ? json_text(*value) : ""; }

std::string unit_of(const Json& entry, const std::string& pointer) {
  if (starts_with(pointer, "/usd/")) return "$";
  if (starts_with(pointer, "/kw/")) return "kW";
  const bool value = pointer == "/current" || starts_with(pointer, "/value/");
  return value && entry.contains("unit") ? entry.at("unit").get<std::string>() : "";
}

MovedInput moved_leaf(const ChangedLeaf& leaf, const Json& before, const Json& after) {
  MovedInput moved;
  moved.field = leaf.pointer;
  moved.how = "changed";
  moved.old_value = text_of(leaf.old_value);
  moved.new_value = text_of(leaf.new_value);
  moved.unit = after.is_object() ? unit_of(after, leaf.pointer) : "";
  moved.old_as_of = text_near(before, leaf.pointer, "date");
  moved.new_as_of = text_near(after, leaf.pointer, "date");
  moved.source = text_near(after, leaf.pointer, "source");
  return moved;
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

std::map<std::string, Json> by_id(const Json& list) {
  std::map<std::string, Json> entries;
  if (!list.is_array()) return entries;
  for (const Json& entry : list) entries.emplace(entry.at("id").get<std::string>(), entry);
  return entries;
}

void add(MovedInput moved, const std::string& group, const std::string& name,
         const std::string& what, Bears bears, const std::string& id, Moved& all) {
  moved.group = group;
  moved.id = group + ":" + name + moved.field;
  moved.what = what;
  all.push_back({std::move(moved), bears, id, "", ""});
}

void add_entries(const EntryList& list, const Json& old_inputs, const Json& new_inputs,
                 Moved& all) {
  const auto before = by_id(at(old_inputs, list.place));
  const auto after = by_id(at(new_inputs, list.place));
  const auto put = [&](MovedInput moved, const std::string& id) {
    add(std::move(moved), list.group, list.prefix + id, std::string(list.what) + " " + id,
        list.bears, id, all);
  };
  const bool labels = list.bears == Bears::kNone;  // the catalog's entry says that one came
  for (const auto& [id, entry] : after) {
    const auto old_entry = before.find(id);
    if (old_entry == before.end()) {
      if (!labels) put(moved_entry(entry, true), id);
      continue;
    }
    for (const ChangedLeaf& leaf : telling(changed_leaves(old_entry->second, entry))) {
      put(moved_leaf(leaf, old_entry->second, entry), id);
    }
  }
  for (const auto& [id, entry] : before) {
    if (!labels && !after.contains(id)) put(moved_entry(entry, false), id);
  }
}

void add_values(const PlainValue& value, const Json& old_inputs, const Json& new_inputs,
                Moved& all) {
  const Json& before = at(old_inputs, value.place);
  const Json& after = at(new_inputs, value.place);
  const std::string name = std::string(value.place).substr(1);
  for (const ChangedLeaf& leaf : telling(changed_leaves(before, after))) {
    add(moved_leaf(leaf, before, after), value.group, name, value.what, value.bears, "", all);
  }
}

void add_renames(const std::map<std::string, std::string>& names, const std::string& group,
                 const std::string& prefix, const std::string& what, Bears bears, Moved& all) {
  for (const auto& [was, id] : names) {
    MovedInput moved;
    moved.field = "/id";
    moved.how = "changed";
    moved.old_value = json_text(was);
    moved.new_value = json_text(id);
    add(std::move(moved), group, prefix + id, what + " " + id, bears, id, all);
  }
}

void add_program(const EditionLabel& before, const EditionLabel& after, Moved& all) {
  if (before.tool_version == after.tool_version) return;
  MovedInput moved;
  moved.field = "/version";
  moved.how = "changed";
  moved.old_value = json_text(before.tool_version);
  moved.new_value = json_text(after.tool_version);
  add(std::move(moved), "engine", "program", "program", Bears::kAll, "", all);
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
  for (const EntryList& list : entry_lists()) {
    add_entries(list, old_inputs.raw, new_inputs.raw, all);
  }
  for (const PlainValue& value : plain_values()) {
    add_values(value, old_inputs.raw, new_inputs.raw, all);
  }
  add_renames(renames.models, "models", "", "model", Bears::kModel, all);
  add_renames(renames.methods, "methods", "", "method", Bears::kMethod, all);
  add_renames(renames.gpus, "gpus", "", "GPU", Bears::kGpu, all);
  add_renames(renames.scenarios, "workload", "scenarios/", "scenario", Bears::kScenario, all);
  add_program(old_label, new_label, all);
  std::sort(all.begin(), all.end(), [](const TracedInput& a, const TracedInput& b) {
    return std::tuple(rank_of(a.moved.group), a.moved.what, a.moved.id) <
           std::tuple(rank_of(b.moved.group), b.moved.what, b.moved.id);
  });
  return all;
}

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
