// SPDX-License-Identifier: Apache-2.0
#include "sheet/quarterly.h"

#include "sheet/build_sheet.h"
#include "support/project_catalog.h"

namespace sizesheet {

const Sheet& quarterly_sheet() {
  static const Sheet kSheet = [] {
    const std::string catalog = SIZESHEET_SOURCE_DIR "/catalog";
    const SheetSpec spec = load_sheet_spec("quarterly", catalog, project_catalog());
    return build_sheet(project_catalog(), spec, {"test", ""}, 1, [](std::size_t, std::size_t) {});
  }();
  return kSheet;
}

}  // namespace sizesheet
