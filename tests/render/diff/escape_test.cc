// SPDX-License-Identifier: Apache-2.0
// Names that must not act, in the forms that print them.
#include <gtest/gtest.h>

#include <regex>

#include "render/diff/scenarios.h"
#include "render/diff/words.h"
#include "sheet/sheet_json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

TEST(DiffEscape, plain_text_shows_what_a_terminal_would_act_on) {
  EXPECT_EQ(plain_text("Llama 3.1 8B × H100 – ok"), "Llama 3.1 8B × H100 – ok");
  EXPECT_EQ(plain_text("\x1b[31m"), "\\u{001B}[31m");
  EXPECT_EQ(plain_text("a\nb\tc\x7f"), "a\\u{000A}b\\u{0009}c\\u{007F}");
  EXPECT_EQ(plain_text("\u202ex\u2066\u200b\u061c\ufeff"),
            "\\u{202E}x\\u{2066}\\u{200B}\\u{061C}\\u{FEFF}");
  EXPECT_EQ(plain_text("\u009b31m"), "\\u{009B}31m");
  EXPECT_EQ(plain_text("a\xff\xc3"), "a\\x{FF}\\x{C3}");
}

TEST(DiffEscape, markdown_text_holds_no_markup_link_or_mention) {
  EXPECT_EQ(markdown_text("size-7b (4 × H100), +8.2 %"), "size-7b (4 × H100), +8.2 %");
  EXPECT_EQ(markdown_text("a|b`c`"), "a&#124;b&#96;c&#96;");
  EXPECT_EQ(markdown_text("<b>&amp;"), "&#60;b&#62;&#38;amp;");
  EXPECT_EQ(markdown_text("[x](javascript:y)"), "&#91;x&#93;(javascript:y)");
  EXPECT_EQ(markdown_text("https://x WWW.x new."), "https&#58;//x WWW&#46;x new.");
  EXPECT_EQ(markdown_text("@all #1"), "&#64;&#8203;all &#35;&#8203;1");
  EXPECT_EQ(markdown_text("\\ $x$ {y} ~~z~~ _u_ *v*"),
            "&#92; &#36;x&#36; &#123;y&#125; &#126;&#126;z&#126;&#126; &#95;u&#95; &#42;v&#42;");
  EXPECT_EQ(markdown_code("a|b"), "<code>a&#124;b</code>");
  EXPECT_EQ(markdown_code(""), "");
}

TEST(DiffEscape, widths_are_counted_in_characters) {
  EXPECT_EQ(width_of("8 × H100 –"), 10U);
  EXPECT_EQ(padded_left("–", 3), "  –");
  EXPECT_EQ(padded_right("×", 3), "×  ");
  EXPECT_EQ(elided("abcdef", 6), "abcdef");
  EXPECT_EQ(elided("abcdefg", 6), "abc…fg");
  EXPECT_EQ(elided("××××", 3), "×…×");
}

TEST(DiffEscape, text_of_hostile_names_holds_no_control_character) {
  const std::string text = diff_text(compared(diff_scenario("hostile")), {});
  ASSERT_TRUE(is_utf8(text));
  for (const std::string& line : split(text, '\n')) EXPECT_EQ(plain_text(line), line);
}

/// What stands between the bars of each table line, entities taken away.
TEST(DiffEscape, markdown_of_hostile_names_holds_only_our_own_markup) {
  std::string markdown = diff_markdown(compared(diff_scenario("hostile")), false);
  ASSERT_TRUE(is_utf8(markdown));
  for (const std::string& line : split(markdown, '\n')) EXPECT_EQ(plain_text(line), line);
  std::size_t tables = 0;
  for (const std::string& line : split(markdown, '\n')) {
    if (!starts_with(line, "| ")) continue;
    ++tables;
    EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 11) << line;
  }
  EXPECT_EQ(tables, 22U);
  const std::regex ours(R"(&#\d+;|</?code>|<br>|<!-- sizesheet-diff -->|\*\*|\\\$)");
  const std::string rest = std::regex_replace(markdown, ours, "");
  for (const char sign : {'<', '>', '`', '[', ']', '@', '#', '$', '\\', '*', '~', '_'}) {
    EXPECT_EQ(rest.find(sign), std::string::npos) << sign;
  }
  EXPECT_EQ(rest.find("://"), std::string::npos);
}

TEST(DiffEscape, json_of_hostile_names_reads_back) {
  const SheetChanges changes = compared(diff_scenario("hostile"));
  const Json json = parse_json(to_json_text(changes), "diff");
  ASSERT_EQ(json.at("changes").size(), changes.changes.size());
  for (std::size_t i = 0; i < changes.changes.size(); ++i) {
    EXPECT_EQ(json.at("changes")[i].at("model"), changes.changes[i].model);
  }
}

}  // namespace
}  // namespace sizesheet
