// SPDX-License-Identifier: Apache-2.0
#include "config/text/config_tree.h"

namespace sizesheet {

std::string config_place(const ConfigTree& tree, std::string_view path) {
  for (std::string part(path); !part.empty();) {
    const auto found = tree.lines.find(part);
    if (found != tree.lines.end()) return tree.file + ":" + std::to_string(found->second);
    const std::size_t dot = part.rfind('.');
    part.resize(dot == std::string::npos ? 0 : dot);
  }
  return tree.file;
}

}  // namespace sizesheet
