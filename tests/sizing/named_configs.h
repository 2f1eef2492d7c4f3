// SPDX-License-Identifier: Apache-2.0
// Configs of every family and of every stored format, for tests of what their keys do.
#pragma once

#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

struct NamedConfig {
  std::string name;
  Json config;
};

/// The config of a row of tests/oracles/quantised_configs.json, which is `file`.
Json quantised_config(const Json& file, const Json& row);

/// Published configs of every family, the shapes of the catalog's own entries, and quantised ones.
std::vector<NamedConfig> all_configs();

}  // namespace sizesheet
