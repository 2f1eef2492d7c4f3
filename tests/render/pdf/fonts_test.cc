// SPDX-License-Identifier: Apache-2.0
// The TrueType reader against the installed Roboto faces and against broken files, and text against
// font and room: there every character is half an em wide, 5 pt at 10 pt.

#include <gtest/gtest.h>

#include <filesystem>

#include "render/pdf/fonts/faces.h"
#include "render/pdf/fonts/ttf.h"
#include "render/pdf/layout_checks.h"
#include "render/pdf/page/page_layout.h"
#include "support/files.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

namespace sizesheet::pdf {
namespace {

std::string roboto() {
  return read_file(std::string(kFontDirectory) + "/RobotoTTF/Roboto-Regular.ttf");
}

std::string font_refusal(const std::string& bytes) {
  return refusal_of([&] { const TtfFont font(bytes, "some.ttf"); });
}

TEST(Ttf, maps_characters_to_glyphs) {
  const TtfFont font(roboto(), "Roboto-Regular.ttf");
  EXPECT_EQ(font.glyph(U'A'), 38);
  EXPECT_EQ(font.glyph(U'0'), 21);
  EXPECT_EQ(font.glyph(U'\u2013'), 1118);
  EXPECT_EQ(font.glyph(U'\u2212'), 1338);
  EXPECT_EQ(font.glyph(U'\u00a0'), 2246);
}

TEST(Ttf, knows_what_the_font_lacks) {
  const TtfFont font(roboto(), "Roboto-Regular.ttf");
  for (const char32_t lacking : {U'日', U'→', U'▲', U'\U0001F600', U'\uffff'}) {
    EXPECT_EQ(font.glyph(lacking), 0) << static_cast<unsigned>(lacking);
  }
}

TEST(Ttf, reads_widths) {
  const GlyphWidth width = test_faces().widths();
  EXPECT_EQ(width(Face::kRegular, U'A'), 652);
  EXPECT_EQ(width(Face::kRegular, U'0'), 562);
  EXPECT_EQ(width(Face::kBold, U'W'), 875);
  EXPECT_EQ(width(Face::kCondensed, U'0'), 493);
  EXPECT_EQ(width(Face::kCondensed, U'×'), 470);
  EXPECT_EQ(width(Face::kCondensedBold, U'8'), 505);
  EXPECT_EQ(width(Face::kCondensedBold, U'日'), std::nullopt);
}

TEST(Ttf, digits_are_equally_wide_in_every_face) {
  const GlyphWidth width = test_faces().widths();
  for (const Face face : {Face::kRegular, Face::kBold, Face::kCondensed, Face::kCondensedBold}) {
    for (char32_t digit = U'0'; digit <= U'9'; ++digit) {
      EXPECT_EQ(width(face, digit), width(face, U'0'));
    }
  }
}

TEST(Ttf, refuses_what_is_no_such_font) {
  EXPECT_EQ(font_refusal(""), "some.ttf: not a font this program can use: it ends too early");
  EXPECT_EQ(font_refusal("OTTO, with other outlines"),
            "some.ttf: not a font this program can use: it does not begin as a TrueType font");
  EXPECT_EQ(font_refusal(roboto().substr(0, 200)),
            "some.ttf: not a font this program can use: it ends too early");
  std::string renamed = roboto();
  renamed.replace(renamed.find("hmtx"), 4, "none");
  EXPECT_EQ(font_refusal(renamed),
            "some.ttf: not a font this program can use: it has no table hmtx");
}

TEST(Ttf, refuses_any_cut) {
  const std::string whole = roboto();
  for (std::size_t size = 0; size < whole.size(); size += 4099) {
    const std::string said = font_refusal(whole.substr(0, size));
    EXPECT_EQ(said, "some.ttf: not a font this program can use: it ends too early") << size;
  }
}

std::string faces_refusal(const std::vector<std::filesystem::path>& directories) {
  return refusal_of([&] { const Faces faces(directories); });
}

TEST(Faces, a_missing_font_is_named_with_its_package) {
  EXPECT_EQ(faces_refusal({"/nowhere/fonts", "/nowhere/else"}),
            "Roboto-Regular.ttf: the font is missing (looked in /nowhere/fonts, /nowhere/else); "
            "install the Debian package fonts-roboto-unhinted");
}

TEST(Faces, are_found_at_any_depth_and_in_a_later_directory) {
  const Faces faces({"/nowhere/fonts", "/usr/share/fonts/truetype"});
  EXPECT_EQ(std::filesystem::path(faces.path(Face::kBold)).filename(), "Roboto-Bold.ttf");
  EXPECT_EQ(faces.bytes(Face::kBold), read_file(faces.path(Face::kBold)));
}

TEST(Faces, a_font_cut_short_is_refused_by_name) {
  const TempDir directory;
  directory.write("Roboto-Regular.ttf", roboto().substr(0, 1000));
  EXPECT_EQ(faces_refusal({directory.path()}),
            (directory.path() / "Roboto-Regular.ttf").string() +
                ": not a font this program can use: it ends too early");
}

const Style kTen{Face::kRegular, 10, {}};

TEST(FitText, white_space_collapses_but_no_break_spaces_stay) {
  const Printable got = printable("  a\t\n b\u00a0c  ", Face::kRegular, half_em());
  EXPECT_EQ(got.text, "a b\u00a0c");
  EXPECT_EQ(got.missing, U"");
}

TEST(FitText, steering_marks_vanish) {
  EXPECT_EQ(printable("\u202ea\u200bb\ufeff", Face::kRegular, half_em()).text, "ab");
}

TEST(FitText, a_lacking_character_becomes_a_question_mark) {
  const Printable got = printable("x日本日", Face::kRegular, half_em(U"日本"));
  EXPECT_EQ(got.text, "x???");
  EXPECT_EQ(got.missing, U"日本");
}

TEST(FitText, a_malformed_byte_becomes_a_question_mark) {
  const Printable got = printable("a\xff", Face::kRegular, half_em());
  EXPECT_EQ(got.text, "a?");
  EXPECT_EQ(got.missing, U"\uFFFD");
}

TEST(FitText, messages_name_four_characters_and_quote_sixty) {
  EXPECT_EQ(code_names(U"日本"), "U+65E5, U+672C");
  EXPECT_EQ(code_names(U"abcde"), "U+0061, U+0062, U+0063, U+0064, …");
  EXPECT_EQ(excerpt("short"), "short");
  EXPECT_EQ(excerpt(std::string(61, 'x')), std::string(60, 'x') + "…");
}

TEST(FitText, ellipsis) {
  struct Case {
    const char* text;
    double width;
    const char* expected;
  };
  const std::vector<Case> cases = {
      {"abcdef", 30, "abcdef"},  // exactly
      {"abcdef", 29.9, "abcd…"},
      {"abc def", 25, "abc…"},  // no blank before it
      {"ab, cdef", 25, "ab…"},  // no comma either
      {"abcdef", 10, "a…"},
      {"abcdef", 9.9, ""},  // not even one letter
      {"", 0, ""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ellipsized(c.text, kTen, c.width, half_em()), c.expected) << c.text << c.width;
  }
}

TEST(FitText, wrapping) {
  struct Case {
    const char* text;
    double width;
    std::vector<std::string> expected;
  };
  const std::vector<Case> cases = {
      {"one two three", 100, {"one two three"}},
      {"one two three", 35, {"one two", "three"}},
      {"one two three", 34.9, {"one", "two", "three"}},
      {"a verylongword b", 25, {"a", "veryl", "ongwo", "rd b"}},
      {"8\u00a0% of it", 25, {"8\u00a0%", "of it"}},
      {"", 25, {}},
      {"ab", 1, {"a", "b"}},  // never loops, never loses
  };
  for (const Case& c : cases) {
    EXPECT_EQ(wrapped(c.text, kTen, c.width, half_em()), c.expected) << c.text;
  }
}

}  // namespace

}  // namespace sizesheet::pdf
