// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/moved_inputs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sheet/changes.h"
#include "sheet/diff/earlier_programs.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/inputs.h"
#include "sheet/diff/leaves.h"
#include "sheet/diff/moved_inputs_because.h"
#include "sheet/diff/moved_services.h"
#include "sizing/job/job.h"
#include "sizing/model/projections.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

using Moved = std::vector<TracedInput>;

/// The text under `key` in the innermost object around the leaf that has one; "" where none has.
std::string text_near(const Json& entry, const std::string& pointer, const std::string& key) {
  for (Json::json_pointer around(pointer);; around.pop_back()) {
    if (entry.contains(around)) {
      const Json& text = at_dotted(entry.at(around), key);
      if (text.is_string()) return text.get<std::string>();
    }
    if (around.empty()) return "";
  }
}

bool ends_in(const std::string& pointer, std::initializer_list<const char*> keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const char* key) { return pointer.ends_with(std::string("/") + key); });
}

/// The leaves worth telling: not what the reference set says, not earlier ids, not what an earlier
/// program knew by itself, and no source or date beside a leaf that moved.
std::vector<ChangedLeaf> telling(const Json& before, const Json& after) {
  std::vector<ChangedLeaf> leaves = changed_leaves(before, after);
  std::erase_if(leaves, [](const ChangedLeaf& leaf) {
    return leaf.pointer == "/was" || leaf.pointer == "/reference" ||
           starts_with(leaf.pointer, "/reference/") ||
           (!leaf.old_value && was_known_by_name(leaf.pointer));
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

void add_entries(const InputPlace& list, const Json& old_list, const Json& new_list, Moved& all) {
  const Parts before = parts_by(old_list, "id").value_or(Parts{});
  const Parts after = parts_by(new_list, "id").value_or(Parts{});
  const bool labels = list.bears == Affects::kNone;  // the catalog's entry says that one came
  for (const auto& [id, entry] : after) {
    const auto old_entry = before.find(id);
    if (old_entry != before.end()) {
      add_leaves(list, id, *old_entry->second.value, *entry.value, all);
    } else if (!labels) {
      add(list, id, name_of(*entry.value), moved_entry(*entry.value, true), all);
    }
  }
  for (const auto& [id, entry] : before) {
    if (labels || after.contains(id)) continue;
    add(list, id, name_of(*entry.value), moved_entry(*entry.value, false), all);
  }
}

}  // namespace

Moved moved_inputs(const EditionInputs& old_inputs, const EditionInputs& new_inputs,
                   const Renames& renames, const EditionLabel& old_label,
                   const EditionLabel& new_label) {
  Moved all = moved_prices(old_inputs, new_inputs);
  for (TracedInput& service : moved_services(old_inputs, new_inputs)) {
    all.push_back(std::move(service));
  }
  for (const InputPlace& place : input_places()) {
    if (place.what == nullptr) continue;
    const Json& before = input_at(old_inputs.raw, place.place);
    const Json& after = input_at(new_inputs.raw, place.place);
    if (place.prefix == nullptr) {
      add_leaves(place, "", before, after, all);
      continue;
    }
    add_entries(place, before, after, all);
    for (const RowPart& part : kRowParts) {
      if (std::string_view(part.inputs) != place.place) continue;
      for (const auto& [was, id] : renames.*part.renamed) {
        add(place, id, id, changed("/id", was, id), all);
      }
    }
  }
  if (old_label.tool_version != new_label.tool_version) {
    add({"engine", "/program", "program", Affects::kAll}, "", "",
        changed("/version", old_label.tool_version, new_label.tool_version), all);
  }
  std::ranges::sort(all, {}, [](const TracedInput& input) {
    return std::tuple(std::ranges::find(kInputGroups, input.moved.group), input.moved.what,
                      input.moved.id);
  });
  return all;
}

}  // namespace sizesheet
