// SPDX-License-Identifier: Apache-2.0
// Templates of one's own (--templates): drawn or refused with the name of the template. A text on
// its way into the handout: nothing is lost on the way but blanks and what the font has not, no
// line is wider than its room, and the file is drawn.

#include "fuzz/target.h"
#include "render/html/templates/strict_context.h"
#include "render/html/templates/templates.h"
#include "render/pdf/drawing/document.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/fonts/faces.h"
#include "render/pdf/page/page_layout.h"
#include "support/json.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet::fuzz {

void page_template(std::string_view bytes) {
  static const Json kValues = {{"title", "A & <b>"},
                               {"yes", true},
                               {"no", false},
                               {"none", Json::array()},
                               {"rows",
                                {{{"name", "first"}, {"cells", {"1", "2"}}},
                                 {{"name", "second"}, {"cells", Json::array()}}}},
                               {"inner", {{"name", "within"}}}};
  const auto [page, partial] = cut(bytes, "\n---\n");
  const TemplateSet templates{{"page.mustache", std::string(page)},
                              {"part.mustache", std::string(partial)}};
  refusal_of([&] {
    check_templates(templates, "templates");
    render_template(templates, "page.mustache", kValues);
  });
}

namespace {

constexpr double kRoom = 90;        // points
constexpr double kAlmost = 1e-6;    // of a point
constexpr std::size_t kDrawn = 48;  // lines at most, a page's worth

const pdf::Faces& faces() {
  static const pdf::Faces kFaces;
  return kFaces;
}

std::string without_blanks(const std::string& text) {
  std::string kept;
  for (const char letter : text) {
    if (letter != ' ') kept += letter;
  }
  return kept;
}

void check_lines(const std::vector<std::string>& lines, const std::string& text,
                 const pdf::Style& style, const pdf::GlyphWidth& glyphs) {
  std::string all;
  for (const std::string& line : lines) {
    const bool fits = pdf::text_width(line, style, glyphs) <= kRoom + kAlmost;
    expect(fits || decode(line).size() == 1, "a line is as wide as its room");
    all += line;
  }
  expect(without_blanks(all) == without_blanks(text), "wrapping keeps every character");
}

}  // namespace

void pdf_text(std::string_view bytes) {
  if (bytes.empty()) return;
  const pdf::Style style{static_cast<pdf::Face>(static_cast<unsigned char>(bytes[0]) % 4), 8, {0}};
  const pdf::GlyphWidth glyphs = faces().widths();
  const pdf::Printable fit = pdf::printable(bytes.substr(1), style.face, glyphs);
  expect(encode(decode(fit.text)) == fit.text, "printable text is UTF-8");
  const std::vector<std::string> lines = pdf::wrapped(fit.text, style, kRoom, glyphs);
  check_lines(lines, fit.text, style, glyphs);
  const std::string cut_short = pdf::ellipsized(fit.text, style, kRoom, glyphs);
  expect(pdf::text_width(cut_short, style, glyphs) <= kRoom + kAlmost, "a cut text fits");

  pdf::Sketch sketch(200, 800, glyphs);
  double y = 20;
  for (std::size_t i = 0; i < lines.size() && i < kDrawn; ++i, y += 14) {
    sketch.text({20, y}, pdf::Align::kLeft, style, lines[i]);
  }
  sketch.bookmark(fit.text.substr(0, 200), 20);
  const std::string file = pdf::draw(
      sketch.take(), {fit.text, "fuzz", std::string(bytes.substr(1)), "2026-01-01"}, faces());
  expect(file.starts_with("%PDF-"), "a PDF is drawn");
}

}  // namespace sizesheet::fuzz
