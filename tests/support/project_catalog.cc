// SPDX-License-Identifier: Apache-2.0
#include "support/project_catalog.h"

#include "support/files.h"

namespace sizesheet {

const Catalog& project_catalog() {
  static const Catalog kCatalog = load_sound_catalog(SIZESHEET_SOURCE_DIR "/catalog");
  return kCatalog;
}

Json oracle(const std::string& name) {
  const std::string path = std::string(SIZESHEET_SOURCE_DIR) + "/tests/oracles/" + name;
  return parse_json(read_file(path), path);
}

}  // namespace sizesheet
