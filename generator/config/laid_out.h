// SPDX-License-Identifier: Apache-2.0
// A format with all its parts: one list of keys and one of rules, each under its full name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/configs/config_format.h"
#include "support/json.h"

namespace sizesheet {

struct LaidOutFormat {
  std::string title;              ///< "TRL 1.10.0": what messages call the framework
  std::vector<ConfigKey> keys;    ///< the format's own first
  std::vector<ConfigRule> rules;  ///< those of its parts first
  std::vector<std::string> passed_over;
  std::map<std::string, std::vector<std::size_t>> by_name;  ///< places in `keys`
};

/// A part below a key counts where the file has a mapping there.
LaidOutFormat laid_out(const std::string& id, const std::map<std::string, ConfigFormat>& formats,
                       const Json& file);

/// Whether a name in a condition is of the file: "=…" is the request so far, "_…" what rules told
/// each other, "@…" a fact that is given.
inline bool is_of_file(const std::string& name) {
  return !name.empty() && name.front() != '=' && name.front() != '@' && name.front() != '_';
}

}  // namespace sizesheet
