// SPDX-License-Identifier: Apache-2.0
#include "sheet/quarterly.h"

#include "sheet/build/build_sheet.h"
#include "support/files.h"
#include "support/project_catalog.h"

namespace sizesheet {

Json quarterly_json() {
  const std::string path = SIZESHEET_SOURCE_DIR "/catalog/sheets/quarterly.json";
  return parse_json(read_file(path), path);
}

const SheetSpec& quarterly_spec() {
  static const SheetSpec kSpec =
      load_sheet_spec("quarterly", SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
  return kSpec;
}

const Sheet& quarterly_sheet() {
  static const Sheet kSheet = build_sheet(project_catalog(), quarterly_spec(), {"test", ""}, 1,
                                          [](std::size_t, std::size_t) {});
  return kSheet;
}

}  // namespace sizesheet
