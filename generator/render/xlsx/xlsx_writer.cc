// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/xlsx_writer.h"

#include "render/xlsx/assumptions_page.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/pages.h"
#include "render/xlsx/workbook_file.h"

namespace sizesheet {

void XlsxWriter::write(const Sheet& sheet, FileSet& files) const {
  const std::vector<xlsx::Input> inputs = xlsx::inputs_of(sheet);
  xlsx::WorkbookFile book(sheet.meta);
  xlsx::draw_sizing(sheet, book, letter_);
  xlsx::draw_rent(sheet, book, letter_);
  xlsx::draw_prices(sheet, book, letter_);
  xlsx::draw_ownership(sheet, inputs, book, letter_);
  xlsx::draw_assumptions(sheet, inputs, book, letter_);
  xlsx::draw_terms(sheet, book, letter_);
  files["sheet.xlsx"] = book.bytes();
}

}  // namespace sizesheet
