// SPDX-License-Identifier: Apache-2.0
#include "catalog/configs/config_format.h"

#include <utility>

#include "catalog/configs/conditions.h"
#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kFolder = "configs/";

std::map<std::string, std::string> read_words(ObjectReader& reader, const std::string& key) {
  std::map<std::string, std::string> all;
  auto words = reader.optional_object(key);
  if (!words) return all;
  for (const std::string& name : words->keys()) all[name] = read_filled_text(*words, name);
  words->done();
  return all;
}

/// What a value becomes: a value, or an object that says more.
void check_outcome(ObjectReader& reader, const std::string& value, const Json& outcome,
                   const std::string& to) {
  if (!outcome.is_object()) {
    if (to.empty()) reader.fault("values", in_quotes(value) + ": expected \"to\" beside it");
    return;
  }
  static const std::vector<std::string> kWords = {"value", "set", "told", "refused"};
  for (const auto& [word, what] : outcome.items()) {
    const bool fine = contains(kWords, word) && (word != "set" || what.is_object());
    if (!fine) {
      reader.fault("values", in_quotes(value) + ": expected " + join(kWords, ", ") + ", got " +
                                 in_quotes(word) + did_you_mean(word, kWords));
    }
  }
}

std::vector<std::string> read_names(ObjectReader& reader, const std::string& key) {
  if (reader.raw(key).is_string()) return {read_filled_text(reader, key)};
  return reader.texts(key);
}

ConfigKey read_key(ObjectReader& reader) {
  ConfigKey key;
  key.names = read_names(reader, "key");
  if (reader.sound("key") && key.names.empty()) reader.mismatch("key", "at least one name");
  key.to = reader.text_or("to", "");
  key.as = reader.one_of_or("as", kConfigKinds, "");
  key.values = reader.raw("values");
  if (!key.values.is_null() && !key.values.is_object()) reader.mismatch("values", "an object");
  if (key.values.is_object()) {
    for (const auto& [value, outcome] : key.values.items()) {
      check_outcome(reader, value, outcome, key.to);
    }
  }
  key.by_default = reader.raw("default");
  key.told = reader.text_or("told", "");
  key.refused = reader.text_or("refused", "");
  key.neutral = reader.raw("neutral");
  if (!key.neutral.is_null() && !key.neutral.is_array()) reader.mismatch("neutral", "a list");
  key.whole = reader.flag_or("whole", false);
  key.source = reader.text_or("source", "");
  const bool mapped = !key.to.empty() && (!key.as.empty() || key.values.is_object());
  if (!key.to.empty() && !mapped) reader.fault("to", "expected \"as\" or \"values\" beside it");
  reader.done();
  return key;
}

/// A value, {"of": key} or {"work": […]}.
void check_set(ObjectReader& reader, const Json& set) {
  if (!set.is_object()) return;
  for (const auto& [to, value] : set.items()) {
    if (!value.is_object()) continue;
    if (value.size() == 1 && value.contains("work")) {
      const std::string wrong = wrong_work(value.at("work"));
      if (!wrong.empty()) reader.fault("set", to + ": " + wrong);
    } else if (!value.contains("value") && (!value.contains("of") || !value.at("of").is_string())) {
      reader.fault(
          "set", to + ": expected a value, {\"of\": key} or {\"work\": […]}, got " + shown(value));
    }
  }
}

ConfigRule read_rule(ObjectReader& reader) {
  ConfigRule rule;
  rule.when = read_conditions(reader, "when");
  rule.set = reader.raw("set");
  if (!rule.set.is_null() && !rule.set.is_object()) reader.mismatch("set", "an object");
  check_set(reader, rule.set);
  rule.where_open = reader.flag_or("where_open", false);
  rule.told = read_words(reader, "told");
  rule.refused = read_words(reader, "refused");
  rule.asked = read_words(reader, "asked");
  rule.source = reader.text_or("source", "");
  const bool says =
      rule.set.is_object() || !rule.told.empty() || !rule.refused.empty() || !rule.asked.empty();
  if (!says) reader.fault("", "expected \"set\", \"told\", \"refused\" or \"asked\"");
  reader.done();
  return rule;
}

}  // namespace

ConfigFormat read_config_format(ObjectReader reader) {
  check_config_numbers(reader);
  ConfigFormat format;
  format.id = read_id(reader, "id");
  format.title = read_filled_text(reader, "title");
  format.version = reader.text_or("version", "");
  format.source = read_source(reader);
  format.date = read_date(reader, "date");
  format.stack = reader.text_or("stack", "");
  format.mount = reader.text_or("mount", "");
  format.order = reader.integer_or("order", 0, {0, 1000});
  format.recognise = read_conditions(reader, "recognise");
  if (format.order > 0 && format.recognise.empty()) {
    reader.fault("recognise", "expected conditions, since the format has an order");
  }
  if (reader.has("parts")) {
    for (ObjectReader& part : reader.objects("parts")) {
      format.parts.push_back(
          {read_id(part, "id"), part.text_or("under", ""), part.flag_or("last", false)});
      part.done();
    }
  }
  for (ObjectReader& key : reader.objects("keys")) format.keys.push_back(read_key(key));
  if (reader.has("rules")) {
    for (ObjectReader& rule : reader.objects("rules")) format.rules.push_back(read_rule(rule));
  }
  if (reader.has("passed_over")) format.passed_over = reader.texts("passed_over");
  format.unknown_refused = reader.one_of_or("unknown", {"told", "refused"}, "told") == "refused";
  reader.done();
  return format;
}

void check_config_parts(const std::map<std::string, ConfigFormat>& formats,
                        const std::string& folder, Faults& faults) {
  for (const auto& [id, format] : formats) {
    for (const ConfigPart& part : format.parts) {
      if (formats.contains(part.id)) continue;
      faults.add(folder + "/" + id + ".json", "/parts",
                 "no format " + in_quotes(part.id) + " in the catalog" +
                     did_you_mean(part.id, keys_of(formats)));
    }
  }
}

std::map<std::string, ConfigFormat> load_config_formats(const CatalogLayers& layers,
                                                        Faults& faults) {
  const CatalogFiles files = read_catalog_files(
      layers, [](const std::string& path) { return starts_with(path, kFolder); });
  CatalogLoader loader(layers, files, faults);
  auto formats = loader.entries_if_any<ConfigFormat>("configs", read_config_format);
  check_config_parts(formats, loader.shown_path("configs"), faults);
  loader.check_all_nulls();
  return formats;
}

}  // namespace sizesheet
