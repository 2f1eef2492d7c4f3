// SPDX-License-Identifier: Apache-2.0
#include "config/config_cases.h"

#include "catalog/configs/config_format.h"
#include "config/text/command_tree.h"
#include "config/text/yaml_tree.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json_parse.h"

namespace sizesheet {

const ConfigFormats& shipped_formats() {
  static const ConfigFormats kFormats = [] {
    Faults faults;
    ConfigFormats formats =
        load_config_formats(std::filesystem::path(SIZESHEET_SOURCE_DIR "/catalog"), faults);
    faults.refuse();
    return formats;
  }();
  return kFormats;
}

const std::vector<Json>& config_cases() {
  static const std::vector<Json> kCases = [] {
    const std::string file = SIZESHEET_SOURCE_DIR "/tests/config/configs.json";
    return parse_json(read_file(file), file).at("cases").get<std::vector<Json>>();
  }();
  return kCases;
}

ConfigTree tree_of_case(const Json& file, const std::string& text) {
  const auto name = file.at("name").get<std::string>();
  return name.ends_with(".sh") ? command_tree(text, name) : yaml_tree(text, name);
}

ConfigReading read_case(const Json& one, const std::string* text) {
  std::vector<ConfigTree> files;
  for (const Json& file : one.at("files")) {
    const bool replaced = text != nullptr && files.empty();
    std::string lines;
    for (const Json& line : file.at("lines")) lines += line.get<std::string>() + "\n";
    files.push_back(tree_of_case(file, replaced ? *text : lines));
  }
  const ConfigGiven given = {
      one.value("given", Json::object()), one.value("command", ""),
      [&](const std::string&) { return one.value("model", Json::object()); }};
  return read_config(std::move(files), shipped_formats(), one.value("format", ""), given);
}

}  // namespace sizesheet
