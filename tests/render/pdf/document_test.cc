// SPDX-License-Identifier: Apache-2.0
// The finished file: reproducible and one page; and what libharu 2.3 does silently or wrongly, and
// that none of it reaches a page. One test a trap.

#include "render/pdf/drawing/document.h"

#include <gtest/gtest.h>
#include <hpdf.h>

#include <algorithm>
#include <set>

#include "render/pdf/crowded_sheet.h"
#include "render/pdf/fonts/faces.h"
#include "render/pdf/fonts/ttf.h"
#include "render/pdf/lay_out.h"
#include "render/pdf/layout_checks.h"
#include "render/pdf/page/page_layout.h"
#include "render/sample_sheet.h"
#include "sheet/sheet.h"
#include "sizing/memory/verdict.h"
#include "support/json_parse.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet::pdf {
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

/// One page of the paper asked for, in its language, dated midday of the sheet's day, with an
/// outline that leads to each part and four faces of four names.
TEST(PdfWriter, one_small_page_holds_what_readers_look_for) {
  EXPECT_TRUE(sample_pdf().starts_with("%PDF-1."));
  EXPECT_LT(sample_pdf().size(), 60'000U);
  for (const char* text :
       {"/Count 1\n", "/MediaBox [ 0 0 841.89001 595.28003 ]", "/Lang (en)", "/Outlines",
        "/Count 5\n", "/CreationDate (D:20261120120000Z", "/ModDate (D:20261120120000Z",
        "+Roboto-Regular", "+Roboto-Bold", "+RobotoCondensed-Regular", "+RobotoCondensed-Bold"}) {
    EXPECT_TRUE(holds(sample_pdf(), text)) << text;
  }
  EXPECT_TRUE(holds(written(sample_sheet(), Paper::kLetter), "/MediaBox [ 0 0 792 612 ]"));
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

const DocumentInfo kInfo{"t – ü", "c", "s", "2026-11-20"};

EmbeddedFonts fonts_of(const std::u32string& text, std::initializer_list<Face> faces) {
  UsedCharacters used;
  for (const Face face : faces) used[face].insert(text.begin(), text.end());
  return embedded_fonts(test_faces(), used);
}

/// What is thrown, whatever it is.
template <typename Call>
std::string thrown(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

/// Trap 1: a missing glyph is drawn as nothing. No run of any page may hold one.
TEST(Traps, every_character_of_every_run_has_a_glyph_in_its_face) {
  const GlyphWidth widths = test_faces().widths();
  for (std::uint32_t number = 0; number < 40; ++number) {
    Sheet sheet = random_sheet(number);
    sheet.meta.title += " 日本 ﬁ \U0001F600 →";
    for (const TextRun& run : text_runs(lay_out(sheet, Paper::kA4, widths))) {
      for (const char32_t c : decode(run.text)) EXPECT_TRUE(widths(run.style.face, c)) << run.text;
    }
  }
}

TEST(Traps, a_character_without_a_glyph_is_refused_when_a_font_is_cut) {
  const std::string said = thrown([] { fonts_of(U"a→", {Face::kBold}); });
  EXPECT_EQ(said, test_faces().path(Face::kBold) + ": no glyph for U+2192 that can be embedded");
}

/// Trap 2: invalid UTF-8 is dropped. It never gets as far: no JSON with it is read.
TEST(Traps, invalid_utf8_is_refused_at_load) {
  for (const char* bytes :
       {"{\"a\": \"\xff\xfe\"}", "{\"a\": \"\xe2\x82\"}", "{\"a\": \"\xc0\x80\"}"}) {
    const std::string said = thrown([&] { parse_json(bytes, "some.json"); });
    EXPECT_TRUE(said.starts_with("some.json")) << said;
  }
}

/// Trap 3: a second font of one name is the first font again.
TEST(Traps, two_fonts_of_one_name_are_refused) {
  EmbeddedFonts fonts = fonts_of(U"a", {Face::kRegular, Face::kBold});
  fonts[Face::kBold].bytes = fonts[Face::kRegular].bytes;
  EXPECT_EQ(thrown([&] { const Document document(kInfo, fonts); }),
            "PDF: font " + test_faces().path(Face::kBold) +
                " has the name of another font: Roboto-Regular");
}

/// Trap 4: a broken font can load without an error, or without a name.
TEST(Traps, a_font_cut_short_is_refused_whatever_libharu_says_of_it) {
  const std::string file = test_faces().path(Face::kRegular);
  for (const std::size_t size : {0UL, 100UL}) {
    EmbeddedFonts cut = fonts_of(U"abc", {Face::kRegular});
    cut[Face::kRegular].bytes.resize(size);
    const std::string said = thrown([&] { const Document document(kInfo, cut); });
    EXPECT_TRUE(said.starts_with("PDF: font " + file)) << size << said;
  }
  // libharu takes half of a font without a word; what it gets was read to its end before.
  const std::string half = test_faces().bytes(Face::kRegular).substr(0, 80'000);
  EXPECT_EQ(thrown([&] { const TtfFont font(half, "x.ttf"); }),
            "x.ttf: not a font this program can use: it ends too early");
  EXPECT_EQ(thrown([] { subset_font("no font", "x.ttf", {U'a'}, "f", "p"); }),
            "x.ttf: not a font this program can use: it has no glyphs");
}

/// Traps 5 and 6: errors stick and must not be thrown through C; the first one is reported. That no
/// graphics state is opened, and so none can leak, check_pdf.sh looks up in the file.
TEST(Traps, the_first_of_several_errors_is_the_one_told) {
  Document document(kInfo, fonts_of(U"a", {Face::kRegular}));
  const HPDF_Page page = document.add_page(100, 100);
  HPDF_Page_SetLineWidth(page, -1);
  HPDF_Page_EndText(page);
  EXPECT_EQ(thrown([&] { document.check("block"); }), "PDF: block: libharu error 0x1056 (0)");
  EXPECT_EQ(thrown([&] { document.bytes(); }), "PDF: saving: libharu error 0x1056 (0)");
}

/// Trap 7: libharu's own wrapping counts bytes and cuts words. Ours is used, with its widths.
TEST(Traps, our_widths_are_libharus_to_the_thousandth) {
  const std::string text = "Fine-tuning – 1,234.5 × 8\u00a0% ≥ −3 ÄŁ";
  const Face all[] = {Face::kRegular, Face::kBold, Face::kCondensed, Face::kCondensedBold};
  Document document(kInfo, fonts_of(decode(text), {all[0], all[1], all[2], all[3]}));
  const HPDF_Page page = document.add_page(100, 100);
  for (const Face face : all) {
    HPDF_Page_SetFontAndSize(page, document.font(face), 10);
    EXPECT_NEAR(static_cast<double>(HPDF_Page_TextWidth(page, text.c_str())),
                text_width(text, {face, 10, {}}, test_faces().widths()), 0.001);
  }
}

/// Trap 8: no OpenType features, so figures must be tabular as they come (Ttf, digits …), also in
/// what was cut.
TEST(Traps, figures_stay_tabular_when_a_font_is_cut) {
  for (const auto& [face, font] : fonts_of(U"0123456789", {Face::kRegular, Face::kCondensedBold})) {
    const TtfFont cut(font.bytes, font.file);
    for (char32_t digit = U'0'; digit <= U'9'; ++digit) {
      EXPECT_EQ(cut.width(digit), cut.width(U'0'));
    }
  }
}

/// Trap 9: a style "Bold" in the font's name makes some readers embolden it again.
TEST(Traps, no_font_carries_its_style_twice) { EXPECT_FALSE(holds(sample_pdf(), ",Bold")); }

/// Trap 10: a parser without bounds checks. It only sees fonts that HarfBuzz has just written, and
/// what it sees is the same each time. Pictures come as pixels (tests/sheet/logo_test.cc).
TEST(Traps, a_cut_font_is_the_same_each_time_and_small) {
  const EmbeddedFonts once = fonts_of(U"The quick brown fox 0123456789", {Face::kRegular});
  const EmbeddedFonts again = fonts_of(U"The quick brown fox 0123456789", {Face::kRegular});
  EXPECT_EQ(once.at(Face::kRegular).bytes, again.at(Face::kRegular).bytes);
  EXPECT_LT(once.at(Face::kRegular).bytes.size(), 10'000U);
  EXPECT_FALSE(holds(sample_pdf(), "/Subtype /Image"));
}

/// Trap 11, our own: a negative zero.
TEST(Traps, no_page_holds_a_negative_zero) {
  for (std::uint32_t number = 0; number < 40; ++number) {
    for (const TextRun& run : text_runs(page_of(random_sheet(number), Paper::kA4))) {
      const bool zero = run.text.find_first_of("123456789") == std::string::npos;
      EXPECT_FALSE(run.text.starts_with("−0") && zero) << run.text;
    }
  }
}

/// Characters of more than two bytes are pairs of UTF-16; libharu leaves them blank.
TEST(Traps, a_title_beyond_two_bytes_is_pairs_of_utf16) {
  DocumentInfo info = kInfo;
  info.title = "t \U0001F642";
  info.subject = "\U00020000";
  Document document(info, fonts_of(U"a", {Face::kRegular}));
  const HPDF_Page page = document.add_page(100, 100);
  document.add_bookmark(page, "\U0001F642", 10);
  const std::string bytes = document.bytes();
  EXPECT_TRUE(holds(bytes, "/Title <FEFF00740020D83DDE42>"));
  EXPECT_TRUE(holds(bytes, "/Subject <FEFFD840DC00>"));
  EXPECT_TRUE(holds(bytes, "/Title <FEFFD83DDE42>"));
}

/// A file with one font of a long family name, which libharu copies.
std::string pdf_with_family(std::size_t letters) {
  EmbeddedFonts fonts = fonts_of(U"a", {Face::kRegular});
  EmbeddedFont& font = fonts[Face::kRegular];
  font.bytes = subset_font(test_faces().bytes(Face::kRegular), font.file, font.characters,
                           std::string(letters, 'f'), "Roboto-Regular");
  Document document(kInfo, fonts);
  const HPDF_Page page = document.add_page(100, 100);
  HPDF_Page_SetFontAndSize(page, document.font(Face::kRegular), 10);
  return document.bytes();
}

/// Bytes of the font's tables as libharu writes them, behind a header and 13 entries.
std::size_t bytes_of_tables(const std::string& pdf) {
  constexpr std::size_t kBefore = 220;  // 12 and 13 times 16
  const std::string key = "/Length1 ";
  return std::stoul(pdf.substr(pdf.find(key) + key.size())) - kBefore;
}

/// Not in any list: a font whose tables fill whole blocks of libharu's memory cannot be saved where
/// the last table is empty. The fuzzer found it.
TEST(Traps, a_font_may_fill_whole_blocks_of_memory) {
  constexpr std::size_t kBlock = 4096;
  const std::size_t left = kBlock - bytes_of_tables(pdf_with_family(0)) % kBlock;
  ASSERT_EQ(left % 2, 0U) << "a letter of the name takes two bytes";
  EXPECT_EQ(bytes_of_tables(pdf_with_family(left / 2)) % kBlock, 0U);
}

/// Not in any list: the map to Unicode is written with the operator of another kind of map.
TEST(Traps, the_map_to_unicode_lists_each_character_in_blocks_of_a_hundred) {
  EXPECT_NE(to_unicode_map({U'A', U'–'})
                .find("2 beginbfchar\n<0041> <0041>\n<2013> <2013>\n"
                      "endbfchar\n"),
            std::string::npos);
  std::set<char32_t> many;
  for (char32_t c = 0x100; c < 0x100 + 101; ++c) many.insert(c);
  const std::string map = to_unicode_map(many);
  EXPECT_NE(map.find("100 beginbfchar\n"), std::string::npos);
  EXPECT_NE(map.find("\n1 beginbfchar\n<0164> <0164>\n"), std::string::npos);
  EXPECT_EQ(map.find("cidrange"), std::string::npos);
}

/// Titles come out as raw bytes unless the encoder is set first: UTF-16 with a byte order mark.
TEST(Traps, a_title_beyond_ascii_is_utf16) {
  Document document(kInfo, fonts_of(U"a", {Face::kRegular}));
  document.add_page(100, 100);
  EXPECT_NE(document.bytes().find("/Title <FEFF00740020201300"), std::string::npos);
}

}  // namespace

}  // namespace sizesheet::pdf
