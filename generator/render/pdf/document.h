// SPDX-License-Identifier: Apache-2.0
// A PDF being made with libharu. Its errors stick and its C frames must not be unwound, so the
// first error is only recorded; `check` turns it into an exception.
#pragma once

#include <hpdf.h>

#include <memory>
#include <string>

#include "render/pdf/faces.h"

namespace sizesheet::pdf {

struct DocumentInfo {
  std::string title;
  std::string creator;
  std::string as_of;  ///< YYYY-MM-DD; the document is dated midday UTC of that day
};

class Document {
 public:
  Document(const DocumentInfo& info, const Faces& faces);

  HPDF_Page add_page(double width, double height);
  HPDF_Font font(Face face) const { return fonts_[static_cast<std::size_t>(face)]; }
  /// Throws std::runtime_error with libharu's first error code when there was one.
  void check(const std::string& block) const;
  /// The finished file.
  std::string bytes();

 private:
  struct FirstError {
    HPDF_STATUS code = 0;
    HPDF_STATUS detail = 0;
  };

  static void on_error(HPDF_STATUS code, HPDF_STATUS detail, void* record);
  void describe(const DocumentInfo& info);
  void load(const Faces& faces);

  std::unique_ptr<FirstError> error_;  // at a fixed address: libharu keeps it
  std::unique_ptr<_HPDF_Doc_Rec, void (*)(HPDF_Doc)> doc_;
  HPDF_Font fonts_[4] = {};
};

}  // namespace sizesheet::pdf
