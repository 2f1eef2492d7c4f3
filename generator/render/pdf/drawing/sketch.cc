// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/drawing/sketch.h"

#include <algorithm>

#include "render/pdf/fonts/faces.h"
#include "render/pdf/fonts/fonts.h"
#include "render/pdf/page/page_layout.h"
#include "sheet/assemble/shown.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

constexpr double kDrop = 0.21;  // of the em, of small letters in every face

constexpr double kKeyDrop = 10.6;     // table bottom to the key's baseline
constexpr double kPanelsDrop = 17.5;  // table bottom to the rule over the panels
constexpr double kPanelHeight = 74;   // rule to the last baseline: four lines under a title
constexpr double kTallPanelHeight = 150;
constexpr double kPanelGap = 5;  // the last baseline to the rule over the notes

/// Height of the table's body.
double table_height(const Density& density, std::size_t rows, std::size_t groups) {
  const double gaps = static_cast<double>(groups) - 0.5;
  return static_cast<double>(rows) * density.row + gaps * density.gap;
}

/// The loosest arrangement that fits, if any: rows give way before the panels go.
std::optional<PageFlow> find_flow(const PageMetrics& metrics, std::size_t rows,
                                  std::size_t groups) {
  for (const bool panels : {true, false}) {
    for (const Density& density : metrics.densities) {
      const double first = kTableTop + kHeadsHeight;
      const double bottom = first + table_height(density, rows, groups);
      const double below = panels ? kPanelsDrop + kPanelHeight + kPanelGap : kKeyDrop + kPanelGap;
      if (bottom + below > metrics.notes_rule) continue;
      const double top = bottom + kPanelsDrop;
      return PageFlow{density,
                      panels,
                      first,
                      bottom,
                      bottom + kKeyDrop,
                      top,
                      std::min(metrics.notes_rule - kPanelGap, top + kTallPanelHeight)};
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const PageMetrics& metrics, std::size_t rows, std::size_t groups) {
  const Density& tightest = metrics.densities.back();
  const double room = metrics.notes_rule - kPanelGap - kKeyDrop - kHeadsHeight - kTableTop;
  std::size_t fitting_groups = groups;
  const std::size_t group = rows / groups;
  while (fitting_groups > 0 &&
         table_height(tightest, fitting_groups * group, fitting_groups) > room) {
    --fitting_groups;
  }
  throw InputError("table: " + std::to_string(rows) + " rows need " +
                   format_number(table_height(tightest, rows, groups), 0) + " pt, " +
                   format_number(room, 0) + " pt free; " + std::to_string(fitting_groups * group) +
                   " rows fit; name the models of the page in handout/models of the sheet");
}

}  // namespace

bool share_area(const Rect& a, const Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

Rect extent(const TextRun& run) {
  return {run.start.x, run.start.y - kCapHeight * run.style.size, run.width,
          (kCapHeight + kDrop) * run.style.size};
}

Sketch::Sketch(double width, double height, GlyphWidth glyphs, Words words)
    : glyphs_(std::move(glyphs)), words_(std::move(words)) {
  page_.width = width;
  page_.height = height;
}

Printable Sketch::printed(const std::string& text, const Style& style) const {
  return printable(words_ ? words_(text) : text, style.face, glyphs_);
}

double Sketch::width(const std::string& text, const Style& style) const {
  return text_width(printed(text, style).text, style, glyphs_);
}

std::vector<std::string> Sketch::wrapped(const std::string& text, const Style& style,
                                         double width) const {
  std::vector<std::string> lines = pdf::wrapped(printed(text, style).text, style, width, glyphs_);
  if (!words_) return lines;
  for (std::string& line : lines) line = as_quoted(std::move(line));
  return lines;
}

TextRun Sketch::run(Point at, Align align, const Style& style, const std::string& printable) const {
  TextRun run{at, text_width(printable, style, glyphs_), style, printable};
  if (align == Align::kMiddle) run.start.x -= run.width / 2;
  if (align == Align::kRight) run.start.x -= run.width;
  return run;
}

double Sketch::text(Point at, Align align, const Style& style, const std::string& text) {
  const Printable checked = printed(text, style);
  warn_missing(text, checked.missing);
  if (checked.text.empty()) return 0;
  page_.marks.emplace_back(run(at, align, style, checked.text));
  return std::get<TextRun>(page_.marks.back()).width;
}

Rect Sketch::extent_of(Point at, Align align, const Style& style, const std::string& text) const {
  return extent(run(at, align, style, printed(text, style).text));
}

const std::string* Sketch::fitting(const std::vector<std::string>& forms, const Style& style,
                                   double width) const {
  const auto found = std::ranges::find_if(forms, [&](const std::string& form) {
    return this->width(form, style) <= width + kWidthTolerance;
  });
  return found == forms.end() ? nullptr : &*found;
}

double Sketch::text_in(double width, Point at, Align align, const Style& style,
                       const std::string& what, const std::vector<std::string>& forms) {
  if (const std::string* form = fitting(forms, style, width)) return text(at, align, style, *form);
  const Printable checked = printed(forms.back(), style);
  warn_missing(forms.back(), checked.missing);
  std::string cut = ellipsized(checked.text, style, width, glyphs_);
  warn(what + " \"" + excerpt(checked.text) + "\" is too long; printed as \"" + cut + "\"");
  return text(at, align, style, words_ ? as_quoted(std::move(cut)) : cut);
}

void Sketch::number_in(double width, Point at, Align align, const Style& style,
                       const std::string& what, const std::vector<std::string>& forms) {
  const std::string* form = fitting(forms, style, width);
  if (form == nullptr) {
    throw InputError(what + ": " + forms.back() + " needs " +
                     format_number(this->width(forms.back(), style), 1) + " pt, " +
                     format_number(width, 1) + " pt free");
  }
  text(at, align, style, *form);
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
  return std::ranges::none_of(page_.marks, [&](const Mark& mark) {
    const auto* other = std::get_if<TextRun>(&mark);
    return other && share_area(area, extent(*other));
  });
}

void Sketch::warn(const std::string& warning) {
  if (!contains(page_.warnings, warning)) page_.warnings.push_back(warning);
}

const PageMetrics& metrics_of(Paper paper) {
  static const std::vector<Density> kDensities = {{11.2, 8.8, 2.8}, {10.6, 8.6, 2.4},
                                                  {10.1, 8.5, 2},   {9.8, 8.5, 1.8},
                                                  {9.5, 8.5, 1.6},  {8.9, 8.5, 1.2}};
  static const PageMetrics kA4Metrics{.width = 841.89,
                                      .height = 595.28,
                                      .text = {24, 817.89},
                                      .last_ink = 577,
                                      .notes_rule = 534,
                                      .qr_size = 38,
                                      .densities = kDensities,
                                      .panels = {Span{24, 276}, Span{296, 532}, Span{552, 817.89}}};
  static const PageMetrics kLetterMetrics{
      .width = 792,
      .height = 612,
      .text = {24, 768},
      .last_ink = 594,
      .notes_rule = 551,
      .qr_size = 40,
      .densities = kDensities,
      .panels = {Span{24, 260}, Span{278, 502}, Span{520, 768}}};
  return paper == Paper::kA4 ? kA4Metrics : kLetterMetrics;
}

PageFlow flow_of(const PageMetrics& metrics, std::size_t rows, std::size_t groups) {
  if (const auto flow = find_flow(metrics, rows, groups)) return *flow;
  refuse(metrics, rows, groups);
}

std::optional<PageMetrics> with_longer_notes(const PageMetrics& metrics, std::size_t rows,
                                             std::size_t groups) {
  PageMetrics longer = metrics;
  longer.notes_rule -= kNoteLine;
  const auto before = find_flow(metrics, rows, groups);
  const auto after = find_flow(longer, rows, groups);
  const bool same = before && after && before->has_panels == after->has_panels;
  return same ? std::optional<PageMetrics>(longer) : std::nullopt;
}

}  // namespace sizesheet::pdf
