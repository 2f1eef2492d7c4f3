// SPDX-License-Identifier: Apache-2.0
#include "sheet/sheet_json.h"

#include <functional>
#include <map>
#include <type_traits>
#include <utility>

#include "catalog/facts/engine_constants.h"
#include "evidence/accuracy.h"
#include "sheet/changes.h"
#include "sheet/field_reader.h"
#include "sheet/fields.h"
#include "sheet/measures.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json_check.h"
#include "support/described.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A list with one element a line, each made JSON when its turn comes.
template <typename List, typename ToJson>
std::string lines_of(const List& list, const ToJson& element_json) {
  std::string text = "[";
  for (const auto& element : list) {
    text += (text.size() == 1 ? "\n  " : ",\n  ") + json_text(element_json(element));
  }
  return text + (list.empty() ? "]" : "\n ]");
}

/// An object with one member a line, and one element of its lists a line.
std::string member_lines_of(const Json& object) {
  std::string text = "{";
  for (const auto& [key, value] : object.items()) {
    text += (text.size() == 1 ? "\n " : ",\n ") + json_text(key) + ": ";
    text += value.is_array() ? lines_of(value, std::identity()) : json_text(value);
  }
  return text + "\n }";
}

/// Collects the text of every member of a sheet. One element of a list at a time becomes JSON, for
/// the whole sheet as JSON takes several times the room of its text.
class MemberTexts {
 public:
  void operator()(const char* key, const Json& value) { put(key, value); }
  template <typename T>
  void operator()(const char* key, const T& value) {
    put(key, json_of(value));
  }
  template <typename T>
  void operator()(const char* key, const std::vector<T>& list) {
    texts_[key] = lines_of(list, [](const T& element) { return json_of(element); });
  }
  /// A part that this edition lacks is an empty list.
  template <typename T>
  void operator()(const char* key, const std::optional<T>& part) {
    if constexpr (kMayLack<std::optional<T>>) {
      if (!part) return;
    }
    put(key, part ? json_of(*part) : Json::array());
  }
  void put(const std::string& key, const Json& value) {
    const bool long_object = value.is_object() && (key == "accuracy" || key == "ownership" ||
                                                   key == "changes" || key == "advice");
    texts_[key] = value.is_array() ? lines_of(value, std::identity())
                  : long_object    ? member_lines_of(value)
                                   : json_text(value);
  }
  /// The whole document; the members go as they are taken over.
  std::string joined() && {
    std::size_t size = 0;
    for (const auto& [key, member] : texts_) size += key.size() + member.size() + 8;
    std::string text = "{";
    text.reserve(size);
    for (auto& [key, member] : texts_) {
      text += (text.size() == 1 ? "\n \"" : ",\n \"") + key + "\": ";
      text += std::exchange(member, {});
    }
    text += "\n}\n";
    return text;
  }

 private:
  template <typename T>
  static Json json_of(const T& value) {
    Json holder = Json::object();
    FieldWriter writer(holder);
    writer("value", value);
    Json& json = holder["value"];
    if constexpr (std::is_same_v<T, Row>) put_flat_keys(json, value);
    return std::move(json);
  }

  std::map<std::string, std::string> texts_;
};

/// An edition can only be written again by the version that wrote it.
void check_version(const Json& json, const std::string& file, const std::string& version) {
  const Json::json_pointer place("/meta/tool_version");
  const Json wrote = json.contains(place) ? json.at(place) : Json();
  if (wrote == version) return;
  const std::string words = file + ":/meta/tool_version: expected " + in_quotes(version) +
                            ", got " +
                            (json.contains(place) ? shown(wrote) : std::string("nothing"));
  if (!wrote.is_string()) throw InputError(words);
  throw InputError(words + "; use sizesheet " + wrote.get<std::string>() +
                   ", or build the edition again");
}

}  // namespace

void put_flat_keys(Json& row, const Row& from) {
  row["key"] = from.key();
  row["floor_bytes"] = from.modelled ? Json(floor_bytes(from.memory)) : Json();
  for (const Measure& one : measures()) {
    if (one.flat) row[one.id] = json_of(one.of(from));
  }
}

Json to_json(const Sheet& sheet) { return parse_json(to_json_text(sheet), "sheet.json"); }

Json to_json(const Accuracy& accuracy) { return written(accuracy); }

Json to_json(const SheetChanges& changes) {
  Json json = written(changes);
  json["schema_version"] = kSheetSchemaVersion;
  return json;
}

std::string to_json_text(const SheetChanges& changes) {
  std::string text = member_lines_of(to_json(changes));
  return text.replace(text.size() - 2, 2, "}\n");  // a whole document ends at the margin
}

std::string to_json_text(const Sheet& sheet) {
  MemberTexts members;
  fields(members, sheet);
  members.put("schema_version", kSheetSchemaVersion);
  return std::move(members).joined();
}

void check_schema_version(const Json& json, const std::string& file) {
  const auto version = json.is_object() ? json.find("schema_version") : json.end();
  if (version != json.end() && *version == kSheetSchemaVersion) return;
  throw InputError(file + ":/schema_version: expected " + std::to_string(kSheetSchemaVersion) +
                   ", got " + (version == json.end() ? "nothing" : shown(*version)));
}

Sheet sheet_from_json(const Json& json, const std::string& file) {
  check_schema_version(json, file);
  Sheet sheet;
  FieldReader reader(JsonSource(json), file, "", Missing::kRefuse);
  fields(reader, sheet);
  return sheet;
}

Sheet read_sheet(const std::string& text, const std::string& file,
                 const std::string& tool_version) {
  const Json json = parse_json(text, file);
  check_schema_version(json, file);
  check_version(json, file, tool_version);
  refuse_unfit_texts(json, file, "");
  Sheet sheet = sheet_from_json(json, file);
  check_sheet(sheet, file);
  return sheet;
}

}  // namespace sizesheet
