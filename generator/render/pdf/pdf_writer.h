// SPDX-License-Identifier: Apache-2.0
// Writes the one-page handout, sheet.pdf.
#pragma once

#include <functional>
#include <string>

#include "render/pdf/paper.h"
#include "render/writer.h"

namespace sizesheet {

class PdfWriter final : public Writer {
 public:
  /// Told what could not be printed as it is: characters the fonts lack, names cut short.
  using Warn = std::function<void(const std::string&)>;

  explicit PdfWriter(Paper paper, Warn warn = {}) : paper_(paper), warn_(std::move(warn)) {}
  void write(const Sheet& sheet, FileSet& files) const override;

 private:
  Paper paper_;
  Warn warn_;
};

}  // namespace sizesheet
