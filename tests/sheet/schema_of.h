// SPDX-License-Identifier: Apache-2.0
// JSON Schemas: from the described members that JSON is written and read by, and against documents.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "sheet/fields.h"
#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/model/projections.h"
#include "support/described.h"
#include "support/json.h"
#include "support/money.h"
#include "support/trace.h"

namespace sizesheet {

inline constexpr const char* kDraft = "http://json-schema.org/draft-07/schema#";

/// Walks fields into the schema of an object that has all of them and no other.
class SchemaWriter {
 public:
  explicit SchemaWriter(Json& schema) : schema_(schema) {
    schema_ = typed("object");
    schema_["properties"] = Json::object();
    schema_["required"] = Json::array();
    schema_["additionalProperties"] = false;
  }

  template <typename T>
  void operator()(const char* key, const T& value) {
    put(key, of(value));
    if (kMayLack<T>) schema_["required"].erase(schema_["required"].size() - 1);
  }
  template <typename F>
  void group(const char* key, F&& walk) {
    Json inner;
    SchemaWriter writer(inner);
    walk(writer);
    put(key, std::move(inner));
  }
  void put(const std::string& key, Json schema) {
    schema_["properties"][key] = std::move(schema);
    schema_["required"].push_back(key);
  }

 private:
  // Not as a list in braces: clang 14 leaks those that a template of many members returns.
  static Json typed(const char* type) {
    Json schema = Json::object();
    schema["type"] = type;
    return schema;
  }
  static Json of(const Json&) { return Json::object(); }
  static Json of(const std::string&) { return typed("string"); }
  static Json of(bool) { return typed("boolean"); }
  static Json of(std::int64_t) { return typed("integer"); }
  static Json of(double) { return typed("number"); }
  static Json of(MicroUsd) { return typed("number"); }
  /// Every phase, or none.
  static Json of(const PhaseBytes&) {
    Json schema;
    SchemaWriter writer(schema);
    for (const Phase phase : kPhases) writer(name_of(phase), std::int64_t{0});
    schema["anyOf"] = Json::array({Json::object(), Json::object()});
    schema["anyOf"][0]["maxProperties"] = 0;
    schema["anyOf"][1]["required"] = std::move(schema["required"]);
    schema.erase("required");
    return schema;
  }
  static Json of(const std::vector<NamedValue>&) { return map_of(of(0.0)); }
  /// A part that is lacking is null, or [].
  template <typename T>
  static Json of(const std::optional<T>&) {
    Json schema = of(T{});
    if (schema.empty()) return schema;  // a word
    Json one = std::move(schema["type"]);
    schema["type"] = Json::array();
    schema["type"].push_back(std::move(one));
    schema["type"].push_back("null");
    if (std::is_aggregate_v<T> && !std::is_same_v<T, MicroUsd>) {
      schema["type"].push_back("array");
      schema["maxItems"] = 0;
    }
    return schema;
  }
  template <typename T>
  static Json of(const std::vector<T>&) {
    Json schema = typed("array");
    schema["items"] = of(T{});
    return schema;
  }
  template <typename T>
  static Json of(const std::map<std::string, T>&) {
    return map_of(of(T{}));
  }
  template <typename T>
  static Json of(const T& value) requires std::is_class_v<T> {
    Json schema;
    SchemaWriter writer(schema);
    fields(writer, value);
    return schema;
  }
  static Json map_of(Json values) {
    Json schema = typed("object");
    schema["additionalProperties"] = std::move(values);
    return schema;
  }

  Json& schema_;
};

/// The schema of what `written` makes of a T.
template <typename T>
Json schema_of() {
  Json schema;
  SchemaWriter writer(schema);
  const T value{};
  fields(writer, value);
  return schema;
}

class Schema {
 public:
  using Adapter = valijson::adapters::NlohmannJsonAdapter;

  explicit Schema(const Json& json) {
    valijson::SchemaParser().populateSchema(Adapter(json), parsed_);
  }

  /// "", or what is wrong with a document.
  std::string fault(const Json& document) const {
    valijson::ValidationResults results;
    valijson::Validator validator;
    if (validator.validate(parsed_, Adapter(document), &results)) return "";
    valijson::ValidationResults::Error error;
    results.popError(error);
    std::string words;
    for (const std::string& part : error.context) words += part;
    return words + ": " + error.description;
  }
  bool admits(const Json& document) const {
    valijson::Validator validator;
    return validator.validate(parsed_, Adapter(document), nullptr);
  }

 private:
  valijson::Schema parsed_;
};

}  // namespace sizesheet
