// SPDX-License-Identifier: Apache-2.0
// The workbook while it is written, and what its styles look like.
#pragma once

#include <xlsxwriter.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "sheet/assemble/shown.h"
#include "sheet/sheet.h"
#include "support/durable.h"

namespace sizesheet::xlsx {

/// The looks of a cell: number format, and whether it is an input that may be changed.
enum class Style {
  kTitle,
  kSubtitle,
  kSection,
  kGroup,          ///< heading over several columns
  kHead,           ///< column heading
  kHeadRight,      ///< the same over figures
  kHeadNote,       ///< second line of a heading: unit or FOCUS term
  kHeadNoteRight,  ///< the same over figures
  kText,
  kWrapped,
  kCount,
  kNumber,  ///< as many decimals as it has
  kTenths,
  kUsd,        ///< whole dollars
  kUsdRun,     ///< whole dollars from 100 on, else cents
  kUsdCents,   ///< prices by the hour
  kUsdTenths,  ///< prices by the GPU-hour: a tenth of a cent
  kPercent,
  kAway,  ///< percent with its sign
  kDate,
  kMonth,  ///< a date known to the month
  kLine,   ///< number of a line of another sheet; 0 shows as a dash
  kInputText,
  kInputNumber,
  kInputTenths,
  kInputUsd,
  kInputUsdCents,
  kInputPercent,
  kInputDate,
  kInputMonth,
  kInputCount,
  kBest,  ///< laid over a row by a condition
  kAside,
};

/// True for a style of figures, which stand at the right of a cell.
bool is_figure(Style style);
bool is_heading(Style style);

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
  lxw_format* style(Style style);  ///< made on first use
  /// A head as people read it; any other text, which formulas may compare, in the sheet's language
  /// as it is.
  std::string worded(const std::string& words) const { return sizesheet::worded(words, meta_); }
  std::string in_money(const std::string& words) const { return sizesheet::in_money(words, meta_); }
  lxw_chart* chart(lxw_chart_type type);

  /// Closes the workbook; to be called once. Throws InputError when it cannot be written.
  std::string bytes();

 private:
  std::optional<ScratchFolder> scratch_;
  std::filesystem::path folder_;
  std::filesystem::path path_;
  lxw_workbook* book_;
  SheetMeta meta_;
  std::map<Style, lxw_format*> styles_;  // owned by the book
};

}  // namespace sizesheet::xlsx
