// SPDX-License-Identifier: Apache-2.0
// How a pick becomes the config and the launch command of a framework: which lines a file has, what
// each takes from the request, and which figure depends on it. A stack names the writer of its
// configs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/files/loader.h"
#include "support/json.h"

namespace sizesheet {

/// A line of a written file.
struct WrittenLine {
  std::string key;   ///< dotted: "fsdp_config.fsdp_version" is a key in a mapping
  Json value;        ///< a value; {"of": key of the request, "values": {its value: written}}; or
                     ///< {"literal": "null"}, a text that is written without quotation marks
  Json when;         ///< conditions on the request, as `when` of a format's rule
  std::string note;  ///< the comment behind the line: the figure that depends on it, or ""
};

struct WrittenFileForm {
  std::string name;  ///< "train.yaml"
  Json when;         ///< it is written only then
  std::vector<WrittenLine> lines;
};

/// A text that is taken where its conditions hold; the first that does counts.
struct WrittenChoice {
  Json when;
  std::string words;  ///< "{layout.gpus}" stands for a value of the request
};

/// What a framework cannot be told.
struct UnwrittenKey {
  Json when;
  std::string key;  ///< of the request
  std::string words;
};

struct ConfigWriter {
  std::string id;
  std::string title;
  std::string format;  ///< of the formats of configs: what is written is read back by it
  std::string source;
  std::string date;
  std::vector<WrittenChoice> trainers;  ///< what starts the run, as reading back needs it; or none
  std::vector<WrittenFileForm> files;   ///< the run's first
  std::vector<WrittenChoice> commands;
  std::vector<UnwrittenKey> refused;
  std::vector<std::string> by_version;  ///< keys of a request that follow from the versions alone
};

ConfigWriter read_config_writer(ObjectReader reader);

/// The writers of a catalog, by id; none where it has no folder of them.
std::map<std::string, ConfigWriter> load_config_writers(const CatalogLayers& layers,
                                                        Faults& faults);

}  // namespace sizesheet
