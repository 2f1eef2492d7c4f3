// SPDX-License-Identifier: Apache-2.0
// The finished file: reproducible, one page, and as wide in libharu's eyes as in ours.
#include "render/pdf/pdf_writer.h"

#include <gtest/gtest.h>
#include <hpdf.h>

#include "render/pdf/canvas.h"
#include "render/pdf/document.h"
#include "render/pdf/fit_text.h"
#include "render/pdf/layout_checks.h"
#include "render/sample_sheet.h"
#include "support/error.h"

namespace sizesheet {
namespace {

std::string written(const Sheet& sheet, Paper paper) {
  FileSet files;
  PdfWriter(paper).write(sheet, files);
  EXPECT_EQ(files.size(), 1U);
  return files.at("sheet.pdf");
}

/// All four faces with the characters of a text.
pdf::EmbeddedFonts fonts_for(const std::string& text) {
  pdf::UsedCharacters used;
  for (const pdf::Face face :
       {pdf::Face::kRegular, pdf::Face::kBold, pdf::Face::kCondensed, pdf::Face::kCondensedBold}) {
    for (const char32_t c : pdf::decode(text)) used[face].insert(c);
  }
  return pdf::embedded_fonts(pdf::test_faces(), used);
}

bool holds(const std::string& bytes, const std::string& text) {
  return bytes.find(text) != std::string::npos;
}

TEST(PdfWriter, the_same_sheet_gives_the_same_bytes) {
  const Sheet sheet = sample_sheet();
  const std::string once = written(sheet, Paper::kA4);
  EXPECT_EQ(written(sheet, Paper::kA4), once);
}

TEST(PdfWriter, one_page_of_the_paper_asked_for) {
  const std::string a4 = written(sample_sheet(), Paper::kA4);
  EXPECT_TRUE(a4.starts_with("%PDF-1."));
  EXPECT_TRUE(holds(a4, "/Count 1\n")) << "pages";
  EXPECT_TRUE(holds(a4, "/MediaBox [ 0 0 841.89001 595.28003 ]"));
  EXPECT_TRUE(holds(written(sample_sheet(), Paper::kLetter), "/MediaBox [ 0 0 792 612 ]"));
}

TEST(PdfWriter, is_dated_midday_of_the_sheets_day_and_nothing_else) {
  const std::string bytes = written(sample_sheet(), Paper::kA4);
  EXPECT_TRUE(holds(bytes, "/CreationDate (D:20261120120000Z"));
  EXPECT_TRUE(holds(bytes, "/ModDate (D:20261120120000Z"));
}

TEST(PdfWriter, a_link_is_in_the_file_only_with_a_base_url) {
  Sheet sheet = sample_sheet();
  EXPECT_FALSE(holds(written(sheet, Paper::kA4), "/URI"));
  sheet.meta.base_url = "https://sizing.example.com/a(b)";
  EXPECT_TRUE(holds(written(sheet, Paper::kA4),
                    "/URI (https:\\057\\057sizing.example.com\\057a\\050b\\051)"));
}

TEST(PdfWriter, tells_what_it_could_not_print) {
  Sheet sheet = tiny_sheet();
  sheet.meta.title = "日";
  std::vector<std::string> warnings;
  FileSet files;
  PdfWriter(Paper::kA4, [&](const std::string& warning) {
    warnings.push_back(warning);
  }).write(sheet, files);
  EXPECT_EQ(warnings, std::vector<std::string>{"\"日\": the fonts lack U+65E5; printed as ?"});
}

TEST(PdfWriter, a_date_that_is_none_is_refused) {
  Sheet sheet = tiny_sheet();
  sheet.meta.as_of = "2026-11";
  try {
    written(sheet, Paper::kA4);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "as-of date: expected YYYY-MM-DD, got '2026-11'");
  }
}

TEST(PdfWriter, a_base_url_too_long_for_its_code_is_refused) {
  Sheet sheet = tiny_sheet();
  sheet.meta.base_url = "https://x.example/" + std::string(4000, 'a');
  try {
    written(sheet, Paper::kA4);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "base URL: 4018 bytes are too long for a QR code");
  }
}

TEST(PdfDocument, measures_text_as_the_layout_does) {
  const pdf::Faces& faces = pdf::test_faces();
  const std::string text = "Fine-tuning – 1,234.5 × 8\u00a0% ≥ −3 ÄŁ";
  pdf::Document document({"t", "c", "2026-11-20"}, fonts_for(text));
  const HPDF_Page page = document.add_page(100, 100);
  for (const pdf::Face face :
       {pdf::Face::kRegular, pdf::Face::kBold, pdf::Face::kCondensed, pdf::Face::kCondensedBold}) {
    HPDF_Page_SetFontAndSize(page, document.font(face), 10);
    EXPECT_NEAR(static_cast<double>(HPDF_Page_TextWidth(page, text.c_str())),
                pdf::text_width(text, {face, 10, {}}, faces.widths()), 0.001);
  }
}

TEST(PdfDocument, the_first_libharu_error_becomes_an_exception) {
  pdf::Document document({"t", "c", "2026-11-20"}, fonts_for("a"));
  const HPDF_Page page = document.add_page(100, 100);
  HPDF_Page_SetLineWidth(page, -1);
  try {
    document.check("lines");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "PDF: lines: libharu error 0x1056 (0)");
  }
}

}  // namespace
}  // namespace sizesheet
