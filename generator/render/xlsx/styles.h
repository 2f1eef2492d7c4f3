// SPDX-License-Identifier: Apache-2.0
// The looks of a cell: number format, and whether it is an input that may be changed.
#pragma once

#include <xlsxwriter.h>

#include <map>

namespace sizesheet::xlsx {

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
  kDate,
  kMonth,  ///< a date known to the month
  kLine,   ///< number of a line of another sheet; 0 shows as a dash
  kInputText,
  kInputNumber,
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

/// The formats of one workbook, made on first use and owned by it.
class Styles {
 public:
  explicit Styles(lxw_workbook* book) : book_(book) {}
  lxw_format* of(Style style);

 private:
  lxw_workbook* book_;
  std::map<Style, lxw_format*> made_;
};

}  // namespace sizesheet::xlsx
