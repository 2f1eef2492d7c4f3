// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/sketch.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "render/pdf/fit_text.h"
#include "render/pdf/palette.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet::pdf {

namespace {

// Of the em, for all four faces: figures and capitals rise 0.711, small letters drop 0.21.
constexpr double kRise = 0.711;
constexpr double kDrop = 0.21;

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

}  // namespace

Rect extent(const TextRun& run) {
  return {run.start.x, run.start.y - kRise * run.style.size, run.width,
          (kRise + kDrop) * run.style.size};
}

Sketch::Sketch(double width, double height, GlyphWidth glyphs) : glyphs_(std::move(glyphs)) {
  page_.width = width;
  page_.height = height;
}

double Sketch::width(const std::string& text, const Style& style) const {
  return text_width(printable(text, style.face, glyphs_).text, style, glyphs_);
}

std::vector<std::string> Sketch::wrapped(const std::string& text, const Style& style,
                                         double width) const {
  return pdf::wrapped(printable(text, style.face, glyphs_).text, style, width, glyphs_);
}

TextRun Sketch::run(Point at, Align align, const Style& style, const std::string& printable) const {
  TextRun run{at, text_width(printable, style, glyphs_), style, printable};
  if (align == Align::kMiddle) run.start.x -= run.width / 2;
  if (align == Align::kRight) run.start.x -= run.width;
  return run;
}

double Sketch::text(Point at, Align align, const Style& style, const std::string& text) {
  if (style.size < kSmallestText) {
    throw std::logic_error("text of " + format_number(style.size, 1) + " pt: " + text);
  }
  const Printable checked = printable(text, style.face, glyphs_);
  warn_missing(text, checked.missing);
  if (checked.text.empty()) return 0;
  page_.marks.emplace_back(run(at, align, style, checked.text));
  return std::get<TextRun>(page_.marks.back()).width;
}

Rect Sketch::extent_of(Point at, Align align, const Style& style, const std::string& text) const {
  return extent(run(at, align, style, printable(text, style.face, glyphs_).text));
}

std::string Sketch::fitted(const std::string& what, const std::vector<std::string>& forms,
                           const Style& style, double width) {
  for (const std::string& form : forms) {
    if (this->width(form, style) <= width + kWidthTolerance) return form;
  }
  const Printable checked = printable(forms.back(), style.face, glyphs_);
  warn_missing(forms.back(), checked.missing);
  std::string cut = ellipsized(checked.text, style, width, glyphs_);
  warn(what + " \"" + excerpt(checked.text) + "\" is too long; printed as \"" + cut + "\"");
  return cut;
}

std::string Sketch::fitted_number(const std::string& what, const std::vector<std::string>& forms,
                                  const Style& style, double width) const {
  for (const std::string& form : forms) {
    if (this->width(form, style) <= width + kWidthTolerance) return form;
  }
  throw InputError(what + ": " + forms.back() + " needs " +
                   format_number(this->width(forms.back(), style), 1) + " pt, " +
                   format_number(width, 1) + " pt free");
}

void Sketch::warn_missing(const std::string& text, std::u32string_view missing) {
  std::u32string fresh;
  for (const char32_t c : missing) {
    if (warned_.find(c) == std::u32string::npos) fresh += c;
  }
  if (fresh.empty()) return;
  warned_ += fresh;
  warn("\"" + excerpt(text) + "\": the fonts lack " + code_names(fresh) + "; printed as ?");
}

bool Sketch::free_of_text(const Rect& area) const {
  return std::none_of(page_.marks.begin(), page_.marks.end(), [&](const Mark& mark) {
    const auto* other = std::get_if<TextRun>(&mark);
    return other && overlap(area, extent(*other));
  });
}

void Sketch::rule(double x0, double x1, double y, double stroke_width, Color color) {
  line({x0, y}, {x1, y}, stroke_width, color);
}

void Sketch::line(Point from, Point to, double stroke_width, Color color,
                  std::vector<std::uint16_t> dash) {
  path({{from, to}, false, {{}, color, stroke_width}, std::move(dash)});
}

void Sketch::box(const Rect& area, const Paint& paint, double radius) {
  page_.marks.emplace_back(Box{area, radius, paint});
}

void Sketch::path(Path path) { page_.marks.emplace_back(std::move(path)); }

void Sketch::disc(Disc disc) { page_.marks.emplace_back(disc); }

void Sketch::link(const Rect& area, const std::string& url) { page_.links.push_back({area, url}); }

void Sketch::bookmark(const std::string& title, double top) {
  page_.bookmarks.push_back({title, top});
}

void Sketch::warn(const std::string& warning) {
  const auto& all = page_.warnings;
  if (std::find(all.begin(), all.end(), warning) == all.end()) page_.warnings.push_back(warning);
}

}  // namespace sizesheet::pdf
