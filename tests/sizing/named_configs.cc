// SPDX-License-Identifier: Apache-2.0
#include "sizing/named_configs.h"

#include "sizing/sized.h"
#include "support/files.h"
#include "support/project_catalog.h"

namespace sizesheet {

Json quantised_config(const Json& file, const Json& row) {
  Json config = file.at("config");
  const bool older = row.contains("compression_config");
  config[older ? "compression_config" : "quantization_config"] = row.at("quantization_config");
  return config;
}

std::vector<NamedConfig> all_configs() {
  const std::string folder = SIZESHEET_SOURCE_DIR "/tests/catalog/";
  std::vector<NamedConfig> all;
  for (const std::string& file : list_files(folder + "import")) {
    all.push_back({file, parse_json(read_file(folder + "import/" + file), file).at("config")});
  }
  for (const auto& [id, model] : project_catalog().models) {
    Json config = model.raw.contains("config") ? model.raw.at("config") : model.raw;
    if (model.raw.contains("vision")) config["vision"] = model.raw.at("vision");
    all.push_back({id, config});
  }
  const Json quantised = oracle("quantised_configs.json");
  for (const Json& row : quantised.at("sized")) {
    all.push_back({row.at("name"), quantised_config(quantised, row)});
  }
  return all;
}

}  // namespace sizesheet
