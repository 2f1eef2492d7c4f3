// SPDX-License-Identifier: Apache-2.0
// Configs of every family, for tests of what their keys do.
#pragma once

#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

struct NamedConfig {
  std::string name;
  Json config;
};

/// Published configs of every family, and the shapes of the catalog's own entries.
std::vector<NamedConfig> all_configs();

}  // namespace sizesheet
