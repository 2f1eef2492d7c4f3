// SPDX-License-Identifier: Apache-2.0
// A PDF being made with libharu. Its errors stick and its C frames must not be unwound, so the
// first error is only recorded; `check` turns it into an exception.
#pragma once

#include <hpdf.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "render/pdf/fonts/faces.h"
#include "render/pdf/page/page_layout.h"

namespace sizesheet::pdf {

struct DocumentInfo {
  std::string title;
  std::string creator;
  std::string subject;
  std::string as_of;  ///< YYYY-MM-DD; the document is dated midday UTC of that day
};

class Document {
 public:
  Document(const DocumentInfo& info, const EmbeddedFonts& fonts);

  HPDF_Page add_page(double width, double height);
  /// Throws std::out_of_range for a face that is not embedded.
  HPDF_Font font(Face face) const { return fonts_.at(face); }
  /// A picture of the document, which libharu takes as pixels: it decodes no file.
  HPDF_Image picture(const Picture& pixels) const;
  /// An entry of the outline that leads to a height of the page, in libharu's coordinates.
  void add_bookmark(HPDF_Page page, const std::string& title, double top);
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
  /// Replaces a text that has characters of more than two bytes, which libharu leaves blank.
  void put_wide(HPDF_Dict dict, const char* key, const std::string& text);
  HPDF_Font load(const EmbeddedFont& font);
  void set_to_unicode(HPDF_Font font, const std::string& map);

  std::unique_ptr<FirstError> error_;  // at a fixed address: libharu keeps it
  std::unique_ptr<_HPDF_Doc_Rec, void (*)(HPDF_Doc)> doc_;
  std::map<Face, HPDF_Font> fonts_;
  std::vector<std::string> names_;  // of the fonts, as libharu knows them
};

// ---- Copies a laid-out page into a PDF. Nothing is decided here.

/// The PDF of one page.
std::string draw(const PageLayout& layout, const DocumentInfo& info, const Faces& faces);

}  // namespace sizesheet::pdf
