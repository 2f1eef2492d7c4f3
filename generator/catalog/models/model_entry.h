// SPDX-License-Identifier: Apache-2.0
// From a published config.json to a catalog entry, and what its checkpoint holds that is not
// counted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "catalog/models/families.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct Architecture;
struct Model;
struct ModelIdentity;

/// What a published checkpoint holds beside the text model that is counted.
struct UncountedPart {
  std::string pointer;  ///< of the key that tells of it
  std::string what;     ///< "a vision tower"
};

std::vector<UncountedPart> uncounted_parts(const Json& config);

/// Of a config that has been read.
std::vector<UncountedPart> uncounted_parts(const Json& config, const Architecture& model);

/// What an answer must say about how a config that reads without a fault was read.
std::vector<std::string> config_remarks(const Json& config, Uncounted uncounted);

/// A published config.json. Python writes limits that are none as Infinity, which JSON does not
/// have: they are read as null. Throws InputError for a file that cannot be read or is not JSON.
Json read_config_file(const std::filesystem::path& file);

/// What a config.json does not say about its model.
/// Keys and values in the order of the catalog's files.
using EntryKeys = Members;

/// The model that an entry makes, read and checked as the catalog does it.
Model entry_model(const EntryKeys& keys, Faults& faults);

/// `{`, a key a line, `}`.
std::string entry_text(const EntryKeys& keys);

/// The entry. What the config lacks, or what the catalog would refuse, is told in `faults`; then
/// the keys are of no use.
EntryKeys model_entry(const Json& config, const std::string& file, const ModelIdentity& identity,
                      Faults& faults);

}  // namespace sizesheet
