// SPDX-License-Identifier: Apache-2.0
// The keys of a config.json that nothing reads and that are known to change no figure.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

/// Keys of a config.json that change no figure.
struct SilentKeys {
  std::string why;  ///< what they do: "are of generation alone"
  std::vector<std::string> keys;
};

const std::vector<SilentKeys>& silent_keys();

/// Those of a vision_config beside them.
const std::vector<SilentKeys>& silent_keys_of_towers();

}  // namespace sizesheet
