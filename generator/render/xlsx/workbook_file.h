// SPDX-License-Identifier: Apache-2.0
// A workbook while it is written: libxlsxwriter's handle, a folder of its own for the file it
// needs, and the bytes at the end. Nothing in it depends on the clock.
#pragma once

#include <xlsxwriter.h>

#include <filesystem>
#include <optional>
#include <string>

#include "render/xlsx/styles.h"
#include "sheet/sheet.h"
#include "support/durable.h"

namespace sizesheet::xlsx {

/// Throws InputError with libxlsxwriter's words when `result` is a failure.
void require(lxw_error result, const std::string& what);

class WorkbookFile {
 public:
  /// The document's properties, its day of making included, come from `meta`.
  explicit WorkbookFile(const SheetMeta& meta);
  ~WorkbookFile();
  WorkbookFile(const WorkbookFile&) = delete;
  WorkbookFile& operator=(const WorkbookFile&) = delete;

  lxw_worksheet* add_sheet(const std::string& name);
  /// `cells` is absolute: "Prices!$A$1:$A$9".
  void define_name(const std::string& name, const std::string& cells);
  lxw_format* style(Style style) { return styles_.of(style); }

  /// Closes the workbook; to be called once. Throws InputError when it cannot be written.
  std::string bytes();

 private:
  std::optional<Workshop> workshop_;
  std::filesystem::path folder_;
  std::filesystem::path path_;
  lxw_workbook* book_;
  Styles styles_;
};

}  // namespace sizesheet::xlsx
