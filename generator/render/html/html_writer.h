// SPDX-License-Identifier: Apache-2.0
// Writes the site: matrix, a page a model, prices, method, stylesheet and script.
#pragma once

#include "render/html/templates.h"
#include "render/writer.h"

namespace sizesheet {

class HtmlWriter final : public Writer {
 public:
  explicit HtmlWriter(TemplateSet templates);

  void write(const Sheet& sheet, FileSet& files) const override;

 private:
  TemplateSet templates_;
};

}  // namespace sizesheet
