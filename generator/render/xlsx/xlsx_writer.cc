// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/xlsx_writer.h"

#include <utility>

#include "render/xlsx/assumptions_page.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/pages.h"
#include "render/xlsx/workbook_file.h"
#include "support/error.h"

namespace sizesheet {

namespace {

std::string drawn(const Sheet& sheet, bool letter) {
  const std::vector<xlsx::Input> inputs = xlsx::inputs_of(sheet);
  xlsx::WorkbookFile book(sheet.meta);
  xlsx::draw_sizing(sheet, book, letter);
  xlsx::draw_rent(sheet, book, letter);
  xlsx::draw_prices(sheet, book, letter);
  xlsx::draw_ownership(sheet, inputs, book, letter);
  xlsx::draw_assumptions(sheet, inputs, book, letter);
  xlsx::draw_terms(sheet, book, letter);
  return book.bytes();
}

}  // namespace

void XlsxWriter::write(const Sheet& sheet, FileSet& files) const {
  std::string bytes = drawn(sheet, letter_);
  // The library does not look whether its temporary files took what it wrote. A disk that was full
  // for a moment would leave a workbook with a hole.
  if (drawn(sheet, letter_) != bytes) {
    throw InputError("sheet.xlsx: a temporary file (TMPDIR) lost some of what was written");
  }
  files["sheet.xlsx"] = std::move(bytes);
}

}  // namespace sizesheet
