// SPDX-License-Identifier: Apache-2.0
#include "cli/edition_files.h"

#include "render/html/html_writer.h"
#include "render/pdf/pdf_writer.h"
#include "render/table/csv_writer.h"
#include "render/table/json_writer.h"
#include "render/xlsx/xlsx_writer.h"
#include "support/json.h"

namespace sizesheet {

EditionTemplates edition_templates(const std::string& directory) {
  if (directory.empty()) return {builtin_templates(), ""};
  EditionTemplates templates{load_templates(directory), ""};
  if (templates.set != builtin_templates()) {
    templates.id = sha256_hex(json_text(Json(templates.set)));
  }
  return templates;
}

FileSet edition_files(const Sheet& sheet, const EditionTemplates& templates,
                      const std::function<void(const std::string&)>& warn) {
  const bool letter = sheet.meta.paper == "letter";
  const auto tell = [&warn](const std::string& words) { warn("sheet.pdf: " + words); };
  FileSet files;
  JsonWriter().write(sheet, files);
  CsvWriter().write(sheet, files);
  HtmlWriter(templates.set).write(sheet, files);
  PdfWriter(letter ? Paper::kLetter : Paper::kA4, tell).write(sheet, files);
  XlsxWriter(letter).write(sheet, files);
  return files;
}

}  // namespace sizesheet
