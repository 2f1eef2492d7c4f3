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

constexpr double kKeyDrop = 9.8;        // table bottom to the key's baseline
constexpr double kPanelsDrop = 19.3;    // table bottom to the rule over the panels
constexpr double kPanelHeight = 110.5;  // rule to the baseline of the tick labels
constexpr double kLowPanelHeight = 99;  // below it the axis labels crowd
constexpr double kCompactHeight = 76;
constexpr double kTallPanelHeight = 190;  // more only stretches the charts
constexpr double kPanelGap = 8.3;         // tick labels to the rule over the notes
constexpr double kLowPanelGap = 4.5;

/// From the rule above the table to its first row.
double heads_height(int lines) { return 18 + kHeadLeading * lines; }

PageFlow placed(const PageMetrics& metrics, const Density& density, int head_lines, double bottom,
                bool compact) {
  PageFlow flow;
  flow.density = density;
  flow.head_lines = head_lines;
  flow.first_row = metrics.table_top + heads_height(head_lines);
  flow.compact_panels = compact;
  flow.table_bottom = bottom;
  flow.key = bottom + kKeyDrop;
  flow.panels_top = bottom + kPanelsDrop;
  const double room = metrics.notes_rule - flow.panels_top;
  const double gap = std::clamp(room - kPanelHeight, kLowPanelGap, kPanelGap);
  flow.panels_bottom = flow.panels_top + std::min(room - gap, kTallPanelHeight);
  return flow;
}

/// Height of the table's body.
double table_height(const Density& density, std::size_t rows, std::size_t groups) {
  const double gaps = static_cast<double>(groups) - 0.5;
  return static_cast<double>(rows) * density.row + gaps * density.gap;
}

/// The loosest arrangement that fits, if any: rows give way before panels do, and both before the
/// last lines of the heads.
std::optional<PageFlow> find_flow(const PageMetrics& metrics, std::size_t rows,
                                  std::size_t groups) {
  for (const int lines : {kHeadLines, kFewHeadLines}) {
    for (const bool compact : {false, true}) {
      const double needed = kLowPanelGap + (compact ? kCompactHeight : kLowPanelHeight);
      for (const Density& density : metrics.densities) {
        const bool tightest = &density == &metrics.densities.back();
        if ((compact || lines == kFewHeadLines) && !tightest) continue;
        const double bottom =
            metrics.table_top + heads_height(lines) + table_height(density, rows, groups);
        if (bottom + kPanelsDrop + needed <= metrics.notes_rule) {
          return placed(metrics, density, lines, bottom, compact);
        }
      }
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const PageMetrics& metrics, std::size_t rows, std::size_t groups) {
  const Density& tightest = metrics.densities.back();
  const double room = metrics.notes_rule - kLowPanelGap - kCompactHeight - kPanelsDrop -
                      heads_height(kFewHeadLines) - metrics.table_top;
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
  static const PageMetrics kA4Metrics{
      .width = 841.89,
      .height = 595.28,
      .text = {28, 813.89},
      .last_ink = 577,
      .table_top = 56.5,
      .sub_size = 8.6,
      .notes_rule = 531.8,
      .qr_size = 38,
      .densities = {{10.1, 8.5, 2.4}, {9.4, 8.0, 1.8}, {8.6, 7.6, 1.2}},
      .panels = {Span{28, 266}, Span{286, 538}, Span{558, 813.89}},
      .widths = 0,
      .count_width = 14.5};
  static const PageMetrics kLetterMetrics{
      .width = 792,
      .height = 612,
      .text = {28, 764},
      .last_ink = 594,
      .table_top = 56.5,
      .sub_size = 8.2,
      .notes_rule = 540,
      .qr_size = 40,
      .densities = {{10.25, 8.3, 2.5}, {9.4, 8.0, 1.8}, {8.6, 7.6, 1.2}},
      .panels = {Span{28, 252}, Span{272, 510}, Span{530, 764}},
      .widths = 1,
      .count_width = 14};
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
  const bool same = before && after && before->compact_panels == after->compact_panels &&
                    before->head_lines == after->head_lines;
  return same ? std::optional<PageMetrics>(longer) : std::nullopt;
}

}  // namespace sizesheet::pdf
