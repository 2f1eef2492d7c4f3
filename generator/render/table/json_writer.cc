// SPDX-License-Identifier: Apache-2.0
#include "render/table/json_writer.h"

#include "sheet/sheet_json.h"

namespace sizesheet {

void JsonWriter::write(const Sheet& sheet, FileSet& files) const {
  files["sheet.json"] = to_json_text(sheet);
}

}  // namespace sizesheet
