// SPDX-License-Identifier: Apache-2.0
// The finished file: reproducible, one page, and as wide in libharu's eyes as in ours.
#include <gtest/gtest.h>

#include "render/sample_sheet.h"
#include "render/writers.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

std::string written(const Sheet& sheet, Paper paper = Paper::kA4) {
  return pdf_handout(sheet, paper);
}

/// The sample sheet on A4.
const std::string& sample_pdf() {
  static const std::string kBytes = written(sample_sheet());
  return kBytes;
}

bool holds(const std::string& bytes, const std::string& text) {
  return bytes.find(text) != std::string::npos;
}

TEST(PdfWriter, the_same_sheet_gives_the_same_bytes) {
  EXPECT_EQ(written(sample_sheet()), sample_pdf());
  EXPECT_EQ(written(sample_sheet(), Paper::kLetter), written(sample_sheet(), Paper::kLetter));
}

TEST(PdfWriter, one_page_of_the_paper_asked_for) {
  const std::string& a4 = sample_pdf();
  EXPECT_TRUE(a4.starts_with("%PDF-1."));
  EXPECT_TRUE(holds(a4, "/Count 1\n")) << "pages";
  EXPECT_TRUE(holds(a4, "/MediaBox [ 0 0 841.89001 595.28003 ]"));
  EXPECT_TRUE(holds(written(sample_sheet(), Paper::kLetter), "/MediaBox [ 0 0 792 612 ]"));
}

TEST(PdfWriter, names_its_language) { EXPECT_TRUE(holds(written(tiny_sheet()), "/Lang (en)")); }

TEST(PdfWriter, is_small) { EXPECT_LT(sample_pdf().size(), 60'000U); }

TEST(PdfWriter, its_outline_leads_to_each_part) {
  const std::string& bytes = sample_pdf();
  EXPECT_TRUE(holds(bytes, "/Outlines"));
  EXPECT_TRUE(holds(bytes, "/Count 5\n"));
}

TEST(PdfWriter, is_dated_midday_of_the_sheets_day_and_nothing_else) {
  const std::string& bytes = sample_pdf();
  EXPECT_TRUE(holds(bytes, "/CreationDate (D:20261120120000Z"));
  EXPECT_TRUE(holds(bytes, "/ModDate (D:20261120120000Z"));
}

TEST(PdfWriter, a_link_is_in_the_file_only_with_a_base_url) {
  Sheet sheet = sample_sheet();
  EXPECT_FALSE(holds(written(sheet), "/URI"));
  sheet.meta.base_url = "https://sizing.example.com/a(b)";
  EXPECT_TRUE(holds(written(sheet), "/URI (https:\\057\\057sizing.example.com\\057a\\050b\\051)"));
}

TEST(PdfWriter, tells_what_it_could_not_print) {
  Sheet sheet = tiny_sheet();
  sheet.meta.title = "日";
  std::vector<std::string> warnings;
  pdf_handout(sheet, Paper::kA4, [&](const std::string& warning) { warnings.push_back(warning); });
  EXPECT_EQ(warnings, std::vector<std::string>{"\"日\": the fonts lack U+65E5; printed as ?"});
}

TEST(PdfWriter, a_date_that_is_none_is_refused) {
  Sheet sheet = tiny_sheet();
  sheet.meta.as_of = "2026-11";
  EXPECT_EQ(refusal_of([&] { written(sheet); }), "as-of date: expected YYYY-MM-DD, got '2026-11'");
}

TEST(PdfWriter, a_base_url_too_long_for_its_code_is_refused) {
  Sheet sheet = tiny_sheet();
  sheet.meta.base_url = "https://x.example/" + std::string(4000, 'a');
  EXPECT_EQ(refusal_of([&] { written(sheet); }), "base URL: 4018 bytes are too long for a QR code");
}

}  // namespace
}  // namespace sizesheet
