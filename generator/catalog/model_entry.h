// SPDX-License-Identifier: Apache-2.0
// From a published config.json to a catalog entry: every key that decides the shape spelled out,
// the family's defaults included.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catalog/model.h"
#include "support/json.h"

namespace sizesheet {

/// What a config.json does not say about its model.
struct ModelIdentity {
  std::string id;
  std::string title;
  std::string repository;  ///< "" where there is none
  std::string source;
  std::string date;
};

/// Keys and values in the order of the catalog's files.
using EntryKeys = std::vector<std::pair<std::string, Json>>;

/// The model that an entry makes, read and checked as the catalog does it.
Model entry_model(const EntryKeys& keys, Faults& faults);

/// `{`, a key a line, `}`.
std::string entry_text(const EntryKeys& keys);

/// The entry. What the config lacks, or what the catalog would refuse, is told in `faults`; then
/// the keys are of no use.
EntryKeys model_entry(const Json& config, const std::string& file, const ModelIdentity& identity,
                      Faults& faults);

}  // namespace sizesheet
