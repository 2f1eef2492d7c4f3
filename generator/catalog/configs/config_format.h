// SPDX-License-Identifier: Apache-2.0
// A format of training configs: how it is recognised, and what each of its keys says in the words
// of a request. A part is what several formats share, such as the keys of a ZeRO file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catalog/files/loader.h"
#include "support/json.h"

namespace sizesheet {

/// How the value of a key is read where no table says what each value means.
inline const std::vector<std::string> kConfigKinds = {"whole", "number", "text",   "flag",
                                                      "names", "list",   "length", "slots"};

/// A key of a config and what becomes of it.
struct ConfigKey {
  std::vector<std::string> names;  ///< dotted; the first is today's, the others older spellings
  std::string to;                  ///< a key of a request, or "_name" for the rules alone; ""
  std::string as;                  ///< one of kConfigKinds, or "" where `values` says it all
  Json values;          ///< value -> what it becomes; '*' in a value is any text; null: no table
  Json by_default;      ///< what the framework takes where the file is silent; null: nothing
  std::string told;     ///< what it changes that is not counted, or ""
  std::string refused;  ///< why a run with it is not sized, or ""
  Json neutral;         ///< values under which nothing is told or refused, beside false, 0 and ""
  bool whole = false;   ///< keys below it are its business
  std::string source;
};

/// What several keys say together.
struct ConfigRule {
  Json when;  ///< a list of objects, one of which must hold: key -> value or test
  Json set;   ///< key of a request -> value, {"of": key} or {"work": [operation, …]}
  bool where_open = false;                     ///< sets only what nothing set before
  std::map<std::string, std::string> told;     ///< by key
  std::map<std::string, std::string> refused;  ///< by key
  std::map<std::string, std::string> asked;    ///< what must be said beside the file
  std::string source;
};

/// Keys and rules of a part, below a key of the format that takes it in.
struct ConfigPart {
  std::string id;
  std::string under;  ///< "" for the top
  bool last = false;  ///< its rules come behind those of the format
};

struct ConfigFormat {
  std::string id;
  std::string title;
  std::string version;
  std::string source;
  std::string date;
  std::string stack;       ///< whose practice lies under its requests, or ""
  std::string mount;       ///< where its keys stand when it is the second file of a run, or ""
  std::int64_t order = 0;  ///< in which formats are tried; 0: a part, which is never tried
  Json recognise;          ///< as `when` of a rule
  std::vector<ConfigPart> parts;
  std::vector<ConfigKey> keys;
  std::vector<ConfigRule> rules;
  std::vector<std::string> passed_over;  ///< change neither memory, time nor tokens
  bool unknown_refused = false;          ///< the framework stops at a key that it does not know
};

ConfigFormat read_config_format(ObjectReader reader);

/// Faults each part that is no format.
void check_config_parts(const std::map<std::string, ConfigFormat>& formats,
                        const std::string& folder, Faults& faults);

/// The formats of a catalog, by id; none where it has no folder of them.
std::map<std::string, ConfigFormat> load_config_formats(const CatalogLayers& layers,
                                                        Faults& faults);

}  // namespace sizesheet
