// SPDX-License-Identifier: Apache-2.0
#include "catalog/configs/config_writer.h"

#include "catalog/configs/conditions.h"
#include "catalog/files/entry.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kWritersFolder = "writers/";

/// What is wrong with the value of a line, or "".
std::string wrong_value(const Json& value) {
  if (value.is_null()) return "expected a value, got nothing";
  if (!value.is_object()) return "";
  if (value.size() == 1 && value.contains("literal") && value.at("literal").is_string()) return "";
  if (!value.contains("of") || !value.at("of").is_string()) {
    return "expected a value, {\"of\": key} or {\"literal\": text}, got " + shown(value);
  }
  for (const auto& [word, what] : value.items()) {
    if (word == "of" || (word == "values" && what.is_object())) continue;
    return "expected \"of\" and an object \"values\", got " + in_quotes(word);
  }
  return "";
}

WrittenLine read_line(ObjectReader& reader) {
  WrittenLine line;
  line.key = read_filled_text(reader, "key");
  line.value = reader.raw("value");
  const std::string wrong = wrong_value(line.value);
  if (!wrong.empty()) reader.fault("value", wrong);
  line.when = read_conditions(reader, "when");
  line.note = reader.text_or("note", "");
  reader.done();
  return line;
}

WrittenFileForm read_file_form(ObjectReader& reader) {
  WrittenFileForm file;
  file.name = read_filled_text(reader, "name");
  if (file.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") != std::string::npos) {
    reader.mismatch("name", "small letters, digits, '-' and '.'", file.name);
  }
  file.when = read_conditions(reader, "when");
  for (ObjectReader& line : reader.objects("lines")) file.lines.push_back(read_line(line));
  reader.done();
  return file;
}

std::vector<WrittenChoice> read_choices(ObjectReader& reader, const std::string& key) {
  std::vector<WrittenChoice> all;
  if (!reader.has(key)) return all;
  for (ObjectReader& row : reader.objects(key)) {
    WrittenChoice choice;
    choice.when = read_conditions(row, "when");
    choice.words = read_filled_text(row, "words");
    row.done();
    all.push_back(std::move(choice));
  }
  return all;
}

}  // namespace

ConfigWriter read_config_writer(ObjectReader reader) {
  check_config_numbers(reader);
  ConfigWriter writer;
  writer.id = read_id(reader, "id");
  writer.title = read_filled_text(reader, "title");
  writer.format = read_id(reader, "format");
  writer.source = read_source(reader);
  writer.date = read_date(reader, "date");
  writer.trainers = read_choices(reader, "trainers");
  for (ObjectReader& file : reader.objects("files")) writer.files.push_back(read_file_form(file));
  if (reader.sound("files") && writer.files.empty()) reader.mismatch("files", "at least one file");
  writer.commands = read_choices(reader, "commands");
  if (reader.has("refused")) {
    for (ObjectReader& row : reader.objects("refused")) {
      UnwrittenKey one;
      one.when = read_conditions(row, "when");
      one.key = read_filled_text(row, "key");
      one.words = read_filled_text(row, "words");
      row.done();
      writer.refused.push_back(std::move(one));
    }
  }
  if (reader.has("by_version")) writer.by_version = reader.texts("by_version");
  reader.done();
  return writer;
}

std::map<std::string, ConfigWriter> load_config_writers(const CatalogLayers& layers,
                                                        Faults& faults) {
  const CatalogFiles files = read_catalog_files(
      layers, [](const std::string& path) { return starts_with(path, kWritersFolder); });
  CatalogLoader loader(layers, files, faults);
  auto writers = loader.entries_if_any<ConfigWriter>("writers", read_config_writer);
  loader.check_all_nulls();
  return writers;
}

}  // namespace sizesheet
