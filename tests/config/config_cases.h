// SPDX-License-Identifier: Apache-2.0
// Training configs of our own, and how they are read.
#pragma once

#include <string>
#include <vector>

#include "config/reading.h"
#include "support/json.h"

namespace sizesheet {

/// The formats of the catalog.
const ConfigFormats& shipped_formats();

/// tests/config/configs.json.
const std::vector<Json>& config_cases();

/// A file of a case, or a text in its place.
ConfigTree tree_of_case(const Json& file, const std::string& text);

/// Reads the files of a case, the first with `text` where one is given. Throws InputError.
ConfigReading read_case(const Json& one, const std::string* text = nullptr);

}  // namespace sizesheet
