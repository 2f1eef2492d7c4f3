// SPDX-License-Identifier: Apache-2.0
// A catalog of one entry a kind, to be broken in one place at a time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "support/json.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

namespace sizesheet {

/// Path below the catalog -> document.
using Documents = std::map<std::string, Json>;

Documents sample_documents();

/// Writes the documents, two-space indent and a final newline.
void write_documents(const TempDir& dir, const Documents& documents);

/// The catalog that they make. Throws InputError when they have a fault.
Catalog loaded(const Documents& documents = sample_documents());

/// The faults in them, with paths from the catalog on: "gpus/h100.json:/date: …".
Texts faults_in(const Documents& documents);

/// `json` with `value` put at `pointer`; nullopt takes the key out.
Json changed_at(Json json, const std::string& pointer, const std::optional<Json>& value);

/// The value of a row [pointer, [value], …] of an oracle; nothing where the list is empty.
inline std::optional<Json> change_of(const Json& row) {
  return row.at(1).empty() ? std::nullopt : std::optional<Json>(row.at(1).at(0));
}

/// A file of the project's catalog: "advice/choosing".
Json shipped_document(const std::string& name);

/// The GPUs that the project's advice is about.
std::vector<std::string> advice_gpus();

/// An entry's architecture, for tests of model shapes.
Json sample_model();

}  // namespace sizesheet
