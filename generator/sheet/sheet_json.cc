// SPDX-License-Identifier: Apache-2.0
#include "sheet/sheet_json.h"

#include "sheet/fields.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Walks fields into a JSON object.
class FieldWriter {
 public:
  explicit FieldWriter(Json& out) : out_(out) {}

  template <typename T>
  void operator()(const char* key, const T& value) {
    put(out_[key], value);
  }
  template <typename F>
  void group(const char* key, F&& walk) {
    Json& inner = out_[key] = Json::object();
    FieldWriter writer(inner);
    walk(writer);
  }

 private:
  static void put(Json& to, const Json& value) { to = value; }
  static void put(Json& to, const std::string& value) { to = value; }
  static void put(Json& to, bool value) { to = value; }
  static void put(Json& to, std::int64_t value) { to = value; }
  static void put(Json& to, double value) { to = value; }
  static void put(Json& to, MicroUsd value) { to = to_usd(value); }
  static void put(Json& to, const std::vector<NamedValue>& values) {
    to = Json::object();
    for (const NamedValue& value : values) to[value.name] = value.value;
  }
  template <typename T>
  static void put(Json& to, const std::optional<T>& value) {
    if (value) {
      put(to, *value);
    } else {
      to = nullptr;
    }
  }
  template <typename T>
  static void put(Json& to, const std::vector<T>& values) {
    to = Json::array();
    for (const T& value : values) put(to.emplace_back(), value);
  }
  template <typename T>
  static void put(Json& to, const std::map<std::string, T>& values) {
    to = Json::object();
    for (const auto& [key, value] : values) put(to[key], value);
  }
  template <typename T>
  static void put(Json& to, const T& value) requires std::is_class_v<T> {
    to = Json::object();
    FieldWriter writer(to);
    fields(writer, value);
  }

  Json& out_;
};

/// Walks fields out of a JSON object, knowing its place.
class FieldReader {
 public:
  FieldReader(const Json& in, std::string file, std::string pointer)
      : in_(in), file_(std::move(file)), pointer_(std::move(pointer)) {
    if (!in.is_object()) fail("an object", in, pointer_);
  }

  template <typename T>
  void operator()(const char* key, T& value) {
    const std::string place = pointer_ + "/" + key;
    const auto entry = in_.find(key);
    if (entry == in_.end())
      throw InputError(file_ + ":" + place + ": expected a value, got nothing");
    get(*entry, value, place);
  }
  template <typename F>
  void group(const char* key, F&& walk) {
    static const Json kEmpty = Json::object();
    const auto entry = in_.find(key);
    FieldReader reader(entry == in_.end() ? kEmpty : *entry, file_, pointer_ + "/" + key);
    walk(reader);
  }

 private:
  [[noreturn]] void fail(const std::string& expected, const Json& got,
                         const std::string& place) const {
    throw InputError(file_ + ":" + place + ": expected " + expected + ", got " + shown(got));
  }
  void get(const Json& from, Json& value, const std::string&) const { value = from; }
  void get(const Json& from, std::string& value, const std::string& place) const {
    if (!from.is_string()) fail("text", from, place);
    value = from.get<std::string>();
  }
  void get(const Json& from, bool& value, const std::string& place) const {
    if (!from.is_boolean()) fail("true or false", from, place);
    value = from.get<bool>();
  }
  void get(const Json& from, std::int64_t& value, const std::string& place) const {
    if (!from.is_number_integer()) fail("an integer", from, place);
    value = from.get<std::int64_t>();
  }
  void get(const Json& from, double& value, const std::string& place) const {
    if (!from.is_number()) fail("a number", from, place);
    value = from.get<double>();
  }
  void get(const Json& from, MicroUsd& value, const std::string& place) const {
    const auto usd = from.is_number() ? parse_usd(shortest(from.get<double>())) : std::nullopt;
    if (!usd) fail("dollars with at most six decimals", from, place);
    value = *usd;
  }
  void get(const Json& from, std::vector<NamedValue>& values, const std::string& place) const {
    if (!from.is_object()) fail("an object", from, place);
    for (const auto& [name, value] : from.items()) {
      values.push_back({name, 0});
      get(value, values.back().value, place + "/" + name);
    }
  }
  template <typename T>
  void get(const Json& from, std::optional<T>& value, const std::string& place) const {
    if (from.is_null() || from == Json::array()) {  // []: a part that this edition lacks
      value = std::nullopt;
    } else {
      get(from, value.emplace(), place);
    }
  }
  template <typename T>
  void get(const Json& from, std::vector<T>& values, const std::string& place) const {
    if (!from.is_array()) fail("a list", from, place);
    for (std::size_t i = 0; i < from.size(); ++i) {
      get(from[i], values.emplace_back(), place + "/" + std::to_string(i));
    }
  }
  template <typename T>
  void get(const Json& from, std::map<std::string, T>& values, const std::string& place) const {
    if (!from.is_object()) fail("an object", from, place);
    for (const auto& [key, value] : from.items()) get(value, values[key], place + "/" + key);
  }
  template <typename T>
  void get(const Json& from, T& value, const std::string& place) const requires std::is_class_v<T> {
    FieldReader reader(from, file_, place);
    fields(reader, value);
  }

  const Json& in_;
  std::string file_;
  std::string pointer_;
};

void put_rent(Json& row, const std::string& prefix, const std::optional<RentLine>& line) {
  row[prefix + "_usd_per_hour"] = line ? Json(to_usd(line->usd_per_hour)) : Json();
  row[prefix + "_usd_per_run"] =
      line && line->usd_per_run ? Json(to_usd(*line->usd_per_run)) : Json();
}

/// The flat money keys that readers outside the project hold.
void put_contract_keys(Json& row, const Row& from) {
  row["key"] = from.key();
  put_rent(row, "list", from.list);
  put_rent(row, "spot", from.spot);
  put_rent(row, "reserved_1y", from.reserved_1y);
  put_rent(row, "reserved_3y", from.reserved_3y);
  put_rent(row, "capacity_block", from.capacity_block);
  const Json none;
  const bool owned = from.own.has_value();
  row["capex_usd"] = owned ? Json(to_usd(from.own->capex_usd)) : none;
  row["own_usd_per_month"] = owned ? Json(to_usd(from.own->own_usd_per_month)) : none;
  row["own_usd_per_gpu_hour"] = owned ? Json(to_usd(from.own->own_usd_per_gpu_hour)) : none;
  row["own_usd_per_run"] =
      owned && from.own->own_usd_per_run ? Json(to_usd(*from.own->own_usd_per_run)) : none;
  row["break_even_hours_per_month"] = owned && from.own->break_even_hours_per_month
                                          ? Json(*from.own->break_even_hours_per_month)
                                          : none;
  row["advice"] = owned && from.own->advice ? Json(*from.own->advice) : none;
}

/// A list with one element a line.
std::string lines_of(const Json& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i)
    text += (i == 0 ? "\n  " : ",\n  ") + json_text(list[i]);
  return text + (list.empty() ? "]" : "\n ]");
}

/// An object with one member a line, and one element of its lists a line.
std::string member_lines_of(const Json& object) {
  std::string text = "{";
  for (const auto& [key, value] : object.items()) {
    text += (text.size() == 1 ? "\n " : ",\n ") + json_text(key) + ": ";
    text += value.is_array() ? lines_of(value) : json_text(value);
  }
  return text + "\n }";
}

}  // namespace

Json to_json(const Sheet& sheet) {
  Json json = Json::object();
  FieldWriter writer(json);
  fields(writer, sheet);
  for (std::size_t i = 0; i < sheet.rows.size(); ++i)
    put_contract_keys(json["rows"][i], sheet.rows[i]);
  json["schema_version"] = kSheetSchemaVersion;
  json["changes"] = Json::array();
  if (!sheet.ownership) json["ownership"] = Json::array();
  if (!sheet.accuracy) json["accuracy"] = Json::array();
  return json;
}

Json to_json(const Accuracy& accuracy) {
  Json json = Json::object();
  FieldWriter writer(json);
  fields(writer, accuracy);
  return json;
}

std::string to_json_text(const Sheet& sheet) {
  const Json json = to_json(sheet);
  std::string text = "{";
  for (const auto& [key, value] : json.items()) {
    text += (text.size() == 1 ? "\n " : ",\n ") + Json(key).dump() + ": ";
    const bool long_object = (key == "accuracy" || key == "ownership") && value.is_object();
    text += value.is_array() ? lines_of(value)
            : long_object    ? member_lines_of(value)
                             : json_text(value);
  }
  return text + "\n}\n";
}

Sheet sheet_from_json(const Json& json, const std::string& file) {
  Sheet sheet;
  const auto version = json.is_object() ? json.find("schema_version") : json.end();
  if (version == json.end() || *version != kSheetSchemaVersion) {
    throw InputError(file + ":/schema_version: expected " + std::to_string(kSheetSchemaVersion) +
                     ", got " + (version == json.end() ? "nothing" : shown(*version)));
  }
  FieldReader reader(json, file, "");
  fields(reader, sheet);
  return sheet;
}

}  // namespace sizesheet
