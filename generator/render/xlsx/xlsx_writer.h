// SPDX-License-Identifier: Apache-2.0
// sheet.xlsx: the sheet as a workbook whose costs are formulas. Change a price, a rate or the use,
// and everything follows; until then it shows the program's own figures.
#pragma once

#include "render/writer.h"

namespace sizesheet {

class XlsxWriter final : public Writer {
 public:
  /// `letter`: printed pages are US Letter, else A4.
  explicit XlsxWriter(bool letter) : letter_(letter) {}
  void write(const Sheet& sheet, FileSet& files) const override;

 private:
  bool letter_;
};

}  // namespace sizesheet
