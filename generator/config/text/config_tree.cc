// SPDX-License-Identifier: Apache-2.0
#include "config/text/config_tree.h"

#include "support/error.h"
#include "support/text.h"

namespace sizesheet {

void refuse_other_text(std::string_view text, const std::string& file) {
  if (text.size() > kMostConfigBytes) {
    throw InputError(file + ": expected at most " + format_integer(kMostConfigBytes) +
                     " bytes of a training config, got " +
                     format_integer(static_cast<std::int64_t>(text.size())));
  }
  if (!is_utf8(text)) throw InputError(file + ": expected a text in UTF-8");
}

std::string config_place(const ConfigTree& tree, std::string_view path) {
  for (std::string part(path); !part.empty();) {
    const auto found = tree.lines.find(part);
    if (found != tree.lines.end()) {
      const auto other = tree.other_files.find(part);
      const std::string& file = other != tree.other_files.end() ? other->second : tree.file;
      return file + ":" + std::to_string(found->second);
    }
    const std::size_t dot = part.rfind('.');
    part.resize(dot == std::string::npos ? 0 : dot);
  }
  return tree.file;
}

}  // namespace sizesheet
