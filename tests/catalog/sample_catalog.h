// SPDX-License-Identifier: Apache-2.0
// A catalog of one entry a kind, to be broken in one place at a time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "support/temp_dir.h"

namespace sizesheet {

/// Path below the catalog -> document.
using Documents = std::map<std::string, Json>;

Documents sample_documents();

/// Writes the documents, two-space indent and a final newline.
void write_documents(const TempDir& dir, const Documents& documents);

/// The faults in them, with paths from the catalog on: "gpus/h100.json:/date: …".
std::vector<std::string> faults_in(const Documents& documents);

/// An entry's architecture, for tests of model shapes.
Json sample_model();

}  // namespace sizesheet
